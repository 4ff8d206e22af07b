import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { setImmediate as turn } from 'node:timers/promises';
import { BatchLoader, maxBatchSize } from './batch-loader.ts';

interface Statement {
  readonly keys: readonly string[];
  readonly answer: (rows: ReadonlyMap<string, string>) => void;
  readonly fail: (error: Error) => void;
}

/** A database that answers when it is told to. */
function database(): { statements: Statement[]; together: BatchLoader<string> } {
  const statements: Statement[] = [];
  const together = new BatchLoader<string>(
    (keys) =>
      new Promise((answer, fail) => {
        statements.push({ keys, answer, fail });
      }),
  );
  return { statements, together };
}

const upper = (keys: readonly string[]): Map<string, string> =>
  new Map(keys.filter((key) => key !== 'nobody').map((key) => [key, key.toUpperCase()]));

describe('BatchLoader', () => {
  it('gives everybody the row of their own key, whatever is asked when', async () => {
    const step = fc.oneof(
      fc.constantFrom('nobody', 'a', 'b', 'c').map((key) => ({ key })),
      fc.integer({ min: 0, max: 60 }).map((n) => ({ key: `user ${n}` })),
      fc.nat(9).map((pick) => ({ answer: pick })),
      fc.constant('turn' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 200 }), async (steps) => {
        const { statements, together } = database();
        const answerOne = (pick: number): void => {
          const [one] = statements.splice(pick % Math.max(1, statements.length), 1);
          one?.answer(upper(one.keys));
        };
        const asked: Promise<[string, string | undefined]>[] = [];
        for (const each of steps) {
          if (each === 'turn') {
            await turn();
          } else if ('key' in each) {
            asked.push(together.first(each.key).then((row) => [each.key, row]));
          } else {
            answerOne(each.answer);
          }
          expect(statements.length).toBeLessThanOrEqual(4);
          expect(Math.max(0, ...statements.map(({ keys }) => keys.length))).toBeLessThanOrEqual(
            maxBatchSize,
          );
        }
        const all = Promise.all(asked);
        // Any further one is sent when one before it is answered.
        for (let quiet = 0; quiet < 3; quiet += 1) {
          await turn();
          while (statements.length > 0) {
            answerOne(0);
            await turn();
          }
        }
        for (const [key, row] of await all) {
          expect(row).toBe(upper([key]).get(key));
        }
      }),
    );
  });

  it('asks for what came at the same time by one statement, and for each key once', async () => {
    const { statements, together } = database();
    const rows = Promise.all(['a', 'b', 'a'].map((key) => together.first(key)));
    await turn();
    expect(statements.map(({ keys }) => keys)).toEqual([['a', 'b']]);
    statements[0]!.answer(upper(['a', 'b']));
    expect(await rows).toEqual(['A', 'B', 'A']);
  });

  it('never answers from a statement that was sent before it was asked', async () => {
    const { statements, together } = database();
    const before = together.first('a');
    await turn();
    const after = together.first('a');
    await turn();
    statements[0]!.answer(new Map([['a', 'old']]));
    statements[1]!.answer(new Map([['a', 'new']]));
    expect(await Promise.all([before, after])).toEqual(['old', 'new']);
  });

  it('fails those whose statement failed, and nobody else', async () => {
    const { statements, together } = database();
    const first = together.first('a');
    await turn();
    const second = together.first('a');
    await turn();
    statements[0]!.fail(new Error('cut'));
    await expect(first).rejects.toThrow('cut');
    statements[1]!.answer(upper(['a']));
    expect(await second).toBe('A');
  });
});
