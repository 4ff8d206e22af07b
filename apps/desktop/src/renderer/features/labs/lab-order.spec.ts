import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { LabOrderResult, Order, OrderHistory } from '@caregate/domain';
import type { Problem } from '../../../shared/problem.ts';
import { toRead } from '../../api/read.ts';
import type { Read } from '../../api/read.ts';
import { ServiceProblem } from '../../api/service-call.ts';
import { renderMarkup, extractText } from '../../ui/render.testing.ts';
import { checkIdentity } from './identity/identity-check.ts';
import { gateOf } from './identity/identity-gate.testing.ts';
import { LabAnswer } from './lab-order.tsx';

const range = { min_range_value: 134, max_range_value: 144 };
const sodium = { name: 'Sodium', slug: 'sodium', result: '171', value: 171, ...range };
const result: LabOrderResult = {
  metadata: { patient: 'Ada Muster', dob: '07/03/1985', status: 'amended' },
  results: [
    sodium,
    { name: 'Culture', slug: 'culture', result: 'No growth', type: 'comment' },
    { name: 'Screen', slug: 'screen', result: 'NEGATIVE', interpretation: 'normal' },
    { name: 'Iron', slug: 'iron', result: '5', interpretation: 'odd' },
    { ...sodium, name: 'Zinc', result: '140', value: 140, is_below_min_range: true },
  ],
  missing_results: [
    { name: 'Ferritin', slug: 'ferritin', inferred_failure_type: 'insufficient_volume' },
  ],
};
const data = { value: result, receivedAt: '2026-05-02T14:02:00Z' };
const gate = gateOf(checkIdentity({ result, birthDates: ['1985-07-03'] }));
const nothing = (): void => undefined;

function read<T>(state: Partial<Parameters<typeof toRead<T>>[0]>): Read<T> {
  const given = { data: undefined, error: null, isFetching: false, ...state };
  return { ...toRead<T>(given), refetch: nothing, cancel: nothing };
}

type Props = Parameters<typeof LabAnswer>[0];

function markup(
  state: Parameters<typeof read<LabOrderResult>>[0],
  props: Partial<Props> = {},
  isMasked = false,
): string {
  const element = createElement(LabAnswer, {
    ...{ orderId: 'order-1', read: read(state), gate, order: undefined },
    ...props,
  });
  return renderMarkup(element, 'en', { isMasked });
}
const show = (...parts: Parameters<typeof markup>): string => extractText(markup(...parts));
const failed = (problem: Problem) => ({ error: new ServiceProblem(problem) });

describe('a lab result', () => {
  const shown = show({ data });

  it.each([
    'Not recognized',
    '“odd”',
    'Flag conflict',
    'Insufficient volume',
    "Until you confirm it, this report can't be printed or copied.",
    "Unrecognized status “amended”. Don't treat the report as final.",
    'Check who this report is about',
    'Day and month look swapped.',
    '03/07/1985',
    '07/03/1985',
  ])('shows “%s”', (expected) => {
    expect(shown.split('\n').map((line) => line.trim())).toContain(expected);
  });

  it('has missing results first, then abnormal ones', () => {
    const places = ['Ferritin', 'Sodium', 'Iron', 'Zinc', 'Culture'].map((name) =>
      shown.indexOf(name),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(shown).not.toMatch(/in range/iu);
  });

  it('flags a previous value by its own range, and says what it was before a correction', () => {
    const measured = { ...sodium, result: '120', value: 120 };
    const earlier = [
      { order_id: 'order-0', date: '2026-01-10', measured, replaced: { ...sodium, result: '99' } },
    ];
    const history: OrderHistory = {
      order_id: 'order-1',
      biomarkers: [{ place: 0, name: 'Sodium', slug: 'sodium', earlier }],
      left_out: 0,
    };
    const screen = show({ data }, { history: read({ data: { ...data, value: history } }) });
    expect(screen.replaceAll(/[\u2066-\u2069]/gu, '')).toMatch(
      /171[\s\S]*High[\s\S]*120\s+Low\s+Corrected,\s+was 99\s+01\/10\/2026/u,
    );
  });

  it.each([
    ['timeout', 'Previous values could not be read.'],
    ['forbidden', "Your role can't see previous values."],
    ['notOffered', 'This service has no previous values.'],
  ] as const)('says that it has no previous values: %s', (kind, sentence) => {
    const screen = show({ data }, { history: read(failed({ kind })) });
    expect(screen).toContain(sentence);
    expect(screen).toContain('Sodium');
  });

  it.each(['corrected', 'partial', 'cancelled'])('is %s and not final', (status) => {
    const order = { id: 'order-1', created_at: '', updated_at: '', low_level_status: status };
    const value = {
      ...{ ...result, metadata: { status: 'final' } },
      order_transaction: { id: 't', status: 'active', orders: [order] },
    };
    const screen = show({ data: { ...data, value } });
    expect(screen).toMatch(new RegExp(`^\\s*${status}\\s*$`, 'imu'));
    expect(screen).not.toMatch(/^Final$/mu);
  });

  it('hides name and birth dates under the mask', () => {
    expect(show({ data }, {}, true)).not.toMatch(/Ada Muster|1985/u);
  });
});

describe('the answer about a lab order', () => {
  it('shows nothing of a report that the role may no longer see, and names the roles that may', () => {
    const text = show({ data, ...failed({ kind: 'forbidden', operation: 'labOrderResult' }) });
    expect(text).toContain('Front desk, Clinician');
    expect(text).not.toContain('Sodium');
  });

  it('keeps a report that was read, with its time, while the service is offline', () => {
    const text = show({ data, ...failed({ kind: 'offline' }) });
    expect(text).toMatch(/can't be reached[\s\S]*As of 2:02 PM[\s\S]*Sodium/u);
  });

  it('can be asked for again after it was cancelled', () => {
    expect(show({})).toMatch(/Cancelled\.[\s\S]*Try again/u);
  });

  it('names the order that was not found', () => {
    expect(show(failed({ kind: 'notFound' }))).toContain('No result for the order “order-1”');
  });

  it.each([
    ['received.walk_in_test.ordered', 'The sample has not been collected yet.'],
    ['collecting_sample.testkit.with_customer', 'The sample is being collected.'],
    ['collecting_sample.testkit.transit_lab', 'on its way to the laboratory'],
    ['sample_with_lab', 'has the sample'],
    ['completed.walk_in_test.completed', 'has not arrived here yet'],
    [
      'sample_with_lab.testkit.lab_processing_blocked',
      'Call the laboratory',
      '“lab_processing_blocked”',
    ],
    ['sample_with_lab.testkit.sent_by_balloon', 'No result has arrived yet', '“sent_by_balloon”'],
    [undefined, 'No result has arrived yet'],
    ['cancelled.testkit.cancelled', 'There will be no result.', 'Cancelled'],
    ['failed.testkit.lost', 'There will be no result.', 'Failed'],
  ])('says where an order without a result is: %s', (orderStatus, sentence, also = 'Check now') => {
    const problem: Problem = {
      ...{ kind: 'notFound', missing: 'result', requestId: 'request-7' },
      ...(orderStatus !== undefined && { orderStatus }),
    };
    const html = markup(failed(problem));
    for (const part of [sentence, also, 'Check now']) expect(extractText(html)).toContain(part);
    expect(html).not.toMatch(/role="alert"|request-7|Try again/u);
  });

  it('has the day of an order without a result, its physician, its tests and its number', () => {
    const order = {
      ...{ id: 'order-1', team_id: 't', user_id: 'u', created_at: '2026-05-01T08:00:00Z' },
      physician: { first_name: 'Philippa', last_name: 'Quartermaine' },
      lab_test: { name: 'Ferritin' },
    } as Order;
    const orderStatus = 'collecting_sample.walk_in_test.draw_completed';
    const screen = show(failed({ kind: 'notFound', missing: 'result', orderStatus }), { order });
    expect(screen).toMatch(
      /Ordered\s+05\/01\/2026, 8:00 AM\s+Ordered by\s+Philippa Quartermaine\s+Tests\s+Ferritin\s+Order number\s+order-1/u,
    );
  });
});
