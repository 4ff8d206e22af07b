import { sql, type Compilable, type Kysely } from 'kysely';
import { PreparedQuery, type Prepare } from '../../../database/prepared-query.ts';
import type { JoinPoints } from '../joined-points.ts';
import type { StoreSchema } from '../schema.ts';
import { byParts, pointsInOrder, pointsSlots, type PointsSlots } from '../store-queries.ts';

interface Joined {
  readonly sources: number;
  readonly provider: string;
  readonly type: string;
  readonly source: string;
  readonly bodies: string | null;
  readonly count: number;
  /** Of the last point of a full page. */
  readonly start_us: number | null;
  readonly end_us: number | null;
  readonly more: boolean | null;
}

/** One statement: a row for each of a thousand points takes eight times as long. As on SQLite, only for one source. */
export function joinPointsOnPostgres(db: Kysely<StoreSchema>, prepare: Prepare): JoinPoints {
  const statementFor = byParts(
    (parts) =>
      new PreparedQuery<PointsSlots, Joined>(prepare, (slot): Compilable<Joined> => {
        const sources = db
          .selectFrom('mindfulness_sources')
          .select(['provider', 'type', 'body'])
          .where('team_id', '=', slot('team'))
          .where('user_id', '=', slot('user'))
          .$if(parts.ofProvider, (query) => query.where('provider', '=', slot('provider')))
          .limit(sql.lit(2));
        const page = pointsInOrder(db, slot, parts)
          .select(['start_us', 'end_us', 'body'])
          .where(sql<boolean>`source.sources = 1`);
        const behind = db
          .selectFrom('mindfulness_minutes')
          .select('start_us')
          .where('team_id', '=', slot('team'))
          .where('user_id', '=', slot('user'))
          .where('start_us', '<=', slot('untilUs'))
          .where(
            sql<boolean>`(start_us, provider, type, end_us) > (page.start_us, source.provider, source.type, page.end_us)`,
          )
          .$if(parts.ofProvider, (query) => query.where('provider', '=', slot('provider')));
        // Relies on the order of the subquery: sorting in the aggregate takes longer than the rest.
        const statement = sql<Joined>`
          select source.*, page.*, exists (${behind}) as more
          from (
            select count(*) as sources, min(provider) as provider, min(type) as type, min(body) as source
            from (${sources}) as few
          ) as source left join lateral (
            select string_agg(body, ',') as bodies, count(*) as count,
              (array_agg(start_us))[${slot('limit')}] as start_us, (array_agg(end_us))[${slot('limit')}] as end_us
            from (${page}) as points
          ) as page on true`;
        return { compile: () => statement.compile(db) };
      }),
  );
  return async (team, user, query) => {
    const found = await statementFor(query).first(pointsSlots(team, user, query));
    if (found === undefined || found.bodies === null) {
      return undefined;
    }
    const { provider, type, source, bodies, count, start_us: startUs, end_us: endUs } = found;
    const isFull = found.more === true && startUs !== null && endUs !== null;
    return {
      ...{ provider, type, bodies, count },
      source: { provider, type, body: source },
      last: isFull ? { startUs, provider, type, endUs } : undefined,
    };
  };
}
