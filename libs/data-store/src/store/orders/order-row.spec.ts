import { expect, it } from '@jest/globals';
import type { LabOrderResult, Order } from '@caregate/domain';
import { buildOrderRow } from './order-row.ts';

const [orderId, teamId, userId] = ['1', '2', '3'].map(
  (digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`,
) as [string, string, string];
const result: LabOrderResult = {
  metadata: { patient: 'Amara Okonkwo', status: 'partial', date_collected: '2026-01-14' },
  results: (['normal', 'critical', 'abnormal'] as const).map((interpretation, at) => ({
    ...{ name: `Test ${at}`, slug: `test-${at}`, result: '1', interpretation },
  })),
};
const own = { id: orderId, team_id: teamId, user_id: userId };
const orderOf = (imported: object | undefined, of: object = result): object =>
  JSON.parse(
    buildOrderRow(
      { orderId, teamId, userId },
      imported && JSON.stringify(imported),
      JSON.stringify(of),
    ).body,
  ) as Order;

it('an order that is known by its report has the step, the day and the worst of the results', () => {
  const derived = { ...own, patient_name: 'Amara Okonkwo', status: 'sample_with_lab' };
  const reported = {
    ...{ last_event: { status: 'partial_results' }, interpretation: 'critical' },
    collected_on: '2026-01-14',
  };
  expect(orderOf(undefined)).toEqual({ ...derived, ...reported });
  // Fields of the imported order take precedence.
  const lab_test = { name: 'Panel' };
  expect(orderOf({ ...own, lab_test })).toEqual({ ...derived, ...reported, lab_test });
  const event = { status: 'received.walk_in_test.ordered' };
  const created_at = '2026-01-02T09:00:00Z';
  expect(orderOf({ ...own, last_event: event, created_at })).toEqual({
    ...{ ...derived, interpretation: 'critical', last_event: event, created_at },
  });
  expect(orderOf({ ...own, status: 'completed' })).not.toHaveProperty('last_event');
});

it('a report that says how it is to be read is not read otherwise', () => {
  const metadata = { ...result.metadata, interpretation: 'normal' };
  expect(orderOf(undefined, { ...result, metadata })).toMatchObject({ interpretation: 'normal' });
  const nothing = { ...result, results: result.results.slice(0, 1) };
  expect(orderOf(undefined, nothing)).not.toHaveProperty('interpretation');
});
