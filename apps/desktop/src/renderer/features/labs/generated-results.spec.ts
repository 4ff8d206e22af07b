import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { BIOMARKER_TYPES, INTERPRETATIONS } from '@caregate/domain';
import type { LabOrderResult } from '@caregate/domain';

// React as people get it: the one for developers takes five times as long.
const { process } = globalThis as unknown as { process: { env: Record<string, string> } };
process.env['NODE_ENV'] = 'production';
const { createElement } = await import('react');
const { markupOf } = await import('../../ui/render.testing.ts');
const { nobody } = await import('./identity/identity-gate.testing.ts');
const { LabReport } = await import('./lab-report.tsx');

const maybe = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.oneof({ weight: 3, arbitrary: some }, fc.constant(null), fc.constant(undefined));
const word = fc.oneof(
  fc.constantFrom(
    'normal',
    'abnormal',
    'critical',
    'unknown',
    'numeric',
    'comment',
    'final',
    'Normal',
  ),
  fc.string(),
);
const anyNumber = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.double());
const marker = fc.record({ marker_id: maybe(fc.integer()), name: maybe(fc.string()) });
const measured = fc.record({
  name: fc.string(),
  slug: fc.string(),
  result: fc.string(),
  value: maybe(anyNumber),
  type: maybe(word),
  unit: maybe(fc.string()),
  timestamp: maybe(fc.oneof(fc.constant('2026-05-01T08:30:00+02:00'), fc.string())),
  min_range_value: maybe(anyNumber),
  max_range_value: maybe(anyNumber),
  is_above_max_range: maybe(fc.boolean()),
  is_below_min_range: maybe(fc.boolean()),
  interpretation: maybe(word),
  source_markers: maybe(fc.array(marker, { maxLength: 2 })),
  surprise: fc.jsonValue(),
});
const order = fc.record({
  id: fc.string(),
  created_at: fc.string(),
  updated_at: fc.string(),
  low_level_status: maybe(word),
  origin: maybe(word),
});
const payload = fc.record({
  metadata: fc.record({
    dob: maybe(fc.oneof(fc.constant('07/03/1985'), fc.string())),
    age: maybe(fc.integer()),
    date_reported: maybe(fc.string()),
    status: maybe(word),
    interpretation: maybe(word),
  }),
  results: fc.array(measured, { maxLength: 4 }),
  missing_results: maybe(
    fc.array(
      fc.record({ name: fc.string(), slug: fc.string(), inferred_failure_type: maybe(word) }),
      {
        maxLength: 2,
      },
    ),
  ),
  sample_information: maybe(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 }))),
  order_transaction: maybe(
    fc.record({ id: fc.string(), status: word, orders: fc.array(order, { maxLength: 3 }) }),
  ),
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
        const markup = markupOf(
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
