import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { CutChecks } from '../cut/cut-checks.ts';
import { UPGRADE_LOG } from '../entry/log-operations.ts';
import { MemoryLog } from '../testing/memory-log.testing.ts';
import { LogChecks } from './log-checks.ts';

const publicKey = (): KeyObject => createPublicKey(generateKeyPairSync('ed25519').privateKey);

/** Keys from records 0 and 9 on; record 9 says that an upgrade found 5 records erased. */
function erasedWith(first: KeyObject, second: KeyObject): number {
  const cuts = new CutChecks({ keys: [] });
  new LogChecks({
    logId: '0a1b2c3d4e5f',
    origin: 'clinic.example/audit/0a1b2c3d4e5f',
    keys: [
      { key: first, from: 0 },
      { key: second, from: 9 },
    ],
    checkpoints: [],
    checkpointSize: 0,
    isLive: false,
    cuts,
    storedLeaf: () => undefined,
    takeTile: () => undefined,
  });
  const log = new MemoryLog();
  for (let seq = 0; seq <= 9; seq += 1) {
    const details = { records: 9, proved: 9, erased: 5 };
    log.add(seq === 9 ? { operation: UPGRADE_LOG, details } : {}, '2026-03-30');
  }
  log.erased = 5;
  for (const { seq, entry } of log.read(0, log.size())) {
    if (entry === undefined) {
      cuts.takeErased(seq);
    } else {
      cuts.take(seq, entry.toString('latin1', 16), () => Buffer.alloc(32));
    }
  }
  return cuts.finish().unproven;
}

describe('the list of keys, which is not signed', () => {
  it('lets an upgrade allow erasure where another key begins, not where the same one is named again', () => {
    const [key, other] = [publicKey(), publicKey()];
    expect(erasedWith(other, key)).toBe(5);
    expect(() => erasedWith(key, key)).toThrow('Record 0 was erased without a retention cut');
  });
});
