import { afterAll, describe, expect, it } from '@jest/globals';
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { caregateIn, type Ended } from '../caregate.testing.ts';
import { VerifierKey } from '@caregate/audit-log';
import { formatCheckpoint, signHead } from '@caregate/audit-log/testing';
import { openAuditLog } from '../../audit/open-log.ts';
import { auditEntry, editLog } from '../../audit/records.testing.ts';
import { createSpecFolder } from '../../testing/folder.testing.ts';

const folder = createSpecFolder();
const data = join(folder, 'data');
mkdirSync(data);
/** This process acts as the running service. */
const service = await openAuditLog({ dataDir: data }, { host: 'clinic.example' });
afterAll(() => service.close());
await Promise.all(Array.from({ length: 20 }, () => service.record(auditEntry())));
const stored = join(folder, 'kept.txt');
writeFileSync(stored, await service.checkpoint());

async function audit(...arguments_: string[]): Promise<Ended> {
  return await caregateIn({ CAREGATE_DATA: data }, ['audit', ...arguments_]);
}

/** Copies the log, and changes the copy. */
function tampered(how: (copy: string) => void = () => undefined): string {
  const copy = mkdtempSync(join(folder, 'copy-'));
  cpSync(data, copy, { recursive: true });
  how(copy);
  return copy;
}

describe('caregate audit', () => {
  it('verifies a log beside the service that writes it', async () => {
    const given = ['--checkpoint', stored, '--public-key', service.publicKey];
    const found = await audit('verify', ...given);
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toContain('Log verified: 21 records');
    expect(found.out).toContain('It extends the given checkpoint.');
    expect(found.out).toContain('Signed by the given public key.');
  });

  const forgedBody = `replace(body, 'TREAT', 'HPAYM')`;
  it.each<[number, string, string]>([
    [
      2,
      'are not those that were signed',
      `update audit_record set body = ${forgedBody} where seq = 7`,
    ],
    [
      5,
      'did not sign the newest head',
      'update audit_head set signature = zeroblob(68) where size = 21',
    ],
    [6, 'Record 7 is missing', 'delete from audit_record where seq = 7'],
  ])('exits with %i: %s', async (code, words, sql) => {
    const copy = tampered((made) => {
      editLog(made, sql);
    });
    const found = await audit('verify', '--data', copy, '--checkpoint', stored);
    expect(found).toMatchObject({ code, out: '', err: expect.stringContaining(words) });
  });

  it('exits with 3 for a log whose newest records were cut off with their heads', async () => {
    const earlier = tampered();
    await service.record(auditEntry());
    const newer = join(folder, 'newer.txt');
    writeFileSync(newer, await service.checkpoint());
    expect(await audit('verify', '--data', earlier)).toMatchObject({ code: 0 });
    expect(await audit('verify', '--data', earlier, '--checkpoint', newer)).toMatchObject({
      ...{ code: 3, out: '', err: expect.stringContaining('The log has 21 records') },
    });
  });

  it('exits with 4 if the kept checkpoint is of another log, with 5 for another key', async () => {
    // Somebody with the key signs another tree of the same size, which a kept checkpoint reveals.
    const key = createPrivateKey(readFileSync(join(data, 'audit-key.pem')));
    const { name } = VerifierKey.parse(service.publicKey);
    const tree = { size: 20, root: Buffer.alloc(32, 1) };
    const forked = join(folder, 'forked.txt');
    writeFileSync(
      forked,
      formatCheckpoint(name, signHead(tree, key, VerifierKey.fromKey(name, key))),
    );
    expect((await audit('verify', '--checkpoint', forked)).code).toBe(4);
    const other = join(folder, 'other');
    mkdirSync(other);
    const log = await openAuditLog({ dataDir: other }, { host: 'clinic.example' });
    await log.close();
    expect(await audit('verify', '--public-key', log.publicKey)).toMatchObject({
      ...{ code: 5, out: '', err: expect.stringContaining('which is none of the given keys') },
    });
    const another = VerifierKey.fromKey(name, generateKeyPairSync('ed25519').privateKey);
    expect(await audit('verify', '--public-key', another.text)).toMatchObject({
      ...{ code: 5, out: '', err: expect.stringContaining('which is none of the given keys') },
    });
    // The checkpoint belongs to the log that was replaced.
    expect(await audit('verify', '--data', other, '--checkpoint', stored)).toMatchObject({
      ...{ code: 3, err: expect.stringContaining('The log is missing') },
    });
  });

  it('records an export, and exports a copy without the key as it is', async () => {
    const found = await audit('export');
    const lines = found.out.trimEnd().split('\n');
    const records = lines.filter((line) => line.startsWith('{"seq"'));
    expect([found.code, records.length]).toEqual([0, 23]);
    expect(records.at(-1)).toContain('exportAudit');
    const copy = tampered();
    rmSync(join(copy, 'audit-key.pem'));
    expect(await audit('export', '--data', copy)).toMatchObject({ code: 0, out: found.out });
    expect(readdirSync(copy)).not.toContain('audit-key.pem');
  });

  it('exits with 1 for wrong usage and for a missing log', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    for (const wrong of [
      ['verify', '--nope'],
      ['events', '--record', 'x'],
      ['verify', '--data', empty],
      ['export', '--data', empty],
      ['verify', '--public-key', '/nowhere'],
    ]) {
      expect(await audit(...wrong)).toMatchObject({ code: 1, out: '' });
    }
    expect(readdirSync(empty)).toEqual([]);
  });
});
