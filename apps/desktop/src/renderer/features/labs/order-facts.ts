import { LOW_LEVEL_STATUSES, ORDER_STATUSES } from '@caregate/domain';
import type { Order } from '@caregate/domain';

export const isSameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export type OrderState =
  | {
      readonly kind:
        | 'final'
        | 'corrected'
        | 'partial'
        | 'awaited'
        | 'cancelled'
        | 'failed'
        | 'none';
    }
  | { readonly kind: 'unknown'; readonly word: string };

type Placed = Pick<Order, 'id' | 'status' | 'last_event' | 'order_transaction'>;

/** An unknown status always wins over a known one. */
export function orderStateOf(order: Placed): OrderState {
  const detailed = detailedStatusOf(order);
  const word = [detailed, order.status ?? ''].find((one) => one !== '' && !known.has(one));
  if (word !== undefined) return { kind: 'unknown', word };
  const kind = kinds.get(detailed);
  if (kind !== undefined) return { kind };
  const short = order.status ?? '';
  if (short === 'cancelled') return { kind: 'cancelled' };
  if (short === 'failed') return { kind: 'failed' };
  if (detailed === '' && short === 'completed') return { kind: 'final' };
  return { kind: detailed === '' && short === '' ? 'none' : 'awaited' };
}

export type Course = 'ordered' | 'collecting' | 'collected' | 'laboratory' | 'done' | 'heldUp';

/** @param status of an order that `orderStateOf` knows, such as `received.walk_in_test.ordered` */
export function courseOf(status: string): Course {
  const words = status.split('.');
  return courses.get(words.at(-1)) ?? courses.get(words[0]) ?? 'ordered';
}

const courses = new Map<string | undefined, Course>([
  ['completed', 'done'],
  ['corrected', 'done'],
  ['partial', 'done'],
  ['partial_results', 'done'],
  ['lab_processing_blocked', 'heldUp'],
  ['problem_in_transit_lab', 'heldUp'],
  ['problem_in_transit_customer', 'heldUp'],
  ['appointment_cancelled', 'heldUp'],
  ['redraw_available', 'heldUp'],
  ['sample_with_lab', 'laboratory'],
  ['delivered_to_lab', 'laboratory'],
  ['transit_lab', 'collected'],
  ['draw_completed', 'collected'],
  ['collecting_sample', 'collecting'],
  ['transit_customer', 'collecting'],
  ['out_for_delivery', 'collecting'],
  ['with_customer', 'collecting'],
  ['appointment_scheduled', 'collecting'],
  ['appointment_pending', 'collecting'],
]);

function detailedStatusOf({
  id,
  last_event: last,
  order_transaction: transaction,
}: Placed): string {
  const own = transaction?.orders.find((one) => isSameId(one.id, id));
  return last?.status.split('.').at(-1) ?? own?.low_level_status ?? '';
}

/** `orders` are newest first. */
export function latestWithResults<O extends Placed & Reported>(
  orders: readonly O[],
): O | undefined {
  return orders.find(hasResults);
}

type Reported = Pick<Order, 'interpretation' | 'has_missing_results'>;

export function hasResults(order: Placed & Reported): boolean {
  const { interpretation, has_missing_results: missing } = order;
  const said = (interpretation ?? '') !== '' || typeof missing === 'boolean';
  return said || ['final', 'corrected', 'partial'].includes(orderStateOf(order).kind);
}

/** Ids that occur more than once, in lower case. */
export function sharedIds(orders: readonly Pick<Order, 'id'>[]): ReadonlySet<string> {
  const ids = orders.map(({ id }) => id.toLowerCase());
  return new Set(ids.filter((id, place) => ids.indexOf(id) !== place));
}

const known: ReadonlySet<string> = new Set<string>([
  ...LOW_LEVEL_STATUSES,
  ...ORDER_STATUSES,
  'partial',
]);

const kinds = new Map<string, Exclude<OrderState['kind'], 'unknown'>>([
  ['completed', 'final'],
  ['corrected', 'corrected'],
  ['partial', 'partial'],
  ['partial_results', 'partial'],
  ['cancelled', 'cancelled'],
  ['do_not_process', 'cancelled'],
  ['failed', 'failed'],
  ['lost', 'failed'],
  ['sample_error', 'failed'],
  ['failure_to_deliver_to_lab', 'failed'],
  ['failure_to_deliver_to_customer', 'failed'],
]);
