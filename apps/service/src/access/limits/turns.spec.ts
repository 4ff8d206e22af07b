import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { Account, Budget } from './rate-limits.ts';
import { Turns } from './turns.ts';

function account(teamId: string, of = { id: teamId, budget: new Budget(Infinity) }): Account {
  const made = new Account(teamId, new Budget(Infinity), () => of);
  made.isOf(teamId);
  return made;
}

describe('requests that come at the same time', () => {
  it('are begun by team, then by key, and those of a key as they came', async () => {
    const turns = new Turns(1000);
    const team = { id: 'a', budget: new Budget(Infinity) };
    const [flood, other, elsewhere] = [account('a', team), account('a', team), account('b')];
    const begun: string[] = [];
    const add = (of: Account, name: string): void => {
      expect(turns.take(of, () => begun.push(name))).toBe(true);
    };
    for (let count = 0; count < 300; count += 1) {
      add(flood, `flood ${count}`);
    }
    [1, 2].forEach((count) => {
      add(other, `other ${count}`);
      add(elsewhere, `elsewhere ${count}`);
    });
    expect(begun).toEqual(['flood 0']);
    while (begun.length < 304) {
      await turn();
    }
    expect(begun.slice(1, 9)).toEqual([
      ...['flood 1', 'elsewhere 1', 'other 1', 'elsewhere 2'],
      ...['flood 2', 'other 2', 'flood 3', 'flood 4'],
    ]);
    expect(begun.slice(9)).toEqual(Array.from({ length: 295 }, (_, at) => `flood ${at + 5}`));
  });

  it('do not wait while there is time, and are refused where too many wait', async () => {
    let nowMs = 0;
    const turns = new Turns(2, () => nowMs);
    const one = account('a');
    const begun: number[] = [];
    expect(turns.take(one, () => begun.push(1))).toBe(true);
    await Promise.resolve();
    expect(turns.take(one, () => begun.push(2))).toBe(true);
    expect(begun).toEqual([1, 2]);
    await Promise.resolve();
    nowMs = 2;
    expect([3, 4, 5].map((count) => turns.take(one, () => begun.push(count)))).toEqual([
      ...[true, true, false],
    ]);
    while (begun.length < 4) {
      await turn();
    }
    expect(begun).toEqual([1, 2, 3, 4]);
  });
});
