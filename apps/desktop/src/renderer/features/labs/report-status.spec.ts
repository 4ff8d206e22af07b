import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { LOW_LEVEL_STATUSES } from '@caregate/domain';
import type { LabOrderResult, OrderTransactionOrder } from '@caregate/domain';
import { findNotices } from './report-status.tsx';
import type { ReportNotice } from './report-status.tsx';

const maybe = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 4, arbitrary: some }, fc.constantFrom(null, undefined));
const unknownWord = fc.constantFrom('amended', 'Final', 'CORRECTED', '', 'dispatched_by_balloon');
const status = maybe(
  fc.oneof(fc.constantFrom(...LOW_LEVEL_STATUSES, 'final', 'partial', 'active'), unknownWord),
);
const moments = ['2026-05-01T08:00:00Z', '2026-05-02T08:00:00Z', '2026-05-02T10:00:00+02:00'];
const moment = fc.constantFrom(...moments, '2026-05-03T08:00:00Z', 'some day');
const ids = ['order-a', 'order-b', 'order-c', 'ORDER-A'];
const order = fc.record({
  id: fc.constantFrom(...ids),
  created_at: moment,
  updated_at: moment,
  low_level_status: status,
  origin: maybe(fc.constantFrom('initial', 'redraw', 'recreation', 'odd')),
}) as fc.Arbitrary<OrderTransactionOrder>;
const report = fc.record({
  metadata: fc.record({ status }),
  results: fc.constant([]),
  order_transaction: maybe(
    fc.record({ id: fc.constant('t'), status, orders: fc.array(order, { maxLength: 4 }) }),
  ),
}) as unknown as fc.Arbitrary<LabOrderResult>;

const orderId = 'order-a';
const kindsOf = (of: LabOrderResult): string[] => findNotices(of, orderId).map(({ kind }) => kind);
const ordersOf = (of: LabOrderResult): readonly OrderTransactionOrder[] =>
  of.order_transaction?.orders ?? [];
const statusesOf = (of: LabOrderResult): unknown[] => [
  of.metadata.status,
  of.order_transaction?.status,
  ...ordersOf(of).map((one) => one.low_level_status),
];

describe('the status of 1,000 generated reports', () => {
  const runs = { numRuns: 1000 };

  it('reports each corrected, cancelled and partial status, wherever it is', () => {
    fc.assert(
      fc.property(report, (of) => {
        const kinds = kindsOf(of);
        const statuses = statusesOf(of);
        expect(kinds.includes('corrected')).toBe(statuses.includes('corrected'));
        expect(kinds.includes('cancelled')).toBe(statuses.includes('cancelled'));
        expect(kinds.includes('partial')).toBe(
          statuses.includes('partial') || statuses.includes('partial_results'),
        );
      }),
      runs,
    );
  });

  it('reports every unknown status unchanged', () => {
    fc.assert(
      fc.property(report, (of) => {
        const known: unknown[] = [...LOW_LEVEL_STATUSES, 'partial', null, undefined];
        const unknown = ordersOf(of)
          .map((one) => one.low_level_status)
          .filter((word) => !known.includes(word));
        const words = findNotices(of, orderId).flatMap((one) =>
          one.kind === 'unrecognised' ? one.words : [],
        );
        for (const word of unknown) expect(words).toContain(word);
      }),
      runs,
    );
  });
});

const day = (number: number): string => `2026-05-0${String(number)}T08:00:00Z`;
const orderOf = (
  id: string,
  created: string,
  origin: string | null,
  more: Partial<OrderTransactionOrder> = {},
): OrderTransactionOrder => ({
  ...{ id, created_at: created, updated_at: created, origin, low_level_status: 'completed' },
  ...more,
});
const noticesOf = (...orders: OrderTransactionOrder[]): readonly ReportNotice[] =>
  findNotices(
    { metadata: { status: 'final' }, order_transaction: { id: 't', status: 'completed', orders } },
    orderId,
  );

const own = orderOf(orderId, day(1), 'initial');
const [second, third] = [
  orderOf('order-b', day(2), 'redraw'),
  orderOf('order-c', day(3), 'recreation'),
];
const redrawn = orderOf(orderId, day(2), 'redraw');
const first = (more: Partial<OrderTransactionOrder> = {}): OrderTransactionOrder =>
  orderOf('order-b', day(1), 'initial', more);
const atOnce = orderOf('order-b', day(1), 'redraw');
const undated = orderOf('order-b', 'some day', 'redraw');
const unknown = (why: 'dates' | 'unnamed'): ReportNotice => ({ kind: 'latestUnknown', why });

describe('a final report', () => {
  it.each<[string, OrderTransactionOrder[], ReportNotice[]]>([
    ['of the only order', [orderOf('ORDER-A', day(1), 'initial')], []],
    ['without orders', [], []],
    ['of a redraw, after the finished first order', [first(), redrawn], []],
    [
      'replaced by the last of the later orders',
      [third, own, second],
      [{ kind: 'replaced', by: third }],
    ],
    [
      'of a first order, and a redraw of the same time',
      [own, atOnce],
      [{ kind: 'replaced', by: atOnce }],
    ],
    [
      'of a first order, and a redraw of no time',
      [own, undated],
      [{ kind: 'replaced', by: undated }],
    ],
    ['after an earlier order that changed later', [first({ updated_at: day(9) }), redrawn], []],
    [
      'of two made at the same time',
      [atOnce, orderOf(orderId, day(1), 'redraw')],
      [unknown('dates')],
    ],
    [
      'of a first order after its redraw',
      [atOnce, orderOf(orderId, day(2), 'initial')],
      [unknown('dates')],
    ],
    [
      'beside one of no date and origin',
      [orderOf('order-b', 'some day', null), own],
      [unknown('dates')],
    ],
    ['of an order that its transaction does not name', [first()], [unknown('unnamed')]],
    [
      'beside the correction of another',
      [first({ low_level_status: 'corrected' }), redrawn],
      [{ kind: 'corrected', source: 'other' }],
    ],
  ])('%s', (_name, orders, notices) => {
    expect(noticesOf(...orders)).toEqual(notices);
  });
});
