import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { createElement } from 'react';
import type { BiomarkerResult } from '@caregate/domain';
import { markupOf, textOf } from '../../components/render.testing.ts';
import { nobody } from './identity/identity-gate.testing.ts';
import { documentOf, intl } from './lab-document.testing.ts';
import { LabReport } from './lab-report.tsx';

const missing = fc.constantFrom(null, undefined, Number.NaN, Number.POSITIVE_INFINITY);
const flag = fc.constantFrom(null, undefined, false, true);
const word = fc.constantFrom(null, undefined, 'normal', 'abnormal', 'critical', 'unknown', 'odd');

/** A result of any kind that has neither bound. */
const unbounded = fc.record({
  name: fc.constant('Test'),
  slug: fc.constant('test'),
  result: fc.constantFrom('5', 'NEGATIVE', '<5', ''),
  value: fc.constantFrom(null, undefined, 5, 0),
  type: fc.constantFrom(null, undefined, 'numeric', 'comment'),
  min_range_value: missing,
  max_range_value: missing,
  is_above_max_range: flag,
  is_below_min_range: flag,
  interpretation: word,
}) as unknown as fc.Arbitrary<BiomarkerResult>;

const wordOf = (count: number): string =>
  intl.formatMessage({ id: 'labs.group.inside' }, { count });

describe('a result without a reference range', () => {
  it('says so and never that it is in range: in its row, in the summary, and on paper', () => {
    fc.assert(
      fc.property(unbounded, (one) => {
        const result = { metadata: {}, results: [one] };
        const parts = { result, orderId: 'order-1', masked: false };
        const markup = markupOf(createElement(LabReport, { ...parts, gate: nobody }));
        const lines = textOf(markup).split('\n');
        expect(lines).toContain('No range');
        expect(lines).not.toContain('In range');
        expect(lines).not.toContain(wordOf(1));
        expect(markup).not.toContain('data-flag="normal"');
        const paper = JSON.stringify(documentOf(result));
        expect(paper).toContain('No range');
        expect(paper).not.toContain('In range');
        expect(paper).toContain(wordOf(0));
      }),
      { numRuns: 300 },
    );
  });

  it("keeps the laboratory's own word for it", () => {
    const one = { name: 'Test', slug: 't', result: 'NEGATIVE', interpretation: 'normal' };
    const result = { metadata: {}, results: [one] };
    const parts = { result, orderId: 'order-1', masked: false, gate: nobody };
    expect(textOf(markupOf(createElement(LabReport, parts)))).toContain('Laboratory: normal');
  });
});
