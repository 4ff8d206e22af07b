import { LOW_LEVEL_STATUSES, ORDER_STATUSES, type Order } from '@caregate/domain';

export const isSameId = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const ENDINGS = {
  final: ['completed'],
  corrected: ['corrected'],
  partial: ['partial', 'partial_results'],
  cancelled: ['cancelled', 'do_not_process'],
  failed: [
    ...['failed', 'lost', 'sample_error'],
    ...['failure_to_deliver_to_lab', 'failure_to_deliver_to_customer'],
  ],
} as const;

export type OrderState =
  | { readonly kind: keyof typeof ENDINGS | 'awaited' | 'none' }
  | { readonly kind: 'unknown'; readonly word: string };

type OrderStatusFields = Pick<Order, 'id' | 'status' | 'last_event' | 'order_transaction'>;

/** An unknown status takes precedence over a known one. */
export function readOrderState(order: OrderStatusFields): OrderState {
  const detailed = readDetailedStatus(order);
  const short = order.status ?? '';
  const word = [detailed, short].find((one) => one !== '' && !KNOWN_STATUSES.has(one));
  if (word !== undefined) return { kind: 'unknown', word };
  const kind = findKey(ENDINGS, detailed);
  if (kind !== undefined) return { kind };
  if (short === 'cancelled') return { kind: 'cancelled' };
  if (short === 'failed') return { kind: 'failed' };
  if (detailed === '' && short === 'completed') return { kind: 'final' };
  return { kind: detailed === '' && short === '' ? 'none' : 'awaited' };
}

const KNOWN_STATUSES = new Set<string>([...LOW_LEVEL_STATUSES, ...ORDER_STATUSES, 'partial']);

function readDetailedStatus(order: OrderStatusFields): string {
  const { id, last_event: last, order_transaction: transaction } = order;
  const ownOrder = transaction?.orders.find((one) => isSameId(one.id, id));
  return last?.status.split('.').at(-1) ?? ownOrder?.low_level_status ?? '';
}

const COURSES = {
  done: ['completed', 'corrected', 'partial', 'partial_results'],
  heldUp: [
    ...['lab_processing_blocked', 'problem_in_transit_lab', 'problem_in_transit_customer'],
    ...['appointment_cancelled', 'redraw_available'],
  ],
  laboratory: ['sample_with_lab', 'delivered_to_lab'],
  collected: ['transit_lab', 'draw_completed'],
  collecting: [
    ...['collecting_sample', 'transit_customer', 'out_for_delivery', 'with_customer'],
    ...['appointment_scheduled', 'appointment_pending'],
  ],
} as const;
export type Course = keyof typeof COURSES | 'ordered';

/** @param status a status that `readOrderState` knows, such as `received.walk_in_test.ordered` */
export function readCourse(status: string): Course {
  const words = status.split('.');
  return findKey(COURSES, words.at(-1)) ?? findKey(COURSES, words[0]) ?? 'ordered';
}

function findKey<Key extends string>(
  groups: Readonly<Record<Key, readonly string[]>>,
  word: string | undefined,
): Key | undefined {
  const keys = Object.keys(groups) as Key[];
  return keys.find((key) => word !== undefined && groups[key].includes(word));
}

type OrderReportFields = Pick<Order, 'interpretation' | 'has_missing_results'>;

/** `orders` are newest first. */
export function findLatestWithResults<O extends OrderStatusFields & OrderReportFields>(
  orders: readonly O[],
): O | undefined {
  return orders.find(hasResults);
}

export function hasResults(order: OrderStatusFields & OrderReportFields): boolean {
  const { interpretation, has_missing_results: missing } = order;
  const isRead = (interpretation ?? '') !== '' || typeof missing === 'boolean';
  return isRead || ['final', 'corrected', 'partial'].includes(readOrderState(order).kind);
}

/** Returns the IDs that occur more than once, in lower case. */
export function findSharedIds(orders: readonly Pick<Order, 'id'>[]): ReadonlySet<string> {
  const ids = orders.map(({ id }) => id.toLowerCase());
  return new Set(ids.filter((id, place) => ids.indexOf(id) !== place));
}
