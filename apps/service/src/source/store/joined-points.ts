import { sql, type Compilable, type Kysely } from 'kysely';
import { PreparedQuery } from '../../database/prepared-query.ts';
import type { PrepareAtOnce, StatementAtOnce } from '../../database/sqlite/node-sqlite-database.ts';
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

/** A page whose points are all of one source. */
interface JoinedPoints extends SourceKey {
  /** JSON texts of the points with commas between them. */
  readonly bodies: string;
  readonly count: number;
  /** The last point, if more follow. */
  readonly last: PointKey | undefined;
  /** JSON text of the source, where it is the only one of the user; otherwise to be looked up. */
  readonly source: SourceRow | undefined;
}

/** Reads a page that the database joins; `undefined` if it is empty, or has points of several sources. */
export type JoinPoints = (
  team: Uint8Array,
  user: Uint8Array,
  query: PointsQuery<PointKey>,
) => JoinedPoints | undefined;

interface Joined {
  /** `null` on an empty page. */
  readonly bodies: string | null;
  readonly count: number;
  /** How many are of the asked source. */
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
  readonly joined: Query<PointsSlots & { asked: string; kind: string }, Joined>;
  readonly ends: Query<PointsSlots & { skip: number }, Last>;
}

/**
 * Joins pages in SQLite: with an object for each of a thousand points, a page takes eight times as long. Most people have
 * points of one source; where there are more, the page is read row by row instead.
 *
 * @param snapshot runs reads in one transaction
 */
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
      // One more than the limit shows whether there is another page.
      const limit = query.limit + 1;
      // Every point has its source there, so that of a person with one source no point is asked for its own.
      const [source, other] = statements.sources.rows({ ...slots, limit: 2 });
      const only = other === undefined ? source : undefined;
      const key = only ?? statements.first.first({ ...slots, limit: 1 });
      if (key === undefined) {
        return undefined;
      }
      const { provider, type } = key;
      const found =
        only === undefined
          ? statements.joined.first({ ...slots, limit, asked: provider, kind: type })
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
        .select((every) => [
          joined.as('bodies'),
          every.fn.countAll<number>().as('count'),
          every.fn.countAll<number>().as('same'),
        ]);
    }),
    first: new PreparedQuery(prepare, (slot) =>
      pointsInOrder(db, slot, parts).select(['provider', 'type']),
    ),
    joined: new PreparedQuery(prepare, (slot): Compilable<Joined> => {
      const isSame = sql<number>`provider = ${slot('asked')} and type = ${slot('kind')}`;
      const page = pointsInOrder(db, slot, parts).select(['body', isSame.as('same')]);
      return db
        .selectFrom(page.as('page'))
        .select((every) => [
          joined.as('bodies'),
          every.fn.countAll<number>().as('count'),
          every.fn.sum<number>('same').as('same'),
        ]);
    }),
    ends: new PreparedQuery(prepare, (slot) =>
      pointsInOrder(db, slot, parts)
        .select(['start_us', 'provider', 'type', 'end_us', 'body'])
        .offset(sql<number>`(${slot('skip')} + 0)`),
    ),
  };
}
