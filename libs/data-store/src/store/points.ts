import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { PointKey, PointsQuery } from '../health-data-source.ts';
import type { StoreSchema } from './schema.ts';

/** The points of a page, in the order of its cursor. */
export function pointsInOrder(
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  user: Uint8Array,
  { fromUs, untilUs, provider = '', after, limit }: PointsQuery<PointKey>,
): SelectQueryBuilder<StoreSchema, 'mindfulness_minutes', object> {
  let query = db
    .selectFrom('mindfulness_minutes')
    .where('team_id', '=', team)
    .where('user_id', '=', user)
    .where('start_us', '>=', Math.max(fromUs, after?.startUs ?? fromUs));
  if (untilUs !== undefined) {
    query = query.where('start_us', '<=', untilUs);
  }
  if (provider !== '') {
    query = query.where('provider', '=', provider);
  }
  if (after !== undefined) {
    query = query.where((of) =>
      of(
        of.refTuple('start_us', 'provider', 'type', 'end_us'),
        '>',
        of.tuple(after.startUs, after.provider, after.type, after.endUs),
      ),
    );
  }
  return query
    .orderBy('start_us')
    .orderBy('provider')
    .orderBy('type')
    .orderBy('end_us')
    .limit(rowCount(limit));
}

/** SQLite prepares `limit ?` again for each execution. An expression avoids that: a list of 100 takes 330 us instead of 380 us. */
export function rowCount(count: number): RawBuilder<number> {
  return sql<number>`cast(${count} as bigint)`;
}

export function pointKey(row: {
  readonly start_us: number;
  readonly provider: string;
  readonly type: string;
  readonly end_us: number;
}): PointKey {
  return { startUs: row.start_us, provider: row.provider, type: row.type, endUs: row.end_us };
}
