import {
  sql,
  type Compilable,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
} from 'kysely';
import type { PointKey, PointsQuery } from '../health-data-source.ts';
import type { CandidatePlace, TokenQuery } from '../people/search-tiers.ts';
import { PreparedQuery, type Prepare } from '../database/prepared-query.ts';
import type { SourceKey, SourceRow } from './point-groups.ts';
import type { StoreSchema } from './schema.ts';

interface Body {
  user_id: Uint8Array;
  body: string;
}

interface ListedUser {
  readonly total: number;
  /** Of an empty page, the only row has nobody. */
  readonly user_id: Uint8Array | null;
  readonly body: string | null;
}

export type PeopleWith = (
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  tokens: TokenQuery,
) => SelectQueryBuilder<StoreSchema, 'people', object>;

/** Who has the tokens, in an order that stays, behind a place in it. */
export type PeopleBehind = (
  db: Kysely<StoreSchema>,
  of: {
    readonly team: Uint8Array;
    readonly tokens: TokenQuery;
    readonly after: CandidatePlace | undefined;
    readonly limit: number;
  },
) => Promise<readonly { readonly facts: string; readonly place: CandidatePlace }[]>;

export interface StoreEngine {
  readonly db: Kysely<StoreSchema>;
  /** For statements whose text varies: not worth preparing. */
  readonly adHoc: Kysely<StoreSchema>;
  readonly prepare: Prepare;
}

/** Prepared queries, each scoped to a team. Each is one index seek; a page additionally scans its rows. */
export interface StoreQueries {
  readonly userByClientId: PreparedQuery<{ team: Uint8Array; clientUserId: string }, Body>;
  readonly userExists: PreparedQuery<
    { team: Uint8Array; user: Uint8Array },
    { user_id: Uint8Array }
  >;
  readonly users: PreparedQuery<{ team: Uint8Array; offset: number; limit: number }, ListedUser>;
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

/** Fixed, so that the statement's text never changes. */
export const sourcesAtOnce = 8;

export function storeQueries({ db, prepare }: StoreEngine): StoreQueries {
  /** The body with a key, whose columns are by slot; of several, the newest. */
  const body = <Values extends { readonly team: Uint8Array }>(
    table: 'users' | 'insurances' | 'user_infos' | 'lab_results' | 'orders',
    columns: Readonly<Record<Exclude<keyof Values, 'team'> & string, string>>,
    which: 'only' | 'newest' = 'only',
  ): PreparedQuery<Values, Body> =>
    new PreparedQuery(prepare, (slot) => {
      let found = db
        .selectFrom(table as 'users')
        .select(['user_id', 'body'])
        .where('team_id', '=', slot('team'));
      for (const [name, column] of Object.entries<string>(columns)) {
        found = found.where(sql.ref(column), '=', slot(name as keyof Values));
      }
      return found.$if(which === 'newest', (all) =>
        all.orderBy(sql.ref('recorded_us'), 'desc').limit(sql.lit(1)),
      );
    });
  return {
    userByClientId: body('users', { clientUserId: 'client_user_id' }),
    userExists: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('users')
        .select('user_id')
        .where('team_id', '=', slot('team'))
        .where('user_id', '=', slot('user')),
    ),
    users: new PreparedQuery(prepare, (slot): Compilable<ListedUser> => {
      const kept = db.selectFrom('user_totals').select('total').where('team_id', '=', slot('team'));
      const page = usersInOrder(db, slot('team'), slot('offset'), slot('limit'));
      // One statement, so that page and total are of one moment.
      return db
        .selectNoFrom((select) => select.fn.coalesce(kept, sql<number>`0`).as('total'))
        .$call((total) => db.selectFrom(total.as('counted')))
        .leftJoin(page.as('page'), (join) => join.onTrue())
        .select(['counted.total', 'page.user_id', 'page.body'])
        .orderBy('page.created_us')
        .orderBy('page.user_id');
    }),
    latestInsurance: body('insurances', { user: 'user_id', isPrimary: 'is_primary' }, 'newest'),
    userInfo: body('user_infos', { user: 'user_id' }, 'newest'),
    labResult: body('lab_results', { order: 'order_id' }),
    order: body('orders', { order: 'order_id' }),
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

/** Unused slots repeat the last source. */
export function sourceSlots(keys: readonly SourceKey[]): SourceSlots {
  const slots: SourceSlots = {};
  for (let n = 0; n < sourcesAtOnce; n += 1) {
    const { provider = '', type = '' } = keys[n] ?? keys.at(-1) ?? {};
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

export type PointRow = Omit<StoreSchema['mindfulness_minutes'], 'team_id' | 'user_id'>;

/** Conditions that change a statement's text. */
export interface PointsParts {
  readonly ofProvider: boolean;
  readonly isBehind: boolean;
}

export function byParts<T>(make: (parts: PointsParts) => T): (query: PointsQuery<PointKey>) => T {
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

/** SQLite re-prepares `limit ?` for each value; an expression avoids it. */
function computed(count: number): RawBuilder<number> {
  return sql<number>`cast(${count} as bigint)`;
}
