import { describe, expect, it } from '@jest/globals';
import { seed } from '@caregate/seeded/seed';
import { seededDice } from '../testing/dice.testing.ts';
import { writeLog, type LeftLog } from './forged-log.testing.ts';
import { Kept, missed, type VerifyExport } from './judge.testing.ts';

// By a name that no tool follows: the verifier shares nothing with this library, not even a dependency.
const verifier: string = '@caregate/audit-verifier/src/verify.mjs';

/** What others keep of a log, and the log. */
export const keptLog = (async () => {
  const { verifyExport } = (await import(verifier)) as { verifyExport: VerifyExport };
  return Kept.of(writeLog(1), writeLog(2).at(-1) as LeftLog, verifyExport);
})();

/** Tests each of these ways so many times. */
export function areFound(ways: readonly string[], rounds: number): void {
  describe('a log forged by somebody without its key', () => {
    it.each(ways)('is found, by everybody: %s', async (way) => {
      const kept = await keptLog;
      let tried = 0;
      for (let round = 0; round < rounds; round += 1) {
        const judged = await kept.judge(seededDice(seed + round), [way]);
        if (judged === undefined) {
          continue;
        }
        tried += 1;
        expect({ ...judged, missed: missed(judged) }).toMatchObject({ missed: undefined });
      }
      expect(tried).toBeGreaterThan(0);
    });
  });
}
