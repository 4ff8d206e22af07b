/**
 * The one port through which the service reads health data. Implementations: the SQL store (`store/`) and, later, an
 * upstream service (`upstream/`).
 *
 * Every call names the team, and an implementation looks nowhere but in that team's data: another team's record and
 * one that does not exist are the same answer. Ids are taken as they came in the request: whatever is no id of a
 * record (`..`, an empty string, no uuid at all) is simply not found. Nothing here throws for absent data; a rejected
 * promise means that the source itself failed.
 */
export interface HealthDataSource {
  /** The user whom the team calls `clientUserId` (compared code point by code point). */
  resolveUser(teamId: string, clientUserId: string): Promise<Stored | undefined>;

  /** A page of the team's users by `created_on` (as an instant), then `user_id`. A page past the end is empty. */
  listUsers(teamId: string, page: { offset: number; limit: number }): Promise<UsersPage>;

  /**
   * The user's insurance with the newest `recorded_at` among the primary (or the not primary) ones.
   * `no-user`: no such user in this team. `no-insurance`: the user has none of that sort.
   */
  latestInsurance(
    teamId: string,
    userId: string,
    isPrimary: boolean,
  ): Promise<Stored | 'no-user' | 'no-insurance'>;

  /** An order's result, with the user it belongs to. */
  labOrderResult(teamId: string, orderId: string): Promise<Stored | undefined>;

  /** A page of the user's mindfulness minutes, by provider; `undefined`: no such user in this team. */
  mindfulnessMinutes(teamId: string, query: PointsQuery): Promise<PointsPage | undefined>;

  /** Resolves when data can be read now (it really asks); rejects with the reason otherwise. */
  ready(): Promise<void>;

  close(): Promise<void>;
}

/** Injection token of the {@link HealthDataSource}. */
export const HEALTH_DATA_SOURCE = Symbol('HealthDataSource');

/** A record as it is sent. */
export interface Stored {
  /** JSON text, exactly as it leaves the service. */
  readonly body: string;
  /** The user it is about, lower-case uuid. */
  readonly userId: string;
}

export interface UsersPage {
  /** JSON text of an array of users, in the list's order. */
  readonly users: string;
  /** `user_id` of each user on the page, in the same order, lower case. */
  readonly ids: readonly string[];
  /** Number of users of the team, exact at the moment of the page. */
  readonly total: number;
}

export interface PointsQuery {
  readonly userId: string;
  /** The earliest start of a point, inclusive, in microseconds since 1970. */
  readonly fromUs: number;
  /** The latest start of a point, inclusive, in microseconds since 1970; without it there is no upper bound. */
  readonly untilUs?: number | undefined;
  /** Only this provider; without it, or with an empty string, all. */
  readonly provider?: string | undefined;
  /** How many points at most, 1 or more. */
  readonly limit: number;
  /** The page begins behind this point. */
  readonly after?: PointKey | undefined;
}

/** What a point is known by within its user, and the order of pages: start, then provider, type, end. */
export interface PointKey {
  /** Microseconds since 1970. */
  readonly startUs: number;
  readonly provider: string;
  readonly type: string;
  /** Microseconds since 1970. */
  readonly endUs: number;
}

export interface PointsPage {
  /** JSON text of the `groups` object: provider to array of `{data, source}`; only what this page holds. */
  readonly groups: string;
  /** Number of points on the page. */
  readonly count: number;
  /** The page's last point where more points follow; `undefined` when no more data exists. */
  readonly next: PointKey | undefined;
  /** The user, lower-case uuid. */
  readonly userId: string;
}
