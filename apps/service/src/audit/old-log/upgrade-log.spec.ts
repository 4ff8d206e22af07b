import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, jest } from '@jest/globals';
import {
  AuditBrokenError,
  AuditLogError,
  exportNdjson,
  formatVerifierKey,
  loadOrMakeKey,
  nodeDisk,
  openAuditLog,
  openCheckpoint,
  parseVerifierKey,
  verifierKey,
  verifyFolder,
} from '@caregate/audit-log';
import { auditEntry, bodiesIn, inFolder, withReader } from '@caregate/audit-log/testing';
import { runVerify } from '../cli/verify-command.ts';
import { openLog } from '../offline/open-log.ts';
import { oldLog } from './old-log.testing.ts';
import { upgradeLog } from './upgrade-log.ts';

interface Independent {
  readonly verifyExport: (lines: readonly string[], key: string) => Promise<[number, string]>;
}

/** What the verifier that shares no code with this says of an export. */
async function independentlyVerified(folder: string, key: string): Promise<[number, string]> {
  const file = new URL('../../../../../tools/audit-verifier/src/verify.mjs', import.meta.url);
  const { verifyExport } = (await import(fileURLToPath(file))) as Independent;
  const reader = openLog(folder);
  let text = '';
  for await (const piece of exportNdjson(reader, reader.checkpoint())) {
    text += piece;
  }
  reader.close();
  return await verifyExport(text.trimEnd().split('\n'), key);
}

async function printed(work: () => Promise<number>): Promise<string> {
  const write = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  try {
    expect(await work()).toBe(0);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

describe('an audit log of an earlier version', () => {
  it('is taken over: the same tree, a new key, the end marked as unproved; the log goes on', async () => {
    await inFolder(async (folder) => {
      const old = oldLog(folder);
      const oldKey = verifierKey(old.origin, loadOrMakeKey(folder));
      const db = new DatabaseSync(join(folder, 'audit.db'));
      const kept = String(
        db.prepare('select max(size), note from audit_checkpoint').get()?.['note'],
      );
      db.close();
      const report = upgradeLog(folder);
      expect(report).toMatchObject({ records: 640, proved: 600, erased: 0 });
      expect(report.publicKey).not.toBe(old.verifierKey);
      const { root } = openCheckpoint(kept, oldKey);
      withReader(folder, (reader) => {
        expect(reader.root(600)).toEqual(root);
        expect(reader.identity().logId).toBe(old.logId);
      });
      const bodies = bodiesIn(folder);
      expect(bodies).toHaveLength(641);
      expect(bodies.at(-1)).toMatchObject({
        operation: 'upgradeLog',
        details: { records: 640, proved: 600 },
      });
      const log = await openAuditLog(folder);
      expect((await log.record(auditEntry())).seq).toBe(641);
      await log.close();
      const key = parseVerifierKey(report.publicKey);
      expect(await verifyFolder(nodeDisk, folder, { key })).toMatchObject({
        size: 642,
        notProved: { first: 600, end: 640 },
      });
      const told =
        'Records 600 to 639 were not proved at the upgrade (they followed the last checkpoint of the earlier version)';
      const said = await independentlyVerified(folder, report.publicKey);
      expect(said).toEqual([0, `Holds: 642 records and 0 old checkpoints. ${told}`]);
      expect(await printed(() => runVerify({ data: folder }))).toContain(`\n${told}.\n`);
      expect(existsSync(join(folder, 'audit.db'))).toBe(false);
      expect(existsSync(join(folder, 'audit.db.upgraded'))).toBe(true);
    });
  });

  it('keeps what a cut erased as hashes', async () => {
    await inFolder(async (folder) => {
      oldLog(folder, { erased: 300 });
      const { publicKey, erased } = upgradeLog(folder);
      expect(erased).toBe(300);
      const report = await verifyFolder(nodeDisk, folder, { key: parseVerifierKey(publicKey) });
      expect(report).toMatchObject({ size: 641, cut: 300, unproven: 300 });
      expect((await independentlyVerified(folder, publicKey))[0]).toBe(0);
      expect(await printed(() => runVerify({ data: folder }))).toContain(
        "Records 0 to 299 were erased before cuts carried a proof, by the log's own word.",
      );
      await (await openAuditLog(folder)).close();
    });
  });

  it('is not taken over where the cut that allows what is erased follows the last checkpoint', async () => {
    await inFolder((folder) => {
      oldLog(folder, { erased: 600, cutAt: 600 });
      expect(() => upgradeLog(folder)).toThrow('Record 0 was erased without a retention cut');
      expect(() => upgradeLog(folder)).toThrow('record 600 follows the last checkpoint');
      return Promise.resolve();
    });
  });

  it('is not taken over where no checkpoint covers any of its records', async () => {
    await inFolder((folder) => {
      oldLog(folder, { proved: 0, records: 40 });
      expect(() => upgradeLog(folder)).toThrow(
        'covers none of its 40 records: nothing proves them',
      );
      return Promise.resolve();
    });
  });

  it.each([
    'audit/held/break-0a1b2c3d/log',
    'audit/records/0.log',
    'audit/checkpoint',
    'audit/tile/0',
    'audit/log.new',
  ])('is not taken over where a log of this version was: %s', async (name) => {
    await inFolder((folder) => {
      oldLog(folder);
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), '');
      expect(() => upgradeLog(folder)).toThrow('had an audit log of this version');
      expect(existsSync(join(folder, 'audit.db'))).toBe(true);
      // Nor where a break is being accepted, which its marker tells from an upgrade.
      writeFileSync(join(folder, 'audit/renewing'), 'break-0a1b2c3d');
      expect(() => upgradeLog(folder)).toThrow('had an audit log of this version');
      return Promise.resolve();
    });
  });

  it('goes on under the key that signed it, whatever key its file names', async () => {
    await inFolder(async (folder) => {
      const { verifierKey: signedBy, origin } = oldLog(folder);
      const db = new DatabaseSync(join(folder, 'audit.db'));
      const other = verifierKey(origin, generateKeyPairSync('ed25519').privateKey);
      const triggers = db
        .prepare("select name, sql from sqlite_schema where type = 'trigger' and tbl_name = ?")
        .all('audit_log');
      triggers.forEach(({ name }) => {
        db.exec(`drop trigger ${String(name)}`);
      });
      db.prepare('update audit_log set verifier_key = ?').run(formatVerifierKey(other));
      triggers.forEach(({ sql }) => {
        db.exec(String(sql));
      });
      db.close();
      const { publicKey } = upgradeLog(folder);
      expect(readFileSync(join(folder, 'audit/log'), 'utf8')).toContain(signedBy);
      await verifyFolder(nodeDisk, folder, { key: parseVerifierKey(publicKey) });
    });
  });

  it('is not opened by a start, which names the command', async () => {
    await inFolder(async (folder) => {
      oldLog(folder);
      await expect(openAuditLog(folder)).rejects.toMatchObject({ kind: 'only_old_log' });
      await expect(openAuditLog(folder)).rejects.toThrow('caregate audit upgrade');
    });
  });

  it('is not taken over where it was altered, planted with another key, or is in use', async () => {
    await inFolder(async (folder) => {
      oldLog(folder);
      const key = readFileSync(join(folder, 'audit-key.pem'));
      const other = generateKeyPairSync('ed25519').privateKey;
      writeFileSync(
        join(folder, 'audit-key.pem'),
        other.export({ type: 'pkcs8', format: 'pem' }).toString(),
      );
      expect(() => upgradeLog(folder)).toThrow(AuditBrokenError);
      writeFileSync(join(folder, 'audit-key.pem'), key);
      const db = new DatabaseSync(join(folder, 'audit.db'));
      db.exec('begin immediate');
      expect(() => upgradeLog(folder)).toThrow('Another process');
      db.exec('rollback');
      db.exec(`drop trigger audit_event_no_update;
        update audit_event set body = replace(body, 'TREAT', 'HPAYMT') where seq = 7`);
      db.close();
      expect(() => upgradeLog(folder)).toThrow(AuditBrokenError);
      await expect(openAuditLog(folder)).rejects.toMatchObject({ kind: 'only_old_log' });
    });
  });

  it('is taken over by the same command again after an interruption', async () => {
    await inFolder(async (folder) => {
      oldLog(folder);
      const key = readFileSync(join(folder, 'audit-key.pem'));
      const old = readFileSync(join(folder, 'audit.db'));
      upgradeLog(folder);
      rmSync(join(folder, 'audit.db.upgraded'));
      // As if it had been killed before the new key stood in its place, and the old log was still there.
      writeFileSync(join(folder, 'audit-key.pem'), key);
      writeFileSync(join(folder, 'audit/renewing'), '');
      writeFileSync(join(folder, 'audit.db'), old);
      await expect(openAuditLog(folder)).rejects.toMatchObject({ kind: 'only_old_log' });
      const { publicKey } = upgradeLog(folder);
      rmSync(join(folder, 'audit.db.upgraded'));
      // As if only the old log was left to be set aside.
      writeFileSync(join(folder, 'audit.db'), old);
      expect(upgradeLog(folder)).toMatchObject({ publicKey, records: 640 });
      await (await openAuditLog(folder)).close();
      expect(() => upgradeLog(folder)).toThrow(AuditLogError);
      // With the old log set aside, another one is not what was left of an upgrade.
      writeFileSync(join(folder, 'audit.db'), old);
      expect(() => upgradeLog(folder)).toThrow('audit.db.upgraded');
    });
  });
});
