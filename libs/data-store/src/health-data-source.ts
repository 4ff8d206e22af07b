import type { OrderDirection, OrderKey, PeopleSearched } from '@caregate/domain';
import type { PeopleQuery } from './people/people-query.ts';
import type { NamedPeople, NamedPlace, SearchedPeople } from './people/search-tiers.ts';

/** Query and result of each operation. Single ids are passed as in the request. */
interface SourceReads {
  /** A `client_user_id`, compared code point by code point. */
  resolveUser: { query: string; found: Stored | undefined };
  /** Ordered by `created_on` (as an instant), then `user_id`. A page past the end is empty. */
  listUsers: { query: { offset: number; limit: number }; found: UsersPage };
  /** The newest `recorded_at` among the primary (or the other) insurances of a user. */
  latestInsurance: {
    query: { userId: string; isPrimary: boolean };
    found: Stored | 'no-user' | 'no-insurance';
  };
  labOrderResult: { query: string; found: StoredResult | NoResult | undefined };
  /** Rejects with a `stale-cursor` SourceError if `after` is of another kind of source. */
  mindfulnessMinutes: { query: PointsQuery; found: PointsPage | undefined };
  userInfo: { query: string; found: Stored | 'no-user' | 'no-info' };
  /** A page past the end is empty. Rejects with `not-offered` if the source has no list of orders. */
  listOrders: { query: OrdersQuery; found: OrdersPage };
  /** Best first. Rejects with `not-offered` if the source cannot search people. */
  searchPeople: { query: PeopleSearchQuery; found: PeopleFound };
  /** All who match words of a name and birth dates, a batch of candidates at a time. Rejects with `not-offered` as `personRecords`. */
  everyoneNamed: { query: NamedQuery; found: NamedPeople };
  /** Rejects with `not-offered` if the source does not know which orders are of one user. */
  orderHistory: { query: string; found: StoredHistory | undefined };
  /**
   * What `/fhir/r4` reads, with when it changed. Rejects with `not-offered` if the source does not know that. By user id: those who do not
   * exist are left out.
   */
  personRecords: { query: readonly string[]; found: readonly PersonRecord[] };
  /** In the order of their ids. */
  userIds: { query: IdsQuery; found: readonly string[] };
  /** By the change of a user or of an info; a person who changed twice is there twice. */
  changedPeople: { query: ChangesQuery; found: readonly ChangeKey[] };
  /** The latest primary and the latest other one. */
  insuranceRecords: { query: string; found: readonly InsuranceRecord[] };
  /** One order, or the orders of a user, the newest first. */
  orderRecords: { query: OrderRecordsQuery; found: readonly OrderRecord[] };
  pointRecords: { query: PointsQuery<PointKey>; found: readonly PointRecord[] };
}

export type SourceName = keyof SourceReads;

export type SourceQuery<Name extends SourceName> = SourceReads[Name]['query'];
export type SourceResult<Name extends SourceName> = SourceReads[Name]['found'];

export type SourceReaders = {
  readonly [Name in SourceName]: (
    teamId: string,
    query: SourceQuery<Name>,
    call?: SourceCall,
  ) => Promise<SourceResult<Name>>;
};

/**
 * The port through which the service reads health data. Returns only data of the team: a record of another team, one that does
 * not exist and anything that is no id give the same result. Missing data is no error; a rejected promise means that the source
 * failed, and a `SourceError` what callers may know about it.
 */
export abstract class HealthDataSource {
  abstract read<Name extends SourceName>(
    operation: Name,
    teamId: string,
    query: SourceQuery<Name>,
    call?: SourceCall,
  ): Promise<SourceResult<Name>>;

  /** Resolves if data can be read (runs a real query); otherwise rejects with the reason. */
  abstract ready(): Promise<void>;

  /** Whether reads of some teams fail although the source is ready; does not run a query. */
  abstract degraded(): boolean;

  abstract imports(): Promise<Imports>;

  abstract close(): Promise<void>;
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

interface StoredResult {
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
  readonly orders: readonly string[];
  readonly userIds: readonly string[];
  /** Number of orders on all pages; `undefined` if the source does not say. */
  readonly total: number | undefined;
  /** Set if the source returns fewer orders per page than requested. */
  readonly size?: number | undefined;
  /** Further members of the answer, as `,"name":value`. */
  readonly rest?: string | undefined;
}

interface PeopleSearchQuery {
  readonly query: PeopleQuery;
  readonly limit: number;
  /** Whether to search and show what only lab reports and orders contain. */
  readonly labs: boolean;
}

interface NamedQuery extends PeopleSearchQuery {
  readonly after: NamedPlace | undefined;
}

interface PeopleFound extends SearchedPeople {
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

interface IdsQuery {
  /** Exclusive. */
  readonly after?: string | undefined;
  readonly limit: number;
}

interface ChangesQuery {
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

interface OrderRecordsQuery {
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

interface UsersPage {
  /** JSON texts joined by commas; without brackets, since long texts are costly to join. */
  readonly users: string;
  /** `user_id` of each user on the page, in the same order, lower case. */
  readonly ids: readonly string[];
  readonly total: number;
  readonly limit?: number | undefined;
  readonly rest?: string | undefined;
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

interface PointsPage {
  /** JSON text of the `groups` object: provider to array of `{data, source}`; only what this page holds. */
  readonly groups: string;
  readonly count: number;
  readonly next: PagePlace | undefined;
  readonly userId: string;
  readonly rest?: string | undefined;
}
