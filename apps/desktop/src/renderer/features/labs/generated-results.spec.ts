import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { BIOMARKER_TYPES, INTERPRETATIONS } from '@caregate/domain';
import type { LabOrderResult } from '@caregate/domain';

// The production build of React is five times as fast.
const { process } = globalThis as unknown as { process: { env: Record<string, string> } };
process.env['NODE_ENV'] = 'production';
const { createElement } = await import('react');
const { renderMarkup } = await import('../../ui/render.testing.ts');
const { nobody } = await import('./identity/identity-gate.testing.ts');
const { LabReport } = await import('./lab-report.tsx');

const maybe = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 3, arbitrary: some }, fc.constantFrom(null, undefined));
const text = fc.string();
const words = [
  'normal',
  'abnormal',
  'critical',
  'unknown',
  'numeric',
  'comment',
  'final',
  'Normal',
];
const word = maybe(fc.oneof(fc.constantFrom(...words), text));
const number = maybe(fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double()));
const flag = maybe(fc.boolean());
const moment = maybe(fc.oneof(fc.constant('2026-05-01T08:30:00+02:00'), text));
const measured = fc.record({
  ...{ name: text, slug: text, result: text, unit: maybe(text), timestamp: moment },
  ...{ type: word, interpretation: word, surprise: fc.jsonValue() },
  ...{ value: number, min_range_value: number, max_range_value: number },
  ...{ is_above_max_range: flag, is_below_min_range: flag },
});
const missing = fc.record({ name: text, slug: text, inferred_failure_type: word });
const dates = { created_at: text, updated_at: text };
const order = fc.record({ id: text, ...dates, low_level_status: word, origin: word });
const orders = fc.array(order, { maxLength: 3 });
const payload = fc.record({
  metadata: fc.record({
    dob: maybe(fc.oneof(fc.constant('07/03/1985'), text)),
    ...{ age: maybe(fc.integer()), date_reported: maybe(text) },
    ...{ status: word, interpretation: word },
  }),
  results: fc.array(measured, { maxLength: 4 }),
  missing_results: maybe(fc.array(missing, { maxLength: 2 })),
  sample_information: maybe(fc.dictionary(text, fc.jsonValue({ maxDepth: 8 }))),
  order_transaction: maybe(fc.record({ id: text, status: word, orders })),
});

describe('1,000 generated results on the screen', () => {
  it('never crash, and never show an unknown value as normal', () => {
    const all = (values: object): unknown[] => [
      null,
      undefined,
      ...(Object.values(values) as unknown[]),
    ];
    const readings = all(INTERPRETATIONS);
    const types = all(BIOMARKER_TYPES);
    fc.assert(
      fc.property(payload, (generated) => {
        const value = generated as unknown as LabOrderResult;
        const markup = renderMarkup(
          createElement(LabReport, {
            result: value,
            orderId: 'order-1',
            gate: nobody,
          }),
        );
        const understood = value.results.filter(
          ({ interpretation, type }) => readings.includes(interpretation) && types.includes(type),
        );
        const count = (flag: string): number => markup.split(`data-flag="${flag}"`).length - 1;
        expect(count('unrecognised')).toBe(value.results.length - understood.length);
        expect(count('normal')).toBeLessThanOrEqual(understood.length);
      }),
      { numRuns: 1000 },
    );
  });
});
