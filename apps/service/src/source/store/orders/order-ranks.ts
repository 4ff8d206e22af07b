import type { OrdersQuery } from '../../health-data-source.ts';
import type { ImportDatabase } from '../import-database.ts';

/** What each list of orders is sorted by, before creation and id. */
export const SORT_COLUMNS = {
  created_at: 'created_us',
  patient_name: 'patient_key',
  last_status: 'low_level_status',
} as const satisfies Readonly<Record<OrdersQuery['key'], string>>;

/** To skip more would take as long as the page itself. */
export const orderRankStep = 64;

/** Counts a team's orders and rebuilds `order_ranks`, in the transaction that changed them: any may have moved in any list. */
export async function rankOrders(db: Pick<ImportDatabase, 'run'>, team: Uint8Array): Promise<void> {
  await db.run('delete from order_totals where team_id = $1', [team]);
  await db.run(
    `insert into order_totals (team_id, total)
      select $1, count(*) from orders where team_id = $1`,
    [team],
  );
  await db.run('delete from order_ranks where team_id = $1', [team]);
  for (const [key, column] of Object.entries(SORT_COLUMNS)) {
    const text = key === 'created_at' ? `''` : column;
    await db.run(
      `insert into order_ranks (team_id, list, position, sort_key, created_us, order_id)
        select $1, $2, place, sort_key, created_us, order_id from (
          select ${text} as sort_key, created_us, order_id,
            row_number() over (order by ${column}, created_us, order_id) - 1 as place
          from orders where team_id = $1
        ) as placed where place > 0 and place % ${orderRankStep} = 0`,
      [team, key],
    );
  }
}

export interface PageStart {
  readonly position: number | undefined;
  readonly skip: number;
}

/** Undefined: past the end. */
export function pageStart(
  { direction, page, size }: Pick<OrdersQuery, 'direction' | 'page' | 'size'>,
  total: number,
): PageStart | undefined {
  const offset = (page - 1) * size;
  if (offset >= total) {
    return undefined;
  }
  if (direction === 'asc') {
    const skip = offset % orderRankStep;
    return { skip, position: offset === skip ? undefined : offset - skip };
  }
  const place = total - 1 - offset;
  const above = Math.ceil(place / orderRankStep) * orderRankStep;
  return above < total && above > 0
    ? { position: above, skip: above - place }
    : { position: undefined, skip: offset };
}
