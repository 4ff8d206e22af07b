import { validateGroupedMindfulnessMinutes } from '@caregate/domain/validate';
import { atMost, median, type Section } from './measure.ts';
import { pointAt } from './timeseries.ts';

export const validation: Section = {
  name: 'validation',
  title: 'Compiled validator against JSON.parse, a page of 10,000 points',
  run() {
    const source = { provider: 'oura', type: 'ring' };
    const data = Array.from({ length: 10_000 }, (_, index) => pointAt(index));
    const text = JSON.stringify({ groups: { oura: [{ data, source }] }, next_cursor: null });
    const parsed: number[] = [];
    const validated: number[] = [];
    for (let turn = -30; turn < 200; turn += 1) {
      const start = performance.now();
      const value: unknown = JSON.parse(text);
      const middle = performance.now();
      const verdict = validateGroupedMindfulnessMinutes(value);
      const end = performance.now();
      if (!verdict.ok) {
        throw new Error('the page of the bench is not valid');
      }
      if (turn >= 0) {
        parsed.push(middle - start);
        validated.push(end - middle);
      }
    }
    return Promise.resolve([
      atMost('validate 10,000 points', 'ms', median(validated), median(parsed), 1),
    ]);
  },
};
