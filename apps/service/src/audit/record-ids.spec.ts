import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { randomBytes } from 'node:crypto';
import { RecordIds } from './record-ids.ts';

const secret = randomBytes(32);
const anyReceipt = fc.record({
  logId: fc
    .uint8Array({ minLength: 6, maxLength: 6 })
    .map((bytes) => Buffer.from(bytes).toString('hex')),
  seq: fc.nat(2 ** 31 - 1).map((high) => high * 2 ** 12),
});

describe('the id of a record', () => {
  it('resolves to its log and number, with its own secret only', () => {
    const [here, again, elsewhere] = [secret, secret, randomBytes(32)].map(
      (key) => new RecordIds(key),
    ) as [RecordIds, RecordIds, RecordIds];
    fc.assert(
      fc.property(anyReceipt, (receipt) => {
        const id = here.encrypt(receipt);
        expect(id).toMatch(/^[0-9a-f]{32}$/u);
        expect(again.encrypt(receipt)).toBe(id);
        expect(again.decrypt(id)).toEqual(receipt);
        expect(again.decrypt(id.toUpperCase())).toEqual(receipt);
        expect(elsewhere.decrypt(id)).toBeUndefined();
      }),
    );
  });

  it('is unique and does not reveal its position in the log', () => {
    const ids = new RecordIds(secret);
    const of = (logId: string): string[] =>
      Array.from({ length: 2000 }, (_, seq) => ids.encrypt({ logId, seq }));
    const all = [...of('0123456789ab'), ...of('0123456789ac')];
    expect(new Set(all).size).toBe(all.length);
    expect(Math.abs(rankCorrelation(of('0123456789ab')))).toBeLessThan(0.2);
  });
});

/** Returns Spearman's rank correlation between the IDs and their order of creation. */
function rankCorrelation(ids: readonly string[]): number {
  const ranks = new Map(ids.toSorted().map((id, rank) => [id, rank]));
  const squares = ids.reduce((sum, id, at) => sum + (ranks.get(id)! - at) ** 2, 0);
  return 1 - (6 * squares) / (ids.length * (ids.length ** 2 - 1));
}
