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
    const turns = new Turns();
    const [team, crowd] = ['a', 'crowd'].map((id) => ({ id, budget: new Budget(Infinity) }));
    const [flood, other, elsewhere] = [account('a', team), account('a', team), account('b')];
    const begun: string[] = [];
    const add = (of: Account, name: string): void => {
      expect(turns.take(of, () => begun.push(name), 2000)).toBe(true);
    };
    for (let count = 0; count < 300; count += 1) {
      add(flood, `flood ${count}`);
    }
    // A thousand keys of one team are one team.
    for (let count = 0; count < 1000; count += 1) {
      add(account('crowd', crowd), `crowd ${count}`);
    }
    [1, 2].forEach((count) => {
      add(other, `other ${count}`);
      add(elsewhere, `elsewhere ${count}`);
    });
    expect(begun).toEqual(['flood 0']);
    while (begun.length < 1304) {
      await turn();
    }
    expect(begun.slice(1, 13)).toEqual([
      ...['flood 1', 'crowd 0', 'elsewhere 1', 'other 1', 'crowd 1', 'elsewhere 2'],
      ...['flood 2', 'crowd 2', 'other 2', 'crowd 3', 'flood 3', 'crowd 4'],
    ]);
    const numbered = (name: string, count: number): string[] =>
      Array.from({ length: count }, (_, at) => `${name} ${at}`);
    for (const [name, count] of [['flood', 300] as const, ['crowd', 1000] as const]) {
      expect(begun.filter((each) => each.startsWith(name))).toEqual(numbered(name, count));
    }
  });

  it('do not wait while there is time, and are refused where too many wait; long ones go on in their turn', async () => {
    let nowMs = 0;
    const turns = new Turns(() => nowMs);
    const [one, another] = [account('a'), account('b')];
    const begun: number[] = [];
    const take = (of: Account, count: number): boolean =>
      turns.take(of, () => begun.push(count), 3);
    expect(take(one, 1)).toBe(true);
    await Promise.resolve();
    expect(take(one, 2)).toBe(true);
    expect(begun).toEqual([1, 2]);
    await turns.pause(one);
    nowMs = 2;
    expect(take(one, 3)).toBe(true);
    const goneOn = turns.pause(one).then(() => begun.push(5));
    expect([4, 6].map((count) => take(another, count))).toEqual([true, false]);
    await goneOn;
    expect(begun).toEqual([1, 2, 3, 4, 5]);
  });
});
