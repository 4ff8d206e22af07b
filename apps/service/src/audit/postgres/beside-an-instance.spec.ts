import { describe, expect, it, jest } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { VerifierKey } from '@caregate/audit-log';
import { verifyPostgresLog } from '@caregate/audit-log/postgres';
import { inFolder, openSession, type AuditSession } from '@caregate/audit-log/testing';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { openPostgres } from '../../database/postgres/open-postgres.ts';
import { runVerify } from '../cli/verify-command.ts';
import { runVerifyPostgres, type VerifyLogsFlags } from '../cli/verify-postgres-command.ts';
import { ActRecorder, recordActs } from '../record-acts.ts';
import { commandEntry } from '../system-record.ts';
import { migrateAudit } from './audit-schema.ts';
import { openAuditLog, openPostgresAuditLog } from '../record/record-log.ts';
import type { RecordBody } from '../record/record-body.ts';
import { auditEntry } from '../record/records.testing.ts';

interface Parts {
  readonly url: string;
  readonly dataDir: string;
  readonly db: AuditSession;
  readonly pool: pg.Pool;
  readonly verify: (
    flags?: VerifyLogsFlags,
  ) => Promise<{ readonly code: number; readonly said: string; readonly json: () => unknown[] }>;
}

async function onServer(work: (parts: Parts) => Promise<void>): Promise<void> {
  await inFolder(async (dataDir) => {
    const url = await newDatabase();
    const pool = openPostgres(url, {
      applicationName: 'caregate spec',
      connections: 2,
      statementTimeoutMs: 0,
      connectTimeoutMs: 10_000,
    });
    await migrateAudit(pool);
    const db = await openSession({ url, timeoutMs: 600_000 }, () => undefined);
    const verify: Parts['verify'] = async (flags = {}) => {
      let said = '';
      const take = (text: string | Uint8Array): boolean => {
        said += String(text);
        return true;
      };
      const out = jest.spyOn(process.stdout, 'write').mockImplementation(take);
      const err = jest.spyOn(process.stderr, 'write').mockImplementation(take);
      try {
        const code = await runVerifyPostgres(pool, { data: dataDir, ...flags });
        const json = (): unknown[] =>
          said
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as unknown);
        return { code, said, json };
      } finally {
        out.mockRestore();
        err.mockRestore();
      }
    };
    try {
      await work({ url, dataDir, db, pool, verify });
    } finally {
      await db.close();
      await pool.end();
    }
  });
}

describe('commands beside a running instance on PostgreSQL', () => {
  it('record in a log of their own by the key of the data folder, the same one each time', async () => {
    await onServer(async ({ url, dataDir, db, pool, verify }) => {
      const instance = await openPostgresAuditLog(url, dataDir);
      for (const operation of ['createKey', 'importStarted', 'reviewBreakGlass']) {
        await recordActs({ dataDir, database: { url, replicated: false } }, [
          commandEntry(operation, {}),
        ]);
        await instance.record(auditEntry());
      }
      const { rows } = await db.query(
        `select e.log_id, e.body, l.verifier_key from audit.audit_event e join audit.audit_log l using (log_id)
         where operation in ('createKey', 'importStarted', 'reviewBreakGlass') order by seq`,
      );
      expect(rows.map(({ body }) => (JSON.parse(body as string) as RecordBody).operation)).toEqual([
        'createKey',
        'importStarted',
        'reviewBreakGlass',
      ]);
      const logs = new Set(rows.map((row) => row['log_id']));
      expect([logs.size, logs.has(instance.logId)]).toEqual([1, false]);
      await instance.close();
      const key = VerifierKey.parse(String(rows[0]?.['verifier_key']));
      await verifyPostgresLog(db, { key });
      expect((await verify()).code).toBe(0);
      // An instance that starts again has its own, and does not see itself in that of the commands.
      const again = await openPostgresAuditLog(url, dataDir);
      expect(again.logId).toBe(instance.logId);
      await again.close();
      // One that stays open between its records opens it again after its session was lost.
      const acts = new ActRecorder({ dataDir, database: { url, replicated: false } });
      await acts.record(commandEntry('backup', {}));
      await pool.query(
        `select pg_terminate_backend(pid, 5000) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await acts.record(commandEntry('restore', {})).catch(() => undefined);
      await acts.record(commandEntry('teamCreated', {}));
      await acts.close();
      const { rows: held } = await pool.query<{ log_id: string }>(
        `select distinct log_id from audit.audit_event where operation in ('backup', 'teamCreated')`,
      );
      expect(held).toHaveLength(1);
      expect((await verify()).code).toBe(0);
    });
  });
});

describe('a verification with the data folder', () => {
  async function cutOff(db: AuditSession, before: number, logId?: string): Promise<void> {
    const of = logId === undefined ? '' : `and log_id = '${logId}'`;
    await db.query(`begin; set local search_path to audit;
      alter table audit_event disable trigger all; alter table audit_seal disable trigger all;
      alter table audit_checkpoint disable trigger all;
      delete from audit_event where seq >= ${before} ${of}; delete from audit_seal where size > ${before} ${of};
      delete from audit_checkpoint where size > ${before} ${of};
      alter table audit_event enable always trigger audit_event_append_only;
      alter table audit_seal enable always trigger audit_seal_append_only;
      alter table audit_checkpoint enable always trigger audit_checkpoint_append_only; commit`);
  }

  it('finds the newest records cut off with their seals and checkpoints, and a log that is gone', async () => {
    await onServer(async ({ url, dataDir, db, verify }) => {
      const log = await openPostgresAuditLog(url, dataDir);
      for (let at = 0; at < 5; at += 1) {
        await log.record(auditEntry());
        await log.checkpoint();
      }
      const kept = join(dataDir, 'audit-kept', log.logId);
      await log.close();
      while (!existsSync(kept) || !readFileSync(kept, 'utf8').includes('\n6\n')) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(await verify()).toMatchObject({
        code: 0,
        said: expect.stringContaining('The checkpoints kept in'),
      });
      await cutOff(db, 3);
      expect(await verify()).toMatchObject({
        code: 3,
        said: expect.stringContaining('has 3 records in the database, and had 6'),
      });
      const note = readFileSync(kept, 'utf8');
      writeFileSync(join(dataDir, 'audit-kept', '000000000000'), note);
      writeFileSync(kept, note.replace('\n6\n', '\n2\n'));
      const { code, said } = await verify();
      expect([code, readdirSync(join(dataDir, 'audit-kept')).length]).toEqual([3, 2]);
      expect(said).toContain('log 000000000000 has 0 records in the database, and had 6');
      expect(said).toContain('is not signed by the key of its data folder');
    });
  });

  it('tells programs a line for each log, in the shape that the log of a folder has', async () => {
    await onServer(async ({ url, dataDir, db, verify }) => {
      const log = await openPostgresAuditLog(url, dataDir);
      await log.record(auditEntry());
      const note = await log.checkpoint();
      await recordActs({ dataDir, database: { url, replicated: false } }, [
        commandEntry('createKey', {}),
      ]);
      await log.close();
      const file = join(dataDir, 'note.txt');
      writeFileSync(file, note);
      const ofFolder = await inFolder(async (folder) => {
        const inFiles = await openAuditLog({ dataDir: folder });
        await inFiles.close();
        const said: string[] = [];
        const out = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
          said.push(String(text));
          return true;
        });
        try {
          await runVerify({ data: folder, json: true });
        } finally {
          out.mockRestore();
        }
        return JSON.parse(said.join('')) as object;
      });
      const { code, json } = await verify({ json: true, fromCheckpoint: file });
      const found = json() as { readonly log: string; readonly checkpoint: boolean }[];
      expect([code, found.length]).toEqual([0, 2]);
      for (const one of found) {
        expect(Object.keys(one)).toEqual(Object.keys(ofFolder));
      }
      const origin = note.slice(0, note.indexOf('\n'));
      expect(found.find((one) => one.log === origin)).toEqual({
        ...{ log: origin, verified: true, size: 2, seals: 2 },
        checkpoints: expect.any(Number),
        root: note.split('\n')[2],
        key: log.publicKey,
        key_from: 'the log itself',
        checkpoint: true,
      });
      const one = await verify({ json: true, log: log.logId, publicKey: log.publicKey });
      expect(one.json()).toEqual([
        expect.objectContaining({ log: origin, key_from: 'the command line', checkpoint: false }),
      ]);
      await cutOff(db, 1, log.logId);
      const broken = await verify({ json: true, fromCheckpoint: file });
      expect(broken.code).toBe(3);
      expect(broken.json()).toHaveLength(2);
      expect(broken.json()).toContainEqual({
        ...{ log: origin, verified: false, breach: 'truncated' },
        message: expect.stringContaining('truncated'),
      });
      const gone = note.replace(origin, 'clinic.example/audit/000000000000');
      writeFileSync(file, gone);
      expect((await verify({ json: true, fromCheckpoint: file })).json()).toContainEqual({
        ...{ log: 'clinic.example/audit/000000000000', verified: false, breach: 'truncated' },
        message: 'The log is missing',
      });
    });
  });
});
