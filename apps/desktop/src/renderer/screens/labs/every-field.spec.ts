import { describe, expect, it } from '@jest/globals';
import { createElement } from 'react';
import type { LabOrderResult, User } from '@caregate/domain';
import { filled, turnedOver } from '../../components/canaries.testing.ts';
import { markupOf, textOf } from '../../components/render.testing.ts';
import { PersonFacts } from '../person/person-facts.tsx';
import { nobody } from './identity/identity-gate.testing.ts';
import { LabReport } from './lab-report.tsx';
import { MissingDetails } from './results/missing-row.tsx';
import { ResultDetails } from './results/result-details.tsx';
import { readingOf } from '../../components/results/result-reading.ts';

const labs = filled('LabOrderResult');
const labResult = labs.entity as LabOrderResult;
const user = filled('User');
const person = user.entity as User;

/** The report, and what opens under each result. */
function labText(result: LabOrderResult): string {
  const report = createElement(LabReport, {
    result,
    orderId: 'none',
    gate: nobody,
    masked: false,
  });
  const details = result.results.map((one) =>
    createElement(ResultDetails, { result: one, conflicts: readingOf(one).conflicts }),
  );
  const missing = (result.missing_results ?? []).map((one) =>
    createElement(MissingDetails, { missing: one }),
  );
  return [report, ...details, ...missing].map((element) => textOf(markupOf(element))).join('\n');
}

const userText = (of: User): string => textOf(markupOf(createElement(PersonFacts, { user: of })));

describe.each([
  ['LabOrderResult', labs.canaries, () => labText(labResult)],
  ['User', user.canaries, () => userText(person)],
])('every field of %s', (_name, canaries, show) => {
  const text = show();
  it.each(
    canaries
      .filter(({ value }) => typeof value !== 'boolean')
      .map(({ path, value }) => [path, value]),
  )('%s is on the screen', (_path, value) => {
    expect(text).toContain(String(value));
  });
});

describe('every switch of LabOrderResult', () => {
  const before = labText(labResult);
  it.each(labs.canaries.filter(({ value }) => typeof value === 'boolean').map(({ path }) => path))(
    '%s changes what the screen says',
    (path) => {
      expect(labText(turnedOver(labResult, path))).not.toBe(before);
    },
  );
});
