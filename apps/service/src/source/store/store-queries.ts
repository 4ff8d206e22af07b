import {
  sql,
  type Compilable,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import { keySlotNames, type KeySlots } from '../../database/postgres/batch-loader.ts';
import type { PointKey, PointsQuery } from '../health-data-source.ts';
import type { TokenQuery } from '../people/search-tiers.ts';
import { PreparedQuery, type Prepare } from '../../database/prepared-query.ts';
import type { SourceKey, SourceRow } from './point-groups.ts';
import type { StoreSchema } from './schema.ts';

interface Body {
  user_id: Uint8Array;
  body: string;
}

/** A page of users in list order, joined by the database: a page costs a few values, not as many objects as it has users. */
interface ListedUsers {
  /** Of the team. */
  total: number;
  /** The bodies with commas between them; `null` on an empty page. */
  users: string | null;
  /** The ids as hexadecimal digits, one behind the other; `null` on an empty page. */
  ids: string | null;
}

/** A query of the people of a team who have one token of each list, as an engine reads them quickest. */
export type PeopleWith = (
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  tokens: TokenQuery,
) => SelectQueryBuilder<StoreSchema, 'people', object>;

/** A database of the store, and what its engine writes otherwise. */
export interface StoreEngine {
  readonly db: Kysely<StoreSchema>;
  /** For statements whose text differs from call to call, which are not worth keeping prepared. */
  readonly adHoc: Kysely<StoreSchema>;
  readonly prepare: Prepare;
  /** The aggregates over a page's `user_id`, `body` and `created_us`, in list order. */
  readonly joined: {
    readonly users: RawBuilder<string | null>;
    readonly ids: RawBuilder<string | null>;
  };
}

/** Prepared queries, each scoped to a team. Each is one index seek; a page additionally scans its rows. */
export interface StoreQueries {
  readonly userByClientId: PreparedQuery<{ team: Uint8Array; clientUserId: string }, Body>;
  readonly usersByClientIds: PreparedQuery<
    { team: Uint8Array } & KeySlots,
    Body & { client_user_id: string }
  >;
  readonly userExists: PreparedQuery<
    { team: Uint8Array; user: Uint8Array },
    { user_id: Uint8Array }
  >;
  readonly firstUsers: PreparedQuery<
    { team: Uint8Array; skip: number; limit: number },
    ListedUsers
  >;
  readonly usersFrom: PreparedQuery<
    { team: Uint8Array; position: number; skip: number; limit: number },
    ListedUsers
  >;
  readonly latestInsurance: PreparedQuery<
    { team: Uint8Array; user: Uint8Array; isPrimary: number },
    Body
  >;
  readonly userInfo: PreparedQuery<{ team: Uint8Array; user: Uint8Array }, Body>;
  readonly labResult: PreparedQuery<{ team: Uint8Array; order: Uint8Array }, Body>;
  readonly order: PreparedQuery<{ team: Uint8Array; order: Uint8Array }, Body>;
  readonly points: (query: PointsQuery<PointKey>) => PreparedQuery<PointsSlots, PointRow>;
  readonly sources: PreparedQuery<{ team: Uint8Array; user: Uint8Array } & SourceSlots, SourceRow>;
}

/** Sources per query: most pages have fewer, and the text of the statement is always the same. */
export const sourcesAtOnce = 8;

export function storeQueries({ db, prepare, joined }: StoreEngine): StoreQueries {
  // With the total, in one statement for a consistent snapshot.
  const joinedPage = (team: Uint8Array, page: ListedPage): Compilable<ListedUsers> => {
    const total = db.selectFrom('user_totals').select('total').where('team_id', '=', team);
    return db
      .selectFrom(page.as('page'))
      .select((every) => [
        every.fn.coalesce(total, sql<number>`0`).as('total'),
        joined.users.as('users'),
        joined.ids.as('ids'),
      ]);
  };
  return {
    userByClientId: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('users')
        .select(['user_id', 'body'])
        .where('team_id', '=', slot('team'))
        .where('client_user_id', '=', slot('clientUserId')),
    ),
    usersByClientIds: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('users')
        .select(['client_user_id', 'user_id', 'body'])
        .where('team_id', '=', slot('team'))
        .where('client_user_id', 'in', keySlotNames.map(slot)),
    ),
    userExists: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('users')
        .select('user_id')
        .where('team_id', '=', slot('team'))
        .where('user_id', '=', slot('user')),
    ),
    firstUsers: new PreparedQuery(prepare, (slot) =>
      joinedPage(slot('team'), usersInOrder(db, slot('team'), slot('skip'), slot('limit'))),
    ),
    usersFrom: new PreparedQuery(prepare, (slot) => {
      const rank = db
        .selectFrom('user_ranks')
        .select(['created_us', 'user_id'])
        .where('team_id', '=', slot('team'))
        .where('position', '=', slot('position'));
      const page = usersInOrder(db, slot('team'), slot('skip'), slot('limit'));
      const behindRank = page.where(sql<boolean>`(created_us, user_id) >= ${rank}`);
      return joinedPage(slot('team'), behindRank);
    }),
    latestInsurance: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('insurances')
        .select(['user_id', 'body'])
        .where('team_id', '=', slot('team'))
        .where('user_id', '=', slot('user'))
        .where('is_primary', '=', slot('isPrimary'))
        .orderBy('recorded_us', 'desc')
        .limit(sql.lit(1)),
    ),
    userInfo: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('user_infos')
        .select(['user_id', 'body'])
        .where('team_id', '=', slot('team'))
        .where('user_id', '=', slot('user'))
        .orderBy('recorded_us', 'desc')
        .limit(sql.lit(1)),
    ),
    labResult: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('lab_results')
        .select(['user_id', 'body'])
        .where('team_id', '=', slot('team'))
        .where('order_id', '=', slot('order')),
    ),
    order: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('orders')
        .select(['user_id', 'body'])
        .where('team_id', '=', slot('team'))
        .where('order_id', '=', slot('order')),
    ),
    points: byParts(
      (parts) =>
        new PreparedQuery(prepare, (slot) =>
          pointsInOrder(db, slot, parts).select(['start_us', 'provider', 'type', 'end_us', 'body']),
        ),
    ),
    sources: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('mindfulness_sources')
        .select(['provider', 'type', 'body'])
        .where('team_id', '=', slot('team'))
        .where('user_id', '=', slot('user'))
        // SQLite seeks each value of a list in the index; with `or` it would scan all sources of the user.
        .where(sql<boolean>`(provider, type) in (values ${sourceValues(slot)})`),
    ),
  };
}

/** The slots of {@link StoreQueries.sources} for one source to {@link sourcesAtOnce}; spare slots repeat the last source. */
export function sourceSlots(asked: readonly SourceKey[]): SourceSlots {
  const slots: SourceSlots = {};
  for (let n = 0; n < sourcesAtOnce; n += 1) {
    const { provider = '', type = '' } = asked[n] ?? asked.at(-1) ?? {};
    slots[`provider${n}`] = provider;
    slots[`type${n}`] = type;
  }
  return slots;
}

function sourceValues(slot: (name: keyof SourceSlots) => string): RawBuilder<unknown> {
  const values = Array.from(
    { length: sourcesAtOnce },
    (_, n) => sql`(${slot(`provider${n}`)}, ${slot(`type${n}`)})`,
  );
  return sql.join(values);
}

type SourceSlots = Record<`${'provider' | 'type'}${number}`, string>;

/** The parameters of a page of points. */
export interface PointsSlots {
  readonly team: Uint8Array;
  readonly user: Uint8Array;
  readonly fromUs: number;
  readonly untilUs: number;
  readonly provider: string;
  readonly startUs: number;
  readonly afterProvider: string;
  readonly afterType: string;
  readonly endUs: number;
  readonly limit: number;
}

/** A page of points in primary key order: one seek, then a scan of `limit` rows. */
export function pointsInOrder(
  db: Kysely<StoreSchema>,
  slot: <Name extends keyof PointsSlots>(name: Name) => PointsSlots[Name],
  parts: PointsParts,
): SelectQueryBuilder<StoreSchema, 'mindfulness_minutes', object> {
  return db
    .selectFrom('mindfulness_minutes')
    .where('team_id', '=', slot('team'))
    .where('user_id', '=', slot('user'))
    .where('start_us', '>=', slot('fromUs'))
    .where('start_us', '<=', slot('untilUs'))
    .$if(parts.ofProvider, (query) => query.where('provider', '=', slot('provider')))
    .$if(parts.isBehind, (query) =>
      query.where(
        sql<boolean>`(start_us, provider, type, end_us) > (${slot('startUs')}, ${slot('afterProvider')}, ${slot('afterType')}, ${slot('endUs')})`,
      ),
    )
    .orderBy('start_us')
    .orderBy('provider')
    .orderBy('type')
    .orderBy('end_us')
    .limit(computed(slot('limit')));
}

type PointRow = Omit<StoreSchema['mindfulness_minutes'], 'team_id' | 'user_id'>;

/** Which conditions a page of points has: the texts of its statements depend on nothing else. */
export interface PointsParts {
  readonly ofProvider: boolean;
  readonly isBehind: boolean;
}

/** Makes something once for each combination of parts. */
export function byParts<T>(
  make: (parts: PointsParts) => T,
): (query: PointsQuery<PointKey>) => T {
  const made = new Map<number, T>();
  return ({ provider, after }) => {
    const parts = { ofProvider: (provider ?? '') !== '', isBehind: after !== undefined };
    const kind = Number(parts.ofProvider) + 2 * Number(parts.isBehind);
    let found = made.get(kind);
    if (found === undefined) {
      found = make(parts);
      made.set(kind, found);
    }
    return found;
  };
}

export function pointsSlots(
  team: Uint8Array,
  user: Uint8Array,
  { fromUs, untilUs, provider, after, limit }: PointsQuery<PointKey>,
): PointsSlots {
  return {
    team,
    user,
    limit,
    fromUs: Math.max(fromUs, after?.startUs ?? fromUs),
    untilUs: untilUs ?? Number.MAX_SAFE_INTEGER,
    provider: provider ?? '',
    startUs: after?.startUs ?? 0,
    afterProvider: after?.provider ?? '',
    afterType: after?.type ?? '',
    endUs: after?.endUs ?? 0,
  };
}

type ListedPage = SelectQueryBuilder<StoreSchema, 'users', Body & { created_us: number }>;

function usersInOrder(
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  skip: number,
  limit: number,
): ListedPage {
  return db
    .selectFrom('users')
    .select(['user_id', 'body', 'created_us'])
    .where('team_id', '=', team)
    .orderBy('created_us')
    .orderBy('user_id')
    .limit(computed(limit))
    .offset(computed(skip));
}

/** SQLite looks at the number behind `limit ?` for its plan, and so would prepare the statement again for every call. */
function computed(count: number): RawBuilder<number> {
  return sql<number>`(${count} + 0)`;
}
