import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import type { AuditLog } from '../../audit/audit-log.ts';
import { openAuditLog } from '../../audit/audit-writer.ts';
import { auditEntry } from '../../audit/audit.testing.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));
let folder: string;
let data: string;
/** The process of the spec stands for the running service; the commands run beside it. */
let service: AuditLog;
let kept: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-audit-cli-'));
  data = join(folder, 'data');
  mkdirSync(data);
  service = await openAuditLog(data, { host: 'clinic.example' });
  await Promise.all(Array.from({ length: 20 }, () => service.record(auditEntry())));
  kept = join(folder, 'kept.txt');
  writeFileSync(kept, await service.checkpoint());
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

function audit(...arguments_: string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@caregate/source', main, 'audit', ...arguments_],
    { env: { PATH: process.env['PATH'], CAREGATE_DATA: data }, encoding: 'utf8' },
  );
  return { code: status, out: stdout, err: stderr };
}

/** A copy of the log that somebody tampered with. */
function tampered(statements: string): string {
  const copy = mkdtempSync(join(folder, 'copy-'));
  cpSync(data, copy, { recursive: true });
  const db = new DatabaseSync(join(copy, 'audit.db'));
  const triggers = db.prepare(`select name, sql from sqlite_schema where type = 'trigger'`).all();
  triggers.forEach((trigger) => {
    db.exec(`drop trigger ${String(trigger['name'])}`);
  });
  db.exec(statements);
  triggers.forEach((trigger) => {
    db.exec(String(trigger['sql']));
  });
  db.close();
  return copy;
}

describe('caregate audit', () => {
  it('verifies a log beside the service that writes it', () => {
    const found = audit('verify', '--from-checkpoint', kept, '--public-key', service.verifierKey);
    expect(found).toMatchObject({ code: 0, err: '' });
    expect(found.out).toContain('Log verified: 20 records');
    expect(found.out).toContain('The given checkpoint matches this log.');
  });

  it.each([
    [
      2,
      'Verification failed: record 7 was altered.\n',
      `update audit_event set body = replace(body, 'TREAT', 'HPAYMT') where seq = 7`,
    ],
    [
      3,
      'is truncated after 15 of 20',
      `delete from audit_event where seq > 14; delete from audit_patient where seq > 14`,
    ],
    [5, 'has no valid signature', `update audit_checkpoint set note = replace(note, '— ', '- ')`],
    [6, 'Verification failed: record 7 is missing.\n', `delete from audit_event where seq = 7`],
  ])('exits with %i: %s', (code, words, statements) => {
    const found = audit('verify', '--data', tampered(statements), '--from-checkpoint', kept);
    expect(found).toMatchObject({ code, out: '', err: expect.stringContaining(words) });
  });

  it('exits with 4 for a log of which the kept checkpoint is none, with 5 for another key', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    cpSync(join(data, 'audit-key.pem'), join(other, 'audit-key.pem'));
    const log = await openAuditLog(other, { host: 'clinic.example' });
    await log.record(auditEntry());
    await log.close();
    const found = audit('verify', '--data', other, '--from-checkpoint', kept);
    // The same key under another log id is another key of the signed note.
    expect(found).toMatchObject({
      code: 5,
      err: expect.stringContaining('Verification failed: the checkpoint is not signed by this key'),
    });
    const forked = tampered(
      `update audit_checkpoint set size = 19 where size = 20;
       update audit_checkpoint set size = 20 where size = 0;
       update audit_checkpoint set size = 0 where size = 19`,
    );
    expect(audit('verify', '--data', forked).code).toBe(4);
  });

  it('records an export, and exports a copy without the key as it is', () => {
    const found = audit('export');
    const lines = found.out.trimEnd().split('\n');
    expect([found.code, lines.length]).toEqual([0, 23]);
    expect(lines.at(-2)).toContain('exportAudit');
    const copy = tampered('');
    rmSync(join(copy, 'audit-key.pem'));
    expect(audit('export', '--data', copy)).toMatchObject({ code: 0, out: found.out });
    expect(readdirSync(copy)).not.toContain('audit-key.pem');
  });

  it('proves, and gives the public key and a checkpoint', () => {
    const proof = JSON.parse(audit('prove-inclusion', '3').out) as {
      proof: string[];
      size: number;
    };
    expect(proof.proof.length).toBe(5);
    expect(audit('prove-consistency', '3', String(proof.size)).code).toBe(0);
    expect(audit('prove-consistency', '9', '3')).toMatchObject({ code: 1, out: '' });
    expect(audit('prove-inclusion', '12345').code).toBe(1);
    expect(audit('public-key').out).toBe(`${service.verifierKey}\n`);
    expect(audit('checkpoint').out).toMatch(/^clinic\.example\/audit\//u);
  });

  it('takes wrong usage and a missing log for neither an altered nor a new log', () => {
    const empty = join(folder, 'empty');
    mkdirSync(empty);
    for (const wrong of [
      ['verify', '--nope'],
      ['prove-inclusion', 'x'],
      ['verify', '--data', empty],
      ['export', '--data', empty],
      ['verify', '--public-key', '/nowhere'],
    ]) {
      expect(audit(...wrong)).toMatchObject({ code: 1, out: '' });
    }
    expect(readdirSync(empty)).toEqual([]);
  });
});
