import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { parseBody, parseVerifierKey } from '@caregate/audit-log';
import {
  openPostgresAuditLog,
  openSession,
  verifyPostgresLog,
  type AuditSession,
} from '@caregate/audit-log/postgres';
import { auditEntry, inFolder } from '@caregate/audit-log/testing';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPostgres } from '../../database/postgres/open-postgres.ts';
import { runVerifyPostgres } from '../cli/verify-postgres-command.ts';
import { recordActs } from '../record-acts.ts';
import { commandEntry } from '../system-record.ts';
import { migrateAudit } from './audit-schema.ts';

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
});
afterAll(() => server.stop());

interface Parts {
  readonly url: string;
  readonly dataDir: string;
  readonly db: AuditSession;
  readonly verify: () => Promise<{ code: number; said: string }>;
}

async function onServer(work: (parts: Parts) => Promise<void>): Promise<void> {
  await inFolder(async (dataDir) => {
    const url = await server.database();
    const pool = openPostgres(url, {
      applicationName: 'caregate spec',
      connections: 2,
      statementTimeoutMs: 0,
      connectTimeoutMs: 10_000,
    });
    await migrateAudit(pool);
    const db = await openSession({ url, timeoutMs: 600_000 }, () => undefined);
    const verify = async (): ReturnType<Parts['verify']> => {
      let said = '';
      const take = (text: string | Uint8Array): boolean => {
        said += String(text);
        return true;
      };
      const out = jest.spyOn(process.stdout, 'write').mockImplementation(take);
      const err = jest.spyOn(process.stderr, 'write').mockImplementation(take);
      try {
        return { code: await runVerifyPostgres(pool, { data: dataDir }), said };
      } finally {
        out.mockRestore();
        err.mockRestore();
      }
    };
    try {
      await work({ url, dataDir, db, verify });
    } finally {
      await db.close();
      await pool.end();
    }
  });
}

describe('commands beside a running instance on PostgreSQL', () => {
  it('record in a log of their own by the key of the data folder, the same one each time', async () => {
    await onServer(async ({ url, dataDir, db, verify }) => {
      const instance = await openPostgresAuditLog(url, dataDir);
      for (const operation of ['createKey', 'importStarted', 'reviewBreakGlass']) {
        await recordActs({ dataDir, databaseUrl: url }, [commandEntry(operation, {})]);
        await instance.record(auditEntry());
      }
      const { rows } = await db.query(
        `select e.log_id, e.body, l.verifier_key from audit.audit_event e join audit.audit_log l using (log_id)
         where operation in ('createKey', 'importStarted', 'reviewBreakGlass') order by seq`,
      );
      expect(rows.map(({ body }) => parseBody(body as string).operation)).toEqual([
        'createKey',
        'importStarted',
        'reviewBreakGlass',
      ]);
      const logs = new Set(rows.map((row) => row['log_id']));
      expect([logs.size, logs.has(instance.logId)]).toEqual([1, false]);
      await instance.close();
      const key = parseVerifierKey(String(rows[0]?.['verifier_key']));
      await verifyPostgresLog(db, { key });
      expect((await verify()).code).toBe(0);
      // An instance that starts again has its own, and does not see itself in that of the commands.
      const again = await openPostgresAuditLog(url, dataDir);
      expect(again.logId).toBe(instance.logId);
      await again.close();
    });
  });
});

describe('a verification with the data folder', () => {
  async function cutOff(db: AuditSession, before: number): Promise<void> {
    await db.query(`begin; set local search_path to audit;
      alter table audit_event disable trigger all; alter table audit_seal disable trigger all;
      alter table audit_checkpoint disable trigger all;
      delete from audit_event where seq >= ${before}; delete from audit_seal where size > ${before};
      delete from audit_checkpoint where size > ${before};
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
      writeFileSync(join(dataDir, 'audit-kept', '0a1b2c3d4e5f'), note);
      writeFileSync(kept, note.replace('\n6\n', '\n2\n'));
      const { code, said } = await verify();
      expect([code, readdirSync(join(dataDir, 'audit-kept')).length]).toEqual([3, 2]);
      expect(said).toContain('log 0a1b2c3d4e5f has 0 records in the database, and had 6');
      expect(said).toContain('is not signed by the key of its data folder');
    });
  });
});
