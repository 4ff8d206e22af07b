import { sql, type Compilable, type Kysely } from 'kysely';
import { PreparedQuery } from '../../database/prepared-query.ts';
import type { PrepareAtOnce, StatementAtOnce } from '../../database/sqlite/open-sqlite.ts';
import type { PointKey, PointsQuery } from '../health-data-source.ts';
import type { SourceKey, SourceRow } from './point-groups.ts';
import type { StoreSchema } from './schema.ts';
import {
  byParts,
  pointsInOrder,
  pointsSlots,
  type PointsParts,
  type PointsSlots,
} from './store-queries.ts';

interface JoinedPoints extends SourceKey {
  readonly bodies: string;
  readonly count: number;
  readonly last: PointKey | undefined;
  /** Set if the user has no other source. */
  readonly source: SourceRow | undefined;
}

/** `undefined` for an empty page, or one with several sources. */
export type JoinPoints = (
  team: Uint8Array,
  user: Uint8Array,
  query: PointsQuery<PointKey>,
) => JoinedPoints | undefined | Promise<JoinedPoints | undefined>;

interface Joined {
  readonly bodies: string | null;
  readonly count: number;
  /** Points of the first point's source. */
  readonly same: number;
}

interface Last {
  readonly start_us: number;
  readonly provider: string;
  readonly type: string;
  readonly end_us: number;
  readonly body: string;
}

type Query<Values, Row> = PreparedQuery<Values, Row, StatementAtOnce<Row>>;

interface Statements {
  readonly sources: Query<PointsSlots, SourceRow>;
  readonly only: Query<PointsSlots, Joined>;
  readonly first: Query<PointsSlots, SourceKey>;
  readonly joined: Query<PointsSlots & { firstProvider: string; firstType: string }, Joined>;
  readonly ends: Query<PointsSlots & { skip: number }, Last>;
}

/** On SQLite an object for each of a thousand points takes eight times as long. Only for one source, as most people have. */
export function joinPointsOnSqlite(
  db: Kysely<StoreSchema>,
  prepare: PrepareAtOnce,
  snapshot: <Result>(read: () => Result) => Result,
): JoinPoints {
  const statementsFor = byParts((parts) => statementsOf(db, prepare, parts));
  return (team, user, query) =>
    snapshot(() => {
      const statements = statementsFor(query);
      const slots = pointsSlots(team, user, query);
      // One more shows whether another page follows.
      const limit = query.limit + 1;
      // A single source needs no check of each point.
      const [source, other] = statements.sources.rows({ ...slots, limit: 2 });
      const only = other === undefined ? source : undefined;
      const key = only ?? statements.first.first({ ...slots, limit: 1 });
      if (key === undefined) {
        return undefined;
      }
      const { provider, type } = key;
      const found =
        only === undefined
          ? statements.joined.first({ ...slots, limit, firstProvider: provider, firstType: type })
          : statements.only.first({ ...slots, limit });
      if (found === undefined || found.bodies === null || found.same < found.count) {
        return undefined;
      }
      const page = { provider, type, source: only };
      if (found.count < limit) {
        return { ...page, bodies: found.bodies, count: found.count, last: undefined };
      }
      const [last, more] = statements.ends.rows({ ...slots, limit: 2, skip: query.limit - 1 });
      if (last === undefined || more === undefined) {
        return undefined;
      }
      return {
        ...page,
        bodies: found.bodies.slice(0, -1 - more.body.length),
        count: query.limit,
        last: pointKeyOf(last),
      };
    });
}

export function pointKeyOf(row: Omit<Last, 'body'>): PointKey {
  return { startUs: row.start_us, provider: row.provider, type: row.type, endUs: row.end_us };
}

function statementsOf(
  db: Kysely<StoreSchema>,
  prepare: PrepareAtOnce,
  parts: PointsParts,
): Statements {
  const joined = sql<string | null>`group_concat(body, ',')`;
  return {
    sources: new PreparedQuery(prepare, (slot) =>
      db
        .selectFrom('mindfulness_sources')
        .select(['provider', 'type', 'body'])
        .where('team_id', '=', slot('team'))
        .where('user_id', '=', slot('user'))
        .$if(parts.ofProvider, (query) => query.where('provider', '=', slot('provider')))
        .limit(sql<number>`(${slot('limit')} + 0)`),
    ),
    only: new PreparedQuery(prepare, (slot): Compilable<Joined> => {
      const page = pointsInOrder(db, slot, parts).select('body');
      return db
        .selectFrom(page.as('page'))
        .select((builder) => [
          joined.as('bodies'),
          builder.fn.countAll<number>().as('count'),
          builder.fn.countAll<number>().as('same'),
        ]);
    }),
    first: new PreparedQuery(prepare, (slot) =>
      pointsInOrder(db, slot, parts).select(['provider', 'type']),
    ),
    joined: new PreparedQuery(prepare, (slot): Compilable<Joined> => {
      const isSame = sql<number>`provider = ${slot('firstProvider')} and type = ${slot('firstType')}`;
      const page = pointsInOrder(db, slot, parts).select(['body', isSame.as('same')]);
      return db
        .selectFrom(page.as('page'))
        .select((builder) => [
          joined.as('bodies'),
          builder.fn.countAll<number>().as('count'),
          builder.fn.sum<number>('same').as('same'),
        ]);
    }),
    ends: new PreparedQuery(prepare, (slot) =>
      pointsInOrder(db, slot, parts)
        .select(['start_us', 'provider', 'type', 'end_us', 'body'])
        .offset(sql<number>`(${slot('skip')} + 0)`),
    ),
  };
}
