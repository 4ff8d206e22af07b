import { userOf } from './fake-service.testing.ts';

const { user_id: userId, team_id: teamId } = userOf('MRN-1') as {
  readonly user_id: string;
  readonly team_id: string;
};

interface Listed {
  readonly id: string;
  /** An ISO 8601 time. */
  readonly created: string;
  /** The short and the detailed status. */
  readonly status: string;
  readonly event: string;
}

/** An order of the list; `more` overrides its members. */
export function orderOf(
  { id, created, status, event }: Listed,
  more: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    ...{ id, team_id: teamId, user_id: userId, created_at: created, updated_at: created, status },
    last_event: { id: 2, created_at: created, status: `${status}.walk_in_test.${event}` },
    lab_test: { name: 'Comp. Metabolic Panel (14)' },
    ...more,
  };
}

/** A page with these orders, newest first. */
export function listOf(orders: readonly unknown[]): object {
  return { orders, total: orders.length, page: 1, size: 50 };
}

export const awaitedOrderId = '8f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a14';
export const otherOrderId = '7f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a13';

/** One order in each state. The newest one with results has the given ID. */
export function ordersWith(orderId: string): readonly object[] {
  return [
    orderOf({
      id: awaitedOrderId,
      created: '2026-05-20T08:00:00Z',
      status: 'sample_with_lab',
      event: 'delivered_to_lab',
    }),
    orderOf(
      { id: orderId, created: '2026-05-01T08:00:00Z', status: 'completed', event: 'completed' },
      { interpretation: 'abnormal', has_missing_results: true },
    ),
    orderOf(
      {
        id: otherOrderId,
        created: '2026-01-10T08:00:00Z',
        status: 'sample_with_lab',
        event: 'partial_results',
      },
      { interpretation: 'normal', has_missing_results: true },
    ),
    orderOf({
      id: '9f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a15',
      created: '2025-09-19T08:00:00Z',
      status: 'completed',
      event: 'sent_by_balloon',
    }),
    orderOf({
      id: 'af2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a16',
      created: '2025-04-02T08:00:00Z',
      status: 'cancelled',
      event: 'cancelled',
    }),
  ];
}

/** Earlier values of the report's first two results. One earlier report is left out. */
export function historyOf(orderId: string, replaced: object | null = null): object {
  const earlier = (date: string, measured: object): object => ({
    ...{ order_id: otherOrderId, date, measured },
  });
  const sodium = { name: 'Sodium', slug: 'na', unit: 'mmol/L', max_range_value: 144 };
  const zinc = { name: 'Zinc', slug: 'zn', min_range_value: 9, max_range_value: 18 };
  return {
    order_id: orderId,
    biomarkers: [
      {
        ...{ place: 0, name: 'Sodium', slug: 'na', loinc: null, unit: 'mmol/L' },
        earlier: [
          earlier('2026-01-10', { ...sodium, result: '141', value: 141 }),
          earlier('2025-09-19', { ...sodium, result: '139', value: 139 }),
        ],
      },
      {
        ...{ place: 1, name: 'Zinc', slug: 'zn', loinc: null, unit: null },
        earlier: [earlier('2025-09-19', { ...zinc, result: '11', value: 11 })],
      },
    ],
    replaced: replaced && { replaced_at: '2026-05-04T09:30:00Z', result: replaced },
    left_out: 1,
  };
}
