import { describe, expect, it } from '@jest/globals';
import { overBudget } from './report.mjs';

const budget = { a: 100, b: 80, c: 60, d: 40, e: 20, f: 2 };
/** Each task as its budget has it, but for those that are given; on a machine that is so much slower. */
const tasks = (slower, changes = {}) =>
  Object.entries({ ...budget, ...changes }).map(([name, seconds]) => ({
    name,
    cost: { processorSeconds: seconds * slower },
  }));

describe('the budget of the tests', () => {
  it.each([0.5, 1, 4])('holds on a machine of another pace: %d', (slower) => {
    expect(overBudget(tasks(slower), budget)).toEqual([]);
  });

  it.each([
    ['the dearest', 0.5, { a: 130 }, 'a took 65 s of the processor; its budget is 50 s'],
    ['a cheap one', 1, { e: 27 }, 'e took 27 s of the processor; its budget is 20 s'],
  ])('fails for a task that grew by more than a quarter: %s', (_what, slower, changes, line) => {
    expect(overBudget(tasks(slower, changes), budget)).toEqual([expect.stringContaining(line)]);
  });

  it('grants a few seconds to short tasks, and what Nx had in its cache', () => {
    expect(overBudget(tasks(1, { f: 6 }), budget)).toEqual([]);
    const cached = tasks(1, { a: 300 }).map((task) => ({ ...task, cost: undefined }));
    expect(overBudget(cached, budget)).toEqual([]);
  });
});
