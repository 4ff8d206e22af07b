import type {
  DatedRecords,
  ImportStatus,
  InsuranceQuery,
  NoResult,
  OrdersPage,
  OrdersQuery,
  PeopleResult,
  PeopleSearchQuery,
  PointsPage,
  PointsQuery,
  StoredRecord,
  StoredHistory,
  StoredResult,
  UsersPage,
  UsersQuery,
} from './health-data.ts';

/**
 * The source of the service's health data: the store, or an upstream with the same interface. A query
 * that the source can't answer rejects with `not-offered`.
 *
 * A source only returns data of the given team. A record of another team, a missing record, and a malformed ID give
 * the same result. Missing data is a result, not an error. A rejected promise means that the source failed; a
 * `SourceError` has what callers may know about it. IDs are passed as the request has them.
 */
export abstract class HealthDataSource {
  /** @param clientUserId compared by code points, without normalization */
  abstract findUserByClientId(
    teamId: string,
    clientUserId: string,
    call?: SourceCall,
  ): Promise<StoredRecord | undefined>;

  /** Returns users ordered by `created_on` (as an instant), then `user_id`. A page past the end is empty. */
  abstract listUsers(teamId: string, query: UsersQuery, call?: SourceCall): Promise<UsersPage>;

  abstract getUserInfo(
    teamId: string,
    userId: string,
    call?: SourceCall,
  ): Promise<StoredRecord | 'no-user' | 'no-info'>;

  /** Returns the user's primary (or other) insurance with the newest `recorded_at`. */
  abstract getLatestInsurance(
    teamId: string,
    query: InsuranceQuery,
    call?: SourceCall,
  ): Promise<StoredRecord | 'no-user' | 'no-insurance'>;

  abstract getLabResult(
    teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredResult | NoResult | undefined>;

  /**
   * Returns undefined if there is no such user. Rejects with `stale-cursor` if `after` comes from another kind of
   * source.
   */
  abstract getTimeseries(
    teamId: string,
    query: PointsQuery,
    call?: SourceCall,
  ): Promise<PointsPage | undefined>;

  /**
   * Returns a page of orders, which is empty past the end. Rejects with `not-offered` if the source has no list of
   * orders.
   */
  abstract listOrders(teamId: string, query: OrdersQuery, call?: SourceCall): Promise<OrdersPage>;

  /**
   * Returns other results of the order's user. Rejects with `not-offered` if the source can't find the orders of a
   * user.
   */
  abstract getOrderHistory(
    teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredHistory | undefined>;

  /** Returns the people who match, best first. Rejects with `not-offered` if the source can't search people. */
  abstract searchPeople(
    teamId: string,
    query: PeopleSearchQuery,
    call?: SourceCall,
  ): Promise<PeopleResult>;

  /** @throws SourceError `not-offered` if the source doesn't know when its records changed */
  abstract getRecords(teamId: string): DatedRecords;

  /** Resolves if data can be read, which it tests with a real query; otherwise rejects with the reason. */
  abstract checkReady(): Promise<void>;

  /** Whether reads of some teams fail although the source is ready. Runs no query. */
  abstract isDegraded(): boolean;

  abstract getImports(): Promise<ImportStatus>;

  abstract close(): Promise<void>;
}

export interface SourceCall {
  /** Forwarded to the upstream, so that both logs have the same ID. */
  readonly requestId: string;
  readonly traceHeaders?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Yields to other requests. Rejects when the client has disconnected. */
  readonly pause?: () => Promise<void>;
}
