import type { Kysely } from 'kysely';
import type { StoredHistory } from '../../health-data.ts';
import { formatUuid, type StoreSchema } from '../schema.ts';

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
  // In ascending order, so that the last version of each order stays in the map.
  const versions = await db
    .selectFrom('lab_result_versions')
    .select(['order_id', 'replaced_us', 'body'])
    .where('team_id', '=', team)
    .where('order_id', 'in', [order, ...others.map(({ order_id }) => order_id)])
    .orderBy('version')
    .execute();
  const replaced = new Map(
    versions.map(({ order_id, replaced_us, body }) => [
      formatUuid(order_id),
      { atUs: replaced_us, body },
    ]),
  );
  return {
    body: own.body,
    userId: formatUuid(own.user_id),
    others: others.map(({ order_id, body }) => {
      const orderId = formatUuid(order_id);
      return { orderId, body, replaced: replaced.get(orderId)?.body };
    }),
    replaced: replaced.get(formatUuid(order)),
  };
}
