import type { OrderDirection, OrderKey, PeopleSearched } from '@caregate/domain';
import type { PeopleQuery } from './people/people-query.ts';
import { SourceError } from './source-error.ts';
import type { NamedPeople, NamedPlace, SearchedPeople } from './people/search-people.ts';

/**
 * Where the service reads health data: the store, or an upstream with the same interface. Questions that an upstream can't
 * answer are refused by this class, and the store overrides them.
 *
 * A source returns data of the team alone: a record of another team, a record that does not exist, and a malformed ID all give
 * the same result. Missing data is a result, not an error. A rejected promise means that the source failed; a `SourceError`
 * says what callers may know of it. IDs are passed as the request has them.
 */
export abstract class HealthDataSource {
  /** @param clientUserId compared code point by code point */
  abstract userByClientId(
    teamId: string,
    clientUserId: string,
    call?: SourceCall,
  ): Promise<Stored | undefined>;

  /** Ordered by `created_on` (as an instant), then `user_id`. A page past the end is empty. */
  abstract users(teamId: string, query: UsersQuery, call?: SourceCall): Promise<UsersPage>;

  abstract userInfo(
    teamId: string,
    userId: string,
    call?: SourceCall,
  ): Promise<Stored | 'no-user' | 'no-info'>;

  /** The newest `recorded_at` among the primary (or the other) insurances of a user. */
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

  /** Undefined without such a user. Rejects with `stale-cursor` if `after` is of another kind of source. */
  abstract timeseries(
    teamId: string,
    query: PointsQuery,
    call?: SourceCall,
  ): Promise<PointsPage | undefined>;

  /** A page past the end is empty. Rejects with `not-offered` if the source has no list of orders. */
  abstract orders(teamId: string, query: OrdersQuery, call?: SourceCall): Promise<OrdersPage>;

  /** Rejects with `not-offered` if the source does not know which orders are of one user. */
  abstract orderHistory(
    teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredHistory | undefined>;

  /** Best first. Rejects with `not-offered` if the source can't search people. */
  abstract searchPeople(
    teamId: string,
    query: PeopleSearchQuery,
    call?: SourceCall,
  ): Promise<PeopleFound>;

  // The following are for FHIR. An upstream does not say when its records changed.

  /** All who match words of a name and birth dates, a batch of candidates at a time. */
  peopleNamed(_teamId: string, _query: NamedQuery, _call?: SourceCall): Promise<NamedPeople> {
    return rejectNotOffered();
  }

  /** Those of the IDs that exist. */
  personRecords(
    _teamId: string,
    _userIds: readonly string[],
    _call?: SourceCall,
  ): Promise<readonly PersonRecord[]> {
    return rejectNotOffered();
  }

  /** In the order of the IDs. */
  userIds(_teamId: string, _query: IdsQuery, _call?: SourceCall): Promise<readonly string[]> {
    return rejectNotOffered();
  }

  /** By the change of a user or of an info; a person who changed twice is there twice. */
  changedPeople(
    _teamId: string,
    _query: ChangesQuery,
    _call?: SourceCall,
  ): Promise<readonly ChangeKey[]> {
    return rejectNotOffered();
  }

  /** The latest primary and the latest other one. */
  insuranceRecords(
    _teamId: string,
    _userId: string,
    _call?: SourceCall,
  ): Promise<readonly InsuranceRecord[]> {
    return rejectNotOffered();
  }

  /** One order, or the orders of a user, the newest first. */
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

  /** Resolves if data can be read (runs a real query); otherwise rejects with the reason. */
  abstract ready(): Promise<void>;

  /** Whether reads of some teams fail although the source is ready; does not run a query. */
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
  /** Forwarded, so that both logs have the same id. */
  readonly requestId: string;
  readonly traceHeaders?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Gives other requests their turn. Rejects once nobody waits for the answer. */
  readonly pause?: () => Promise<void>;
}

export interface Stored {
  /** JSON text, exactly as it leaves the service. */
  readonly body: string;
  /** The user it is about, lower-case uuid. */
  readonly userId: string;
}

export interface Imports {
  /** Absent before the first import. */
  readonly files?: number;
  readonly lastUs?: number;
  /** Messages of laboratories that wait for their patients, and when the oldest of them came. */
  readonly waitingMessages: number;
  readonly oldestWaitingUs: number | undefined;
}

export interface StoredResult {
  readonly body: string;
  /** `undefined` if the source does not know the user of the order. */
  readonly userId: string | undefined;
}

export interface NoResult {
  readonly body?: undefined;
  /** As `order_status` of a problem document. */
  readonly orderStatus: string | undefined;
  readonly userId: string | undefined;
}

/** All conditions must match. Instants in microseconds since 1970, inclusive. */
export interface OrdersQuery {
  readonly userId?: string | undefined;
  readonly patientName?: string | undefined;
  /** Id of an order or user, words of the patient's name, or a birth date. */
  readonly searchInput?: string | undefined;
  readonly createdFromUs?: number | undefined;
  readonly createdUntilUs?: number | undefined;
  readonly updatedFromUs?: number | undefined;
  readonly updatedUntilUs?: number | undefined;
  readonly statuses?: readonly string[] | undefined;
  readonly interpretation?: string | undefined;
  readonly orderIds?: readonly string[] | undefined;
  readonly key: OrderKey;
  readonly direction: OrderDirection;
  readonly page: number;
  readonly size: number;
}

export interface OrdersPage {
  /** JSON text, exactly as it leaves the service. */
  readonly body: string;
  /** The user of each order, in the same order. */
  readonly userIds: readonly string[];
}

export interface PeopleSearchQuery {
  readonly query: PeopleQuery;
  readonly limit: number;
  /** Whether to search and show what only lab reports and orders contain. */
  readonly labs: boolean;
}

export interface NamedQuery extends PeopleSearchQuery {
  readonly after: NamedPlace | undefined;
}

export interface PeopleFound extends SearchedPeople {
  readonly searched: PeopleSearched;
}

export interface StoredHistory {
  readonly body: string;
  readonly userId: string;
  /** Other results of the user, newest first. */
  readonly others: readonly { readonly orderId: string; readonly body: string }[];
  readonly replaced?: { readonly atUs: number; readonly body: string } | undefined;
}

/** `changedUs`: when the transaction committed that last changed it, in microseconds since 1970. */
export interface PersonRecord {
  readonly userId: string;
  readonly user: string;
  readonly info: string | undefined;
  readonly changedUs: number;
}

export interface ChangeKey {
  readonly changedUs: number;
  readonly userId: string;
}

export interface IdsQuery {
  /** Exclusive. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface ChangesQuery {
  readonly fromUs: number;
  readonly untilUs: number;
  /** Exclusive. */
  readonly after?: ChangeKey | undefined;
  readonly limit: number;
}

export interface InsuranceRecord {
  readonly isPrimary: boolean;
  readonly body: string;
  readonly changedUs: number;
}

export interface OrderRecordsQuery {
  readonly of: { readonly orderId: string } | { readonly userId: string };
  readonly withResult: boolean;
  /** Exclusive. */
  readonly after?: OrderRecordKey | undefined;
  readonly limit: number;
}

export interface OrderRecordKey {
  readonly createdUs: number;
  readonly orderId: string;
}

export interface OrderRecord extends OrderRecordKey {
  readonly userId: string;
  readonly order: string;
  readonly changedUs: number;
  readonly result?: { readonly body: string; readonly changedUs: number } | undefined;
}

export interface PointRecord extends PointKey {
  readonly source: string;
  readonly body: string;
  readonly changedUs: number;
}

export interface UsersQuery {
  readonly offset: number;
  readonly limit: number;
}

export interface InsuranceQuery {
  readonly userId: string;
  readonly isPrimary: boolean;
}

export interface UsersPage {
  /** JSON text, exactly as it leaves the service unless users are masked. */
  readonly body: string;
  /** `user_id` of each user on the page, in the same order, lower case. */
  readonly ids: readonly string[];
  /** Number of users on all pages. */
  readonly total: number;
}

export interface PointsQuery<Place extends PagePlace = PagePlace> {
  readonly userId: string;
  /** Starts of points, inclusive, in microseconds since 1970. */
  readonly fromUs: number;
  readonly untilUs?: number | undefined;
  /** Only this provider; without it, or with an empty string, all. */
  readonly provider?: string | undefined;
  readonly limit: number;
  /** Start of the page, exclusive. */
  readonly after?: Place | undefined;
}

export type PagePlace = PointKey | UpstreamPlace;

interface UpstreamPlace {
  readonly upstreamCursor: string;
}

/** Key of a point within its user, and the sort order of pages: start, provider, type, end. */
export interface PointKey {
  readonly startUs: number;
  readonly provider: string;
  readonly type: string;
  readonly endUs: number;
}

export interface PointsPage {
  /** JSON text of the `groups` object: provider to array of `{data, source}`; only what this page holds. */
  readonly groups: string;
  readonly count: number;
  readonly next: PagePlace | undefined;
  readonly userId: string;
  readonly rest?: string | undefined;
}
