import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KeyObject } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caregateIn, type Ended } from '../caregate.testing.ts';
import { loadKey, signCheckpoint } from '@caregate/audit-log/testing';
import { openAuditLog, type AuditLog } from '../../audit/record/record-log.ts';
import { auditEntry } from '../../audit/record/records.testing.ts';

const segment = 'records/000000000000000';
let folder: string;
let data: string;
/** The process of the spec stands for the running service; the commands run beside it. */
let service: AuditLog;
let kept: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-audit-cli-'));
  data = join(folder, 'data');
  mkdirSync(data);
  service = await openAuditLog({ dataDir: data }, { host: 'clinic.example' });
  for (let at = 0; at < 20; at += 1) {
    await service.record(auditEntry());
  }
  kept = join(folder, 'kept.txt');
  writeFileSync(kept, await service.checkpoint());
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Beside the process of the spec, which answers for the service meanwhile. */
async function audit(...arguments_: string[]): Promise<Ended> {
  return await caregateIn({ CAREGATE_DATA: data }, ['audit', ...arguments_]);
}

/** A copy of the log that somebody tampered with. */
function tampered(how: (copy: string) => void = () => undefined): string {
  const copy = mkdtempSync(join(folder, 'copy-'));
  cpSync(data, copy, { recursive: true, filter: (name) => !name.endsWith('socket') });
  how(copy);
  return copy;
}

function rewrite(copy: string, name: string, change: (bytes: Buffer) => Buffer): void {
  const file = join(copy, 'audit', name);
  writeFileSync(file, change(readFileSync(file)));
}

describe('caregate audit', () => {
  it('verifies a log beside the service that writes it', async () => {
    const found = await audit(
      'verify',
      '--from-checkpoint',
      kept,
      '--public-key',
      service.publicKey,
    );
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toContain('Log verified: 20 records');
    expect(found.out).toContain('The given checkpoint matches this log.');
  });

  it('says what a key from the folder itself proves, and names that key', async () => {
    const own = await audit('verify');
    expect(own).toMatchObject({ code: 0, err: '' });
    expect(own.out).toContain(
      `Public key taken from the data folder itself: ${service.publicKey}\nThis proves that nothing was changed by anybody who has not the signing key of this folder. It does not prove`,
    );
    const copy = tampered((folder) => {
      rmSync(join(folder, 'audit-key.pem'));
    });
    const { out } = await audit('verify', '--data', copy);
    expect(out).toContain(
      `Public key taken from the log itself: ${service.publicKey}\nThis proves`,
    );
    const given = await audit('verify', '--public-key', service.publicKey);
    expect(given.out).toContain('Public key taken from the command line.');
    expect(given.out).not.toContain('does not prove');
  });

  it.each<[number, string, (copy: string) => void]>([
    [
      2,
      'are not those that were sealed',
      (copy) => {
        rewrite(copy, segment, (bytes) =>
          bytes.fill('HPAYM', bytes.indexOf('TREAT'), bytes.indexOf('TREAT') + 5),
        );
      },
    ],
    [
      3,
      'truncated',
      (copy) => {
        rewrite(copy, segment, (bytes) => bytes.subarray(0, bytes.lastIndexOf('CGRP')));
      },
    ],
    [
      5,
      'has no valid signature',
      (copy) => {
        rewrite(copy, 'checkpoint', (note) => Buffer.from(note.toString().replace('— ', '- ')));
      },
    ],
    [
      6,
      'is missing',
      (copy) => {
        rewrite(copy, segment, (bytes) => {
          const starts = [bytes.indexOf('CGRP'), bytes.indexOf('CGRP', bytes.indexOf('CGRP') + 1)];
          return Buffer.concat([bytes.subarray(0, starts[0]), bytes.subarray(starts[1])]);
        });
      },
    ],
  ])('exits with %i: %s', async (code, words, how) => {
    const found = await audit('verify', '--data', tampered(how), '--from-checkpoint', kept);
    expect(found).toMatchObject({ code, out: '', err: expect.stringContaining(words) });
  });

  it('exits with 4 for a log of which the kept checkpoint is none, with 5 for another key', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    const log = await openAuditLog({ dataDir: other }, { host: 'clinic.example' });
    await log.record(auditEntry());
    await log.close();
    const found = await audit('verify', '--data', other, '--from-checkpoint', kept);
    expect(found).toMatchObject({
      code: 5,
      err: expect.stringContaining('Verification failed: the checkpoint is not signed by this key'),
    });
    // The same key signed another tree of that size: what whoever has the key can do, and a kept checkpoint shows.
    const key = loadKey(join(data, 'audit-key.pem')) as KeyObject;
    const [origin = ''] = readFileSync(kept, 'utf8').split('\n');
    const note = signCheckpoint({ origin, size: 20, root: Buffer.alloc(32, 1) }, key);
    const forked = join(folder, 'forked.txt');
    writeFileSync(forked, note);
    expect((await audit('verify', '--from-checkpoint', forked)).code).toBe(4);
  });

  it('records an export, and exports a copy without the key as it is', async () => {
    const found = await audit('export');
    const lines = found.out.trimEnd().split('\n');
    const records = lines.filter((line) => line.startsWith('{"seq"'));
    expect([found.code, records.length]).toEqual([0, 21]);
    expect(records.at(-1)).toContain('exportAudit');
    const copy = tampered();
    rmSync(join(copy, 'audit-key.pem'));
    expect(await audit('export', '--data', copy)).toMatchObject({ code: 0, out: found.out });
    expect(readdirSync(copy)).not.toContain('audit-key.pem');
  });

  it('proves, and gives the public key and a checkpoint', async () => {
    const proof = JSON.parse((await audit('prove-inclusion', '3')).out) as {
      proof: string[];
      size: number;
    };
    expect(proof.proof.length).toBe(5);
    expect((await audit('prove-consistency', '3', String(proof.size))).code).toBe(0);
    expect(await audit('prove-consistency', '9', '3')).toMatchObject({ code: 1, out: '' });
    expect((await audit('prove-inclusion', '12345')).code).toBe(1);
    expect((await audit('public-key')).out).toBe(`${service.publicKey}\n`);
    expect((await audit('checkpoint')).out).toMatch(/^clinic\.example\/audit\//u);
  });

  it('begins a new log where the key was lost, and keeps the old one for a verification', async () => {
    const broken = tampered((copy) => {
      rmSync(join(copy, 'audit-key.pem'));
    });
    const words = ['new-log', '--reason', 'The disk was replaced.', '--data', broken, '--json'];
    const { code, err, out } = await audit(...words);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const { archive } = JSON.parse(out) as { archive: string };
    expect(await audit('verify', '--data', broken)).toMatchObject({ code: 0 });
    const old = join(folder, 'archived');
    mkdirSync(old);
    renameSync(archive, join(old, 'audit'));
    const key = ['--public-key', service.publicKey];
    expect(await audit('verify', '--data', old, ...key)).toMatchObject({ code: 0 });
  });

  it('takes wrong usage and a missing log for neither an altered nor a new log', async () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    for (const wrong of [
      ['verify', '--nope'],
      ['prove-inclusion', 'x'],
      ['verify', '--data', empty],
      ['export', '--data', empty],
      ['verify', '--public-key', '/nowhere'],
    ]) {
      expect(await audit(...wrong)).toMatchObject({ code: 1, out: '' });
    }
    expect(readdirSync(empty)).toEqual([]);
  });
});
