import type {
  ChangeKey,
  ChangesQuery,
  IdsQuery,
  Imports,
  InsuranceQuery,
  InsuranceRecord,
  NamedQuery,
  NoResult,
  OrderRecord,
  OrderRecordsQuery,
  OrdersPage,
  OrdersQuery,
  PeopleFound,
  PeopleSearchQuery,
  PersonRecord,
  PointKey,
  PointRecord,
  PointsPage,
  PointsQuery,
  Stored,
  StoredHistory,
  StoredResult,
  UsersPage,
  UsersQuery,
} from './health-data.ts';
import type { NamedPeople } from './people/search-people.ts';
import { SourceError } from './source-error.ts';

/**
 * The source of the service's health data: the store, or an upstream with the same interface. This class rejects the
 * queries that an upstream can't answer; the store overrides them.
 *
 * A source only returns data of the given team. A record of another team, a missing record, and a malformed ID give
 * the same result. Missing data is a result, not an error. A rejected promise means that the source failed; a
 * `SourceError` has what callers may know about it. IDs are passed as the request has them.
 */
export abstract class HealthDataSource {
  /** @param clientUserId compared by code points, without normalization */
  abstract userByClientId(
    teamId: string,
    clientUserId: string,
    call?: SourceCall,
  ): Promise<Stored | undefined>;

  /** Returns users ordered by `created_on` (as an instant), then `user_id`. A page past the end is empty. */
  abstract users(teamId: string, query: UsersQuery, call?: SourceCall): Promise<UsersPage>;

  abstract userInfo(
    teamId: string,
    userId: string,
    call?: SourceCall,
  ): Promise<Stored | 'no-user' | 'no-info'>;

  /** Returns the user's primary (or other) insurance with the newest `recorded_at`. */
  abstract latestInsurance(
    teamId: string,
    query: InsuranceQuery,
    call?: SourceCall,
  ): Promise<Stored | 'no-user' | 'no-insurance'>;

  abstract labResult(
    teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredResult | NoResult | undefined>;

  /**
   * Returns undefined if there is no such user. Rejects with `stale-cursor` if `after` comes from another kind of
   * source.
   */
  abstract timeseries(
    teamId: string,
    query: PointsQuery,
    call?: SourceCall,
  ): Promise<PointsPage | undefined>;

  /**
   * Returns a page of orders, which is empty past the end. Rejects with `not-offered` if the source has no list of
   * orders.
   */
  abstract orders(teamId: string, query: OrdersQuery, call?: SourceCall): Promise<OrdersPage>;

  /**
   * Returns other results of the order's user. Rejects with `not-offered` if the source can't find the orders of a
   * user.
   */
  abstract orderHistory(
    teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredHistory | undefined>;

  /** Returns the people who match, best first. Rejects with `not-offered` if the source can't search people. */
  abstract searchPeople(
    teamId: string,
    query: PeopleSearchQuery,
    call?: SourceCall,
  ): Promise<PeopleFound>;

  // The following methods are for FHIR. An upstream rejects them, since it doesn't say when its records changed.

  /** Returns people who match words of a name and birth dates, one batch of candidates at a time. */
  peopleNamed(_teamId: string, _query: NamedQuery, _call?: SourceCall): Promise<NamedPeople> {
    return rejectNotOffered();
  }

  /** Returns the people with these IDs, without those that don't exist. */
  personRecords(
    _teamId: string,
    _userIds: readonly string[],
    _call?: SourceCall,
  ): Promise<readonly PersonRecord[]> {
    return rejectNotOffered();
  }

  /** Returns user IDs in ascending order. */
  userIds(_teamId: string, _query: IdsQuery, _call?: SourceCall): Promise<readonly string[]> {
    return rejectNotOffered();
  }

  /** Returns people ordered by the changes of their user or info. A person with two changes appears twice. */
  changedPeople(
    _teamId: string,
    _query: ChangesQuery,
    _call?: SourceCall,
  ): Promise<readonly ChangeKey[]> {
    return rejectNotOffered();
  }

  /** Returns the latest primary and the latest other insurance. */
  insuranceRecords(
    _teamId: string,
    _userId: string,
    _call?: SourceCall,
  ): Promise<readonly InsuranceRecord[]> {
    return rejectNotOffered();
  }

  /** Returns one order, or the orders of a user, newest first. */
  orderRecords(
    _teamId: string,
    _query: OrderRecordsQuery,
    _call?: SourceCall,
  ): Promise<readonly OrderRecord[]> {
    return rejectNotOffered();
  }

  pointRecords(
    _teamId: string,
    _query: PointsQuery<PointKey>,
    _call?: SourceCall,
  ): Promise<readonly PointRecord[]> {
    return rejectNotOffered();
  }

  /** Resolves if data can be read, which it tests with a real query; otherwise rejects with the reason. */
  abstract ready(): Promise<void>;

  /** Whether reads of some teams fail although the source is ready. Runs no query. */
  abstract degraded(): boolean;

  imports(): Promise<Imports> {
    return rejectNotOffered();
  }

  abstract close(): Promise<void>;
}

function rejectNotOffered(): Promise<never> {
  return Promise.reject(new SourceError('not-offered'));
}

export interface SourceCall {
  /** Forwarded to the upstream, so that both logs have the same ID. */
  readonly requestId: string;
  readonly traceHeaders?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Yields to other requests. Rejects when the client has disconnected. */
  readonly pause?: () => Promise<void>;
}
