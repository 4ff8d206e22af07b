import type { OrderDirection, OrderKey, PeopleSearched } from '@caregate/domain';
import type { PeopleQuery } from './people/people-query.ts';
import type { NameMatches, NameCursor, SearchedPeople } from './people/search-people.ts';

export interface StoredRecord {
  /** JSON text, exactly as it is sent to the client. */
  readonly body: string;
  /** Lower-case UUID of the user that the record is about. */
  readonly userId: string;
}

export interface ImportStatus {
  /** Number of imported files; absent before the first import. */
  readonly files?: number;
  readonly lastUs?: number;
  /** Number of HL7 messages that wait for their patients, and the time of the oldest one in microseconds since 1970. */
  readonly waitingMessages: number;
  readonly oldestWaitingUs: number | undefined;
}

export interface StoredResult {
  readonly body: string;
  /** Undefined if the source doesn't know the user of the order. */
  readonly userId: string | undefined;
}

export interface NoResult {
  readonly body?: undefined;
  /** Status of the order, as in `order_status` of a problem document. */
  readonly orderStatus: string | undefined;
  readonly userId: string | undefined;
}

/**
 * Filters, sorting and page of a list of orders. All filters must match. Times are inclusive, in microseconds since
 * 1970.
 */
export interface OrdersQuery {
  readonly userId?: string | undefined;
  readonly patientName?: string | undefined;
  /** ID of an order or user, words of the patient's name, or a birth date. */
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
  /** JSON text, exactly as it is sent to the client. */
  readonly body: string;
  /** User ID of each order, in the same order. */
  readonly userIds: readonly string[];
}

export interface PeopleSearchQuery {
  readonly query: PeopleQuery;
  readonly limit: number;
  /** Whether to search and return what only lab reports and orders contain. */
  readonly labs: boolean;
}

export interface NameQuery extends PeopleSearchQuery {
  readonly after: NameCursor | undefined;
}

export interface PeopleResult extends SearchedPeople {
  readonly searched: PeopleSearched;
}

export interface StoredHistory {
  readonly body: string;
  readonly userId: string;
  /** Other results of the user, newest first. */
  readonly others: readonly {
    readonly orderId: string;
    readonly body: string;
    /** The version before the last correction. */
    readonly replaced?: string | undefined;
  }[];
  readonly replaced?: { readonly atUs: number; readonly body: string } | undefined;
}

/**
 * Records of a person. `changedUs` is the commit time of the last transaction that changed them, in microseconds
 * since 1970.
 */
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
  /** ID after which the page starts. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface ChangesQuery {
  readonly fromUs: number;
  readonly untilUs: number;
  /** Key after which the page starts. */
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
  /** Key after which the page starts. */
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
  /** JSON text, exactly as it is sent to the client unless users are masked. */
  readonly body: string;
  /** `user_id` of each user on the page in lower case, in the same order. */
  readonly ids: readonly string[];
  /** Number of users on all pages. */
  readonly total: number;
}

export interface PointsQuery<Place extends PointsCursor = PointsCursor> {
  readonly userId: string;
  /** Range of points' start times, inclusive, in microseconds since 1970. */
  readonly fromUs: number;
  readonly untilUs?: number | undefined;
  /** Only points of this provider; all if missing or empty. */
  readonly provider?: string | undefined;
  readonly limit: number;
  /** Position after which the page starts. */
  readonly after?: Place | undefined;
}

export type PointsCursor = PointKey | UpstreamCursor;

interface UpstreamCursor {
  readonly upstreamCursor: string;
}

/** Key of a point within its user. It is the sort order of pages: start, provider, type, end. */
export interface PointKey {
  readonly startUs: number;
  readonly provider: string;
  readonly type: string;
  readonly endUs: number;
}

export interface PointsPage {
  /**
   * JSON text of the `groups` object, from provider to an array of `{data, source}`. It contains the points of this
   * page only.
   */
  readonly groups: string;
  readonly count: number;
  readonly next: PointsCursor | undefined;
  readonly userId: string;
  readonly rest?: string | undefined;
}

/** Reads records of a team with the times of their changes, for FHIR. */
export interface DatedRecords {
  /** Returns people who match words of a name and birth dates, one batch of candidates at a time. */
  findByName(query: NameQuery): Promise<NameMatches>;
  /** Returns the people with these IDs, without those that don't exist. */
  listPeople(userIds: readonly string[]): Promise<readonly PersonRecord[]>;
  /** Returns user IDs in ascending order. */
  listUserIds(query: IdsQuery): Promise<readonly string[]>;
  /** Returns people ordered by the changes of their user or info. A person with two changes appears twice. */
  listChangedPeople(
    query: ChangesQuery,
    pause?: () => Promise<void>,
  ): Promise<readonly ChangeKey[]>;
  /** Returns the latest primary and the latest other insurance. */
  listInsurances(userId: string): Promise<readonly InsuranceRecord[]>;
  /** Returns one order, or the orders of a user, newest first. */
  listOrders(query: OrderRecordsQuery): Promise<readonly OrderRecord[]>;
  listPoints(query: PointsQuery<PointKey>): Promise<readonly PointRecord[]>;
}
