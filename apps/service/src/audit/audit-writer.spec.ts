import { describe, expect, it, jest } from '@jest/globals';
import { copyFileSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openRawSqlite } from '../source/store/sqlite/open-sqlite.ts';
import { AuditUnavailableError } from './audit-entry.ts';
import { openAuditLog } from './audit-writer.ts';
import { auditEntry, inFolder, userIds } from './audit.testing.ts';
import { AuditBrokenError } from './log/audit-broken-error.ts';
import { openCheckpoint, parseVerifierKey } from './log/checkpoint.ts';

// Each test starts threads, and with them all that they import: seconds on a machine that is busy.
jest.setTimeout(60_000);

describe('the audit writer', () => {
  it('has a record on disk before it says so', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      for (let at = 0; at < 20; at += 1) {
        const { seq, logId } = await log.record(auditEntry({ requestId: `request ${String(at)}` }));
        expect({ seq, logId }).toEqual({ seq: at, logId: log.logId });
        expect(requestIds(copyOf(folder, at)).at(-1)).toBe(`request ${String(at)}`);
      }
      await log.close();
    });
  });

  it('keeps everything of an entry, and its patients sorted, once each', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder, { host: 'clinic.example', serverId: 'one' });
      const patients = [userIds[0]!, userIds[1]!, userIds[0]!];
      await log.record(auditEntry({ patients, details: { provider: 'oura' } }));
      await log.close();
      const db = read(folder);
      const row = db.prepare('select * from audit_event').get()!;
      expect(row).toMatchObject({
        seq: 0,
        log_id: log.logId,
        server_id: 'one',
        operation: 'resolveUser',
        http_status: 200,
        break_glass_id: null,
      });
      const body = JSON.parse(row['body'] as string) as Record<string, unknown>;
      expect(body).toMatchObject({ version: 1, details: { provider: 'oura' } });
      expect(body['patients']).toEqual([userIds[1], userIds[0]]);
      const seen = db.prepare('select user_id from audit_patient').all();
      expect(seen.map((patient) => patient['user_id'])).toEqual([userIds[1], userIds[0]]);
      db.close();
    });
  });

  it('commits what queued during a sync together, at most 256 at once', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      const all = await Promise.all(Array.from({ length: 1000 }, () => log.record(auditEntry())));
      expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 1000 }, (_, seq) => seq));
      expect(log.state()).toEqual({ queued: 0, latched: false, written: 1000, commits: 5 });
      await log.close();
    });
  });

  it('refuses what goes over the queue, keeps what does not', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder, { queueLimit: 10 });
      const all = await Promise.allSettled(
        Array.from({ length: 15 }, () => log.record(auditEntry())),
      );
      // One went to the writer at once, ten wait.
      expect(all.map(({ status }) => status)).toEqual([
        ...Array.from({ length: 11 }, () => 'fulfilled'),
        ...Array.from({ length: 4 }, () => 'rejected'),
      ]);
      const refused = all.at(-1) as PromiseRejectedResult;
      expect(refused.reason).toBeInstanceOf(AuditUnavailableError);
      expect((refused.reason as AuditUnavailableError).retryAfterSeconds).toBeGreaterThan(0);
      await log.close();
      expect(requestIds(folder)).toHaveLength(11);
    });
  });

  it('latches when a commit fails, takes nothing until the tail is verified, and resumes', async () => {
    await inFolder(async (folder) => {
      const states: string[] = [];
      const log = await openAuditLog(folder, {
        busyTimeoutMs: 20,
        onStateChange: (state) => states.push(state),
      });
      await log.record(auditEntry({ requestId: 'before' }));
      const other = openRawSqlite(join(folder, 'audit.db'));
      other.exec('begin immediate');
      const failed = [log.record(auditEntry()), log.record(auditEntry())];
      for (const record of failed) {
        await expect(record).rejects.toThrow(AuditUnavailableError);
      }
      expect(log.state()).toMatchObject({ latched: true, queued: 0 });
      await expect(log.record(auditEntry())).rejects.toThrow(AuditUnavailableError);
      await expect(log.checkpoint()).rejects.toThrow(AuditUnavailableError);
      other.exec('rollback');
      other.close();
      await until(() => !log.state().latched);
      await log.record(auditEntry({ requestId: 'after' }));
      expect(states).toEqual(['latched', 'open']);
      await log.close();
      expect(requestIds(folder)).toEqual(['before', 'after']);
    });
  });

  it('stays latched where the tail was tampered with meanwhile', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      await log.record(auditEntry());
      const other = new DatabaseSync(join(folder, 'audit.db'));
      other.exec(`drop trigger audit_event_no_delete; delete from audit_event`);
      other.close();
      await expect(log.record(auditEntry())).rejects.toThrow(AuditUnavailableError);
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await expect(log.record(auditEntry())).rejects.toThrow(AuditUnavailableError);
      await log.close();
      await expect(openAuditLog(folder)).rejects.toMatchObject({
        name: AuditBrokenError.name,
        breach: 'truncated',
        seq: 0,
      });
    });
  });

  it('signs a checkpoint at the start, after so many records, on demand and at the end', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder, {
        checkpointEveryRecords: 10,
        host: 'clinic.example',
      });
      for (let at = 0; at < 11; at += 1) {
        await log.record(auditEntry());
      }
      const note = await log.checkpoint();
      expect(openCheckpoint(note, parseVerifierKey(log.verifierKey))).toMatchObject({
        origin: `clinic.example/audit/${log.logId}`,
        size: 11,
      });
      expect(await log.checkpoint()).toBe(note);
      await log.record(auditEntry());
      await log.close();
      expect(checkpoints(folder)).toEqual([0, 10, 11, 12]);
      await expect(log.record(auditEntry())).rejects.toThrow(AuditUnavailableError);
    });
  });

  it('signs a checkpoint after a while', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder, { checkpointEveryMs: 100 });
      await log.record(auditEntry());
      await until(() => checkpoints(folder).length === 2);
      await log.close();
      expect(checkpoints(folder)).toEqual([0, 1]);
    });
  });

  it('goes on where it ended, with the same key, which its owner alone may read', async () => {
    await inFolder(async (folder) => {
      const first = await openAuditLog(folder);
      await first.record(auditEntry());
      await first.close();
      const second = await openAuditLog(folder, { host: 'another.example' });
      expect([second.logId, second.verifierKey]).toEqual([first.logId, first.verifierKey]);
      expect(await second.record(auditEntry())).toEqual({ logId: first.logId, seq: 1 });
      await second.close();
      expect(statSync(join(folder, 'audit-key.pem')).mode & 0o777).toBe(0o600);
      expect(statSync(join(folder, 'audit.db')).mode & 0o777).toBe(0o600);
    });
  });

  it('lets two processes write to one log', async () => {
    await inFolder(async (folder) => {
      const one = await openAuditLog(folder);
      const other = await openAuditLog(folder);
      const receipts = await Promise.all(
        Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? one : other).record(auditEntry())),
      );
      const seqs = receipts.map(({ seq }) => seq).sort((a, b) => a - b);
      expect(seqs).toEqual(Array.from({ length: 100 }, (_, seq) => seq));
      await one.close();
      await other.close();
    });
  });

  it('refuses every change of what is written', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder, { checkpointEveryRecords: 2 });
      await Promise.all([log.record(auditEntry()), log.record(auditEntry())]);
      await log.close();
      const db = new DatabaseSync(join(folder, 'audit.db'));
      for (const table of ['log', 'event', 'patient', 'node', 'checkpoint']) {
        const column = {
          log: 'one',
          event: 'seq',
          patient: 'seq',
          node: 'idx',
          checkpoint: 'size',
        };
        const set = column[table as keyof typeof column];
        expect(() => {
          db.exec(`update audit_${table} set ${set} = ${set}`);
        }).toThrow('append-only');
        expect(() => {
          db.exec(`delete from audit_${table}`);
        }).toThrow('append-only');
      }
      expect(() => {
        db.exec('delete from audit_head');
      }).toThrow('only grows');
      expect(() => {
        db.exec('update audit_head set size = 1');
      }).toThrow('only grows');
      db.close();
    });
  });

  it('loses no record to half a character or a missing field', async () => {
    await inFolder(async (folder) => {
      const log = await openAuditLog(folder);
      await log.record(
        auditEntry({ clientIp: '\ud800', recordCount: Number.NaN, deviceId: undefined as never }),
      );
      await log.close();
      const db = read(folder);
      expect(
        db.prepare('select client_ip, record_count, device_id from audit_event').get(),
      ).toEqual(
        expect.objectContaining({ client_ip: '\ufffd', record_count: null, device_id: null }),
      );
      db.close();
    });
  });
});

/** A copy of the files as they are, as another machine would find them after a crash. */
function copyOf(folder: string, at: number): string {
  const copy = join(folder, `copy-${String(at)}`);
  mkdirSync(copy);
  for (const file of readdirSync(folder).filter((name) => /^audit\.db(?:-wal)?$/u.test(name))) {
    copyFileSync(join(folder, file), join(copy, file));
  }
  return copy;
}

function read(folder: string): DatabaseSync {
  return new DatabaseSync(join(folder, 'audit.db'));
}

function requestIds(folder: string): unknown[] {
  const db = read(folder);
  const rows = db.prepare('select request_id from audit_event order by seq').all();
  db.close();
  return rows.map((row) => row['request_id']);
}

function checkpoints(folder: string): unknown[] {
  const db = read(folder);
  const rows = db.prepare('select size from audit_checkpoint order by size').all();
  db.close();
  return rows.map((row) => row['size']);
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
