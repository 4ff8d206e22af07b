import { invalidParameters, type ProblemError } from '../problem/problem-error.ts';

/**
 * The one port through which the service reads health data, and its own injection token. Implementations: the SQL store (`store/`), an upstream
 * service (`upstream/`) and the choice between the two by team (`by-team.source.ts`).
 *
 * Every call names the team, and an implementation looks nowhere but in that team's data: another team's record and
 * one that does not exist are the same answer. Ids are taken as they came in the request: whatever is no id of a
 * record (`..`, an empty string, no uuid at all) is simply not found. Nothing here throws for absent data; a rejected
 * promise means that the source itself failed; a `ProblemError` says what of that may be told.
 */
export abstract class HealthDataSource {
  /** The user whom the team calls `clientUserId` (compared code point by code point). */
  abstract resolveUser(
    teamId: string,
    clientUserId: string,
    call?: SourceCall,
  ): Promise<Stored | undefined>;

  /** A page of the team's users by `created_on` (as an instant), then `user_id`. A page past the end is empty. */
  abstract listUsers(
    teamId: string,
    page: { offset: number; limit: number },
    call?: SourceCall,
  ): Promise<UsersPage>;

  /**
   * The user's insurance with the newest `recorded_at` among the primary (or the not primary) ones.
   * `no-user`: no such user in this team. `no-insurance`: the user has none of that sort.
   */
  abstract latestInsurance(
    teamId: string,
    userId: string,
    isPrimary: boolean,
    call?: SourceCall,
  ): Promise<Stored | 'no-user' | 'no-insurance'>;

  /** An order's result, with the user it belongs to where the source knows. */
  abstract labOrderResult(
    teamId: string,
    orderId: string,
    call?: SourceCall,
  ): Promise<StoredResult | undefined>;

  /**
   * A page of the user's mindfulness minutes, by provider; `undefined`: no such user in this team. Rejects with a
   * 422 ProblemError where the place of `query.after` is of another kind of source.
   */
  abstract mindfulnessMinutes(
    teamId: string,
    query: PointsQuery,
    call?: SourceCall,
  ): Promise<PointsPage | undefined>;

  /** Resolves when data can be read now (it really asks); rejects with the reason otherwise. */
  abstract ready(): Promise<void>;

  /** Whether reads of some teams fail now although the source is ready; asks nothing. */
  abstract degraded(): boolean;

  abstract close(): Promise<void>;
}

/** On whose behalf a source is asked. */
export interface SourceCall {
  /** Passed on, so that both services' logs name the call alike. */
  readonly requestId: string;
  /** Aborted when the answer is no longer wanted, or too late. */
  readonly signal: AbortSignal;
}

/** A record as it is sent. */
export interface Stored {
  /** JSON text, exactly as it leaves the service. */
  readonly body: string;
  /** The user it is about, lower-case uuid. */
  readonly userId: string;
}

/** An order's result as it is sent. */
export interface StoredResult {
  readonly body: string;
  /** `undefined` where the source does not tell whom the order is for. */
  readonly userId: string | undefined;
}

export interface UsersPage {
  /** JSON text of an array of users, in the list's order. */
  readonly users: string;
  /** `user_id` of each user on the page, in the same order, lower case. */
  readonly ids: readonly string[];
  /** Number of users of the team, exact at the moment of the page. */
  readonly total: number;
  /** Where the source gives fewer users at a time than were asked for. */
  readonly limit?: number | undefined;
  /** Further members of the answer, as `,"name":value`. */
  readonly rest?: string | undefined;
}

export interface PointsQuery<Place extends PagePlace = PagePlace> {
  readonly userId: string;
  /** The earliest start of a point, inclusive, in microseconds since 1970. */
  readonly fromUs: number;
  /** The latest start of a point, inclusive, in microseconds since 1970; without it there is no upper bound. */
  readonly untilUs?: number | undefined;
  /** Only this provider; without it, or with an empty string, all. */
  readonly provider?: string | undefined;
  /** How many points at most, 1 or more. */
  readonly limit: number;
  /** The page begins behind this place. */
  readonly after?: Place | undefined;
}

/** Where a page begins; what comes back sealed in a cursor. */
export type PagePlace = PointKey | UpstreamPlace;

/** A place in an upstream's pages. */
export interface UpstreamPlace {
  readonly upstreamCursor: string;
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

export interface PointsPage<Place extends PagePlace = PagePlace> {
  /** JSON text of the `groups` object: provider to array of `{data, source}`; only what this page holds. */
  readonly groups: string;
  /** Number of points on the page. */
  readonly count: number;
  /** The page's last place where more points follow; `undefined` when no more data exists. */
  readonly next: Place | undefined;
  /** The user, lower-case uuid. */
  readonly userId: string;
  /** Further members of the answer, as `,"name":value`. */
  readonly rest?: string | undefined;
}

/** A cursor of ours whose place means nothing to the source that is asked: the team's data is read elsewhere now. */
export function foreignPlace(): ProblemError {
  return invalidParameters({
    parameter: 'next_cursor',
    reason: 'is no longer good; begin again without it',
  });
}
