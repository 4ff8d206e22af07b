import { describe, expect, it } from '@jest/globals';
import { CUT } from '@caregate/audit-log';
import {
  agreedCut,
  almostCut,
  approverKeys,
  endorseBy,
  enrol,
  forgedCuts,
  MemoryLog,
  oldLog,
  today,
} from '@caregate/audit-log/testing';
import { createPublicKey, sign } from 'node:crypto';
import { verifyExport } from './verify.mjs';

const now = today + 30 * 86_400_000;

async function verified(
  log: MemoryLog,
  approvers: readonly Buffer[] = [],
): Promise<[code: number, sentence: string]> {
  return await verifyExport(log.exported(), log.identity().verifierKey, [], approvers, now);
}

/** What our own verifier says of the same log. */
function isValidForUs(log: MemoryLog): boolean {
  try {
    log.verified({ nowMs: now });
    return true;
  } catch {
    return false;
  }
}

describe('the independent verifier, on retention cuts', () => {
  it('lets everything before a cut be erased, and nothing more', async () => {
    const log = await oldLog();
    const before = await agreedCut(log, '2018-05');
    for (const erased of [0, 1, 19, before]) {
      log.erased = erased;
      expect(await verified(log)).toEqual([0, 'Holds: 38 records and 0 old checkpoints']);
    }
    log.erased = before + 1;
    expect(await verified(log)).toEqual([2, expect.stringMatching(/^Record 20 was erased/u)]);
  });

  it.each(forgedCuts())('refuses a cut %s', async (_what, forge) => {
    const { log, cut } = await almostCut();
    const details = forge(cut, log);
    log.act([{ operation: CUT, details }], today);
    log.erased = Number(details['before_seq']);
    expect(await verified(log)).toEqual([
      2,
      expect.stringMatching(/^Record 0 was erased: record \d+ is no valid cut, /u),
    ]);
  });

  it('agrees with ours on any change of any character of a cut', async () => {
    const { log, cut } = await almostCut();
    const verdicts = new Set<boolean>();
    for (const [name, value] of Object.entries(cut)) {
      const text = String(value);
      for (const at of new Set([0, Math.floor(text.length / 2), text.length - 1])) {
        const other = String.fromCharCode(text.charCodeAt(at) ^ 1);
        const changed = `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
        const details = { ...cut, [name]: typeof value === 'number' ? Number(changed) : changed };
        const copy = log.copy();
        copy.act([{ operation: CUT, details }], today);
        copy.erased = 20;
        const isValid = isValidForUs(copy);
        verdicts.add(isValid);
        expect([name, at, (await verified(copy))[0]]).toEqual([name, at, isValid ? 0 : 2]);
      }
    }
    expect(verdicts).toEqual(new Set([true, false]));
  });

  it('takes a third approver whom two endorsed, and no cut by keys that were not kept', async () => {
    const { dana, omar, ines } = approverKeys;
    const log = await oldLog();
    await enrol(log, 'ines', ines);
    await endorseBy(log, 'ines', dana);
    await endorseBy(log, 'ines', omar);
    log.erased = await agreedCut(log, '2018-05');
    const raw = [dana, omar].map((key) =>
      createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32),
    );
    expect((await verified(log))[0]).toBe(0);
    expect((await verified(log, raw))[0]).toBe(0);
    expect(await verified(log, raw.slice(0, 1))).toEqual([
      2,
      expect.stringContaining('nobody approved it'),
    ]);
  });

  it('takes the word of an upgrade under the same key with the first seal of all alone', async () => {
    const log = await oldLog();
    const seq = log.size();
    log.add(
      { operation: 'upgradeLog', details: { records: seq, proved: seq, erased: 5 }, patients: [] },
      today,
    );
    log.erased = 5;
    const sealed = (checkpointSize: number): string[] => {
      const lines = log.exported();
      const [origin = '', size = '', root = ''] = log.checkpoint().split('\n');
      const text = `caregate audit seal v1\n${origin}\n${size}\n${root}\n${checkpointSize}\n`;
      const signature = sign(null, Buffer.from(text), log.key).toString('base64');
      const seal = { size: Number(size), root, checkpoint_size: checkpointSize, signature };
      return lines.toSpliced(-1, 0, JSON.stringify({ seal }));
    };
    const { verifierKey } = log.identity();
    expect((await verifyExport(sealed(0), verifierKey, [], [], now))[0]).toBe(0);
    // One behind a checkpoint is not the first: the groups before it are what was erased.
    expect(await verifyExport(sealed(5), verifierKey, [], [], now)).toEqual([
      2,
      expect.stringMatching(/^Record 0 was erased/u),
    ]);
  });

  it('takes the word of an upgrade only where another key begins', async () => {
    const log = await oldLog();
    const seq = log.size();
    const details = { records: seq, proved: 9, erased: 5 };
    log.add({ operation: 'upgradeLog', details, patients: [] }, today);
    const { verifierKey } = log.identity();
    const other = new MemoryLog().identity().verifierKey;
    log.erased = 5;
    const withKeys = async (
      ...keys: readonly { readonly verifier_key: string; readonly from: number }[]
    ): Promise<[number, string]> => {
      const lines = log.exported();
      const head = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), keys });
      return await verifyExport(lines.with(0, head), verifierKey, [], [], now);
    };
    const refused = [2, expect.stringMatching(/^Record 0 was erased/u)];
    expect(await verified(log)).toEqual(refused);
    expect(await withKeys({ verifier_key: verifierKey, from: 0 })).toEqual(refused);
    const own = { verifier_key: verifierKey, from: seq };
    expect(await withKeys({ verifier_key: verifierKey, from: 0 }, own)).toEqual(refused);
    expect(await withKeys({ verifier_key: other, from: 0 }, own)).toEqual([
      0,
      `Holds: ${seq + 1} records and 0 old checkpoints. Records 9 to ${seq - 1} were not proved at the upgrade (they followed the last checkpoint of the earlier version)`,
    ]);
    log.erased = 6;
    expect(await withKeys({ verifier_key: other, from: 0 }, own)).toEqual([
      2,
      expect.stringMatching(/^Record 5 was erased/u),
    ]);
  });

  it('says where an export was left incomplete, instead of a verdict on what was erased', async () => {
    const log = await oldLog();
    const lines = log.exported();
    const { seq, salt, body } = JSON.parse(lines[6] ?? '') as Record<string, string>;
    expect([seq, salt?.length, body?.length === 0]).toEqual([5, 32, false]);
    const leaf = log.node(0, 5).toString('hex');
    const some = lines.with(6, JSON.stringify({ seq: 5, leaf_hash: leaf }));
    const key = log.identity().verifierKey;
    expect(await verifyExport(some, key)).toEqual([
      0,
      expect.stringContaining('1 records were left out of this export'),
    ]);
    const erased = lines.with(6, JSON.stringify({ seq: 5, leaf_hash: leaf, erased: true }));
    expect((await verifyExport(erased, key))[0]).toBe(2);
  });
});
