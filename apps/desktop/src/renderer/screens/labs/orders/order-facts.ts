import { LOW_LEVEL_STATUSES, ORDER_STATUSES } from '@caregate/domain';
import type { Order } from '@caregate/domain';
import { isSameId } from '../report-status/report-status.ts';

/** `none` if nothing is known. */
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
  const kind = kinds.find(([, statuses]) => statuses.has(detailed))?.[0];
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
  const course = [words.at(-1), words[0]].flatMap((word) =>
    courses.filter(([, own]) => own.includes(word ?? '')),
  )[0];
  return course?.[0] ?? 'ordered';
}

const courses: readonly (readonly [Course, readonly string[]])[] = [
  ['done', ['completed', 'corrected', 'partial_results', 'partial']],
  [
    'heldUp',
    [
      ...['lab_processing_blocked', 'problem_in_transit_lab', 'problem_in_transit_customer'],
      ...['appointment_cancelled', 'redraw_available'],
    ],
  ],
  ['laboratory', ['sample_with_lab', 'delivered_to_lab']],
  ['collected', ['transit_lab', 'draw_completed']],
  [
    'collecting',
    [
      ...['collecting_sample', 'transit_customer', 'out_for_delivery', 'with_customer'],
      ...['appointment_scheduled', 'appointment_pending'],
    ],
  ],
];

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

function hasResults(order: Placed & Reported): boolean {
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

const kinds = [
  ['corrected', new Set(['corrected'])],
  ['partial', new Set(['partial', 'partial_results'])],
  ['cancelled', new Set(['cancelled', 'do_not_process'])],
  ['final', new Set(['completed'])],
  [
    'failed',
    new Set([
      'lost',
      'sample_error',
      'failure_to_deliver_to_lab',
      'failure_to_deliver_to_customer',
      'failed',
    ]),
  ],
] as const satisfies readonly (readonly [OrderState['kind'], ReadonlySet<string>])[];
