import type { Kysely } from 'kysely';
import type { StoredHistory } from '../../health-data.ts';
import { uuidText, type StoreSchema } from '../schema.ts';

const MOST_OTHERS = 60;

export async function readOrderHistory(
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  order: Uint8Array,
): Promise<StoredHistory | undefined> {
  const own = await db
    .selectFrom('lab_results')
    .select(['user_id', 'body'])
    .where('team_id', '=', team)
    .where('order_id', '=', order)
    .executeTakeFirst();
  if (own === undefined) {
    return undefined;
  }
  const others = await db
    .selectFrom('orders')
    .innerJoin('lab_results', (join) =>
      join
        .onRef('lab_results.team_id', '=', 'orders.team_id')
        .onRef('lab_results.order_id', '=', 'orders.order_id'),
    )
    .select(['lab_results.order_id', 'lab_results.body'])
    .where('orders.team_id', '=', team)
    .where('orders.user_id', '=', own.user_id)
    .where('orders.order_id', '!=', order)
    .orderBy('orders.created_us', 'desc')
    .limit(MOST_OTHERS)
    .execute();
  const replaced = await db
    .selectFrom('lab_result_versions')
    .select(['replaced_us', 'body'])
    .where('team_id', '=', team)
    .where('order_id', '=', order)
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    body: own.body,
    userId: uuidText(own.user_id),
    others: others.map(({ order_id, body }) => ({ orderId: uuidText(order_id), body })),
    replaced: replaced && { atUs: replaced.replaced_us, body: replaced.body },
  };
}
