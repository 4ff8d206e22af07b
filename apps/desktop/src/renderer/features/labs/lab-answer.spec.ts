import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { LabOrderResult, Order, OrderHistory } from '@caregate/domain';
import { markupOf, textOf } from '../../ui/render.testing.ts';
import { readOf } from '../../api/read.ts';
import { ServiceProblem } from '../../api/service-call.ts';
import type { Problem } from '../../../shared/problem.ts';
import { checkIdentity } from './identity/identity-check.ts';
import { gateOf } from './identity/identity-gate.testing.ts';
import { LabAnswer } from './lab-answer.tsx';
import type { LabAnswerProps } from './lab-answer.tsx';

const result: LabOrderResult = {
  metadata: {
    patient: 'Ada Muster',
    dob: '07/03/1985',
    status: 'amended',
    date_reported: '2026-05-02',
  },
  results: [
    {
      name: 'Sodium',
      slug: 'sodium',
      result: '171',
      value: 171,
      unit: 'mmol/L',
      min_range_value: 134,
      max_range_value: 144,
      loinc: '2951-2',
    },
    { name: 'Culture', slug: 'culture', result: 'No growth', type: 'comment' },
    { name: 'Screen', slug: 'screen', result: 'NEGATIVE', interpretation: 'normal' },
    {
      name: 'Iron',
      slug: 'iron',
      result: '5',
      value: 5,
      max_range_value: 9,
      interpretation: 'odd',
    },
    {
      name: 'Zinc',
      slug: 'zinc',
      result: '5',
      value: 5,
      min_range_value: 1,
      is_below_min_range: true,
    },
  ],
  missing_results: [
    { name: 'Ferritin', slug: 'ferritin', inferred_failure_type: 'insufficient_volume' },
  ],
};
const birthDates = ['1985-07-03'];
const data = { value: result, receivedAt: '2026-05-02T14:02:00Z' };

const gate = gateOf(checkIdentity({ result, birthDates }));

type State = Partial<Parameters<typeof readOf<LabOrderResult>>[0]>;

function show(
  state: State,
  props: Partial<LabAnswerProps> = {},
  locale: 'en' | 'es' | 'ar' = 'en',
): string {
  const nothing = (): void => undefined;
  const read = readOf<LabOrderResult>({
    data: undefined,
    error: null,
    isFetching: false,
    ...state,
  });
  return markupOf(
    createElement(LabAnswer, {
      orderId: 'order-1',
      read: { ...read, refetch: nothing, cancel: nothing },
      gate,
      order: undefined,
      masked: false,
      ...props,
    }),
    locale,
  );
}

const failed = (problem: Problem): State => ({ error: new ServiceProblem(problem) });

describe('a lab result on the screen', () => {
  const text = textOf(show({ data }));

  it.each([
    'High',
    'Not recognized',
    '“odd”',
    'Flag conflict',
    '134 – 144',
    'up to 9',
    '1 or more',
    'No range',
    'Laboratory: normal',
    'No growth',
    "Until you confirm it, this report can't be printed or copied.",
    'All 6',
    "Unrecognized status “amended”. Don't treat the report as final.",
    '2 no range',
    '1 outside range',
    '1 not recognized',
    '1 missing',
    'Insufficient volume',
    '05/02/2026',
    '03/07/1985',
    '07/03/1985',
    'Check who this report is about',
    'Day and month look swapped.',
  ])('says “%s”', (said) => {
    expect(text.split('\n').map((line) => line.trim())).toContain(said);
  });

  it('never calls in range what has no range', () => {
    expect(text).not.toMatch(/in range/iu);
  });

  it('pins what is missing above what was measured, and the unrecognised above the high', () => {
    const places = ['Ferritin', 'Iron', 'Zinc', 'Sodium', 'Culture'].map((name) =>
      text.indexOf(name),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('has the panels as headings, with their tests and flags', () => {
    const results = result.results.map((one) =>
      one.slug === 'zinc' ? one : { ...one, panel: { name: 'Metabolic panel' } },
    );
    const said = textOf(show({ data: { ...data, value: { ...result, results } } }));
    const lines = said.split('\n').map((line) => line.trim());
    for (const part of ['Metabolic panel', '4 tests', 'Other tests', '2 tests']) {
      expect(lines).toContain(part);
    }
  });

  it('flags a previous value by its own range', () => {
    const history: OrderHistory = {
      order_id: 'order-1',
      biomarkers: [
        {
          ...{ place: 0, name: 'Sodium', slug: 'sodium', loinc: '2951-2', unit: 'mmol/L' },
          earlier: [
            {
              order_id: 'order-0',
              date: '2026-01-10',
              measured: { ...result.results[0]!, result: '120', value: 120 },
            },
          ],
        },
      ],
      replaced: null,
      left_out: 0,
    };
    const read = {
      ...readOf({ data: { ...data, value: history }, error: null, isFetching: false }),
    };
    const nothing = (): void => undefined;
    const said = textOf(
      show({ data }, { history: { ...read, refetch: nothing, cancel: nothing } }),
    );
    expect(said).toMatch(/171[\s\S]*High[\s\S]*120\s+Low\s+01\/10\/2026/u);
  });

  it('draws a bar only where there is a number and a range', () => {
    expect(show({ data }).match(/style="--from:/gu)).toHaveLength(3);
  });

  it.each(['es', 'ar'] as const)('has all its text in %s', (locale) => {
    expect(textOf(show({ data }, {}, locale))).not.toMatch(
      /Check who this report is about|outside range|No range/u,
    );
  });

  it.each(['corrected', 'partial', 'cancelled'])(
    'says once that it is %s, and not final',
    (status) => {
      const metadata = { ...result.metadata, status: 'final' };
      const order = { id: 'order-1', created_at: '', updated_at: '', low_level_status: status };
      const order_transaction = { id: 't', status: 'active', orders: [order] };
      const value = { ...result, metadata, order_transaction } as LabOrderResult;
      const shown = show(
        { data: { ...data, value } },
        { order: { id: 'order-1', created_at: '2026-05-01T08:00:00Z' } as Order },
      );
      const seen = textOf(shown);
      expect(seen.match(new RegExp(status, 'giu'))).toHaveLength(1);
      expect(seen).not.toMatch(/^Final$/mu);
      expect(seen).toMatch(/Ordered\s+05\/01\/2026/u);
    },
  );

  it('hides name and birth dates behind the mask', () => {
    const masked = textOf(show({ data }, { masked: true }));
    expect(masked).not.toMatch(/Ada Muster|1985/u);
  });
});

describe('the states of a lab result', () => {
  it('names who may see it where the role may not, and shows nothing that was held', () => {
    const text = textOf(
      show({ data, ...failed({ kind: 'forbidden', operation: 'labOrderResult' }) }),
    );
    expect(text).toContain('Front desk, Clinician');
    expect(text).not.toContain('Sodium');
    // Where nobody knows which role may, none is named.
    const unnamed = failed({ kind: 'forbidden' });
    expect(textOf(show(unnamed))).toContain("Your role can't open this.\n");
    for (const language of ['es', 'ar'] as const) {
      expect(textOf(show(unnamed, {}, language))).not.toContain(':');
    }
  });

  it('keeps what is held, stamped, where the service is away', () => {
    const text = textOf(show({ data, ...failed({ kind: 'offline' }) }));
    expect(text).toMatch(/can't be reached[\s\S]*Sodium[\s\S]*As of 2:02 PM/u);
  });

  it('can be asked again once cancelled', () => {
    expect(textOf(show({}))).toMatch(/Cancelled\.[\s\S]*Try again/u);
  });

  it('says which order there is no result of', () => {
    expect(textOf(show(failed({ kind: 'notFound' })))).toContain(
      'No result for the order “order-1”',
    );
  });

  it.each([
    ['received.walk_in_test.ordered', 'The sample has not been collected yet.', 'Ordered'],
    ['received', 'The sample has not been collected yet.', 'Ordered'],
    ['collecting_sample.testkit.with_customer', 'The sample is being collected.', 'Ordered'],
    ['collecting_sample.testkit.transit_lab', 'on its way to the laboratory', 'Collected'],
    ['sample_with_lab.testkit.delivered_to_lab', 'has the sample', 'At the laboratory'],
    ['sample_with_lab', 'has the sample', 'At the laboratory'],
    ['completed.walk_in_test.completed', 'has not arrived here yet', 'At the laboratory'],
    [
      'sample_with_lab.testkit.lab_processing_blocked',
      'Call the laboratory',
      '“lab_processing_blocked”',
    ],
    ['sample_with_lab.testkit.sent_by_balloon', 'No result has arrived yet', '“sent_by_balloon”'],
    [undefined, 'No result has arrived yet', 'Check now'],
    ['cancelled.testkit.cancelled', 'There will be no result.', 'Cancelled'],
    ['failed.testkit.lost', 'There will be no result.', 'Failed'],
  ])('is where the order is while its result is awaited: %s', (orderStatus, said, also) => {
    const problem: Problem = {
      ...{ kind: 'notFound', missing: 'result', requestId: 'request-7' },
      ...(orderStatus !== undefined && { orderStatus }),
    };
    const markup = show(failed(problem));
    const text = textOf(markup);
    for (const part of [said, also, 'Check now']) expect(text).toContain(part);
    // No error, and none of its numbers.
    expect(`${markup} ${text}`).not.toMatch(/role="alert"|request-7|Try again/u);
    const [, current] = /aria-current="step"[^>]*><strong>([^<]*)/u.exec(markup) ?? [];
    expect(current ?? also).toBe(also);
  });

  it('has the time of each step that the order’s events tell, who ordered it, and its number', () => {
    const event = (created_at: string, status: string): object => ({ created_at, status });
    const order = {
      ...{ id: 'order-1', team_id: 't', user_id: 'u', created_at: '2026-05-01T08:00:00Z' },
      physician: { first_name: 'Philippa', last_name: 'Quartermaine' },
      lab_test: { name: 'Ferritin' },
      events: [
        event('2026-05-01T08:00:00Z', 'received.walk_in_test.ordered'),
        event('2026-05-02T09:00:00Z', 'collecting_sample.walk_in_test.draw_completed'),
        event('2026-05-03T10:00:00Z', 'sample_with_lab.walk_in_test.partial_results'),
        event('2026-05-04T11:00:00Z', 'sample_with_lab.testkit.delivered_to_lab'),
      ],
    } as Order;
    const problem: Problem = {
      ...{ kind: 'notFound', missing: 'result' },
      orderStatus: 'collecting_sample.walk_in_test.draw_completed',
    };
    const said = textOf(show(failed(problem), { order }));
    expect(said).toMatch(
      /Ordered\s+05\/01\/2026, 8:00 AM\s+Philippa Quartermaine\s+Collected\s+05\/02\/2026, 9:00 AM\s+At the laboratory\s+Result/u,
    );
    expect(said).toMatch(/Tests\s+Ferritin\s+Order number\s+order-1/u);
  });
});
