import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { findPostgres, startPostgres, type PostgresServer } from '@caregate/postgres';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { AuditUnavailableError } from '../errors.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { auditEntry } from '../testing/audit-entry.testing.ts';
import { makeAuditTables, newKey, openLog, sessionOf } from '../testing/postgres-log.testing.ts';
import type { AuditLog } from '../writer/audit-log.ts';
import { keptFolder } from './kept-checkpoints.ts';
import { openPostgresAuditLog } from './postgres-backend.ts';
import { rotateKeyOnPostgres } from './rotate-key.ts';
import { auditTables } from './stored/schema.ts';
import { verifyPostgresLog } from './verify/verify-postgres.ts';

let server: PostgresServer;
let folder: string;
let pool: pg.Pool;

const poolOf = (url: string): pg.Pool => new pg.Pool({ connectionString: url, max: 2 });

beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
  folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  pool = poolOf(server.url);
  const owner = await sessionOf(server.url);
  await makeAuditTables(owner);
  await owner.close();
});
afterAll(async () => {
  await pool.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function verified(log: Pick<AuditLog, 'verifierKey'>): Promise<number> {
  const connection = await pool.connect();
  try {
    const key = VerifierKey.parse(log.verifierKey);
    return (await verifyPostgresLog(connection, { key })).size;
  } finally {
    connection.release();
  }
}

describe('a role that may INSERT and SELECT, and no more', () => {
  let url: string;
  let asRole: pg.Pool;
  beforeAll(async () => {
    await pool.query(`create role appender login password 'spec';
      grant usage on schema audit to appender;
      grant select, insert on all tables in schema audit to appender`);
    const address = new URL(server.url);
    [address.username, address.password] = ['appender', 'spec'];
    url = address.href;
    asRole = poolOf(url);
  });
  afterAll(() => asRole.end());

  it('is all that a log needs, its start, its latch and its end', async () => {
    const states: string[] = [];
    const log = await openPostgresAuditLog(url, folder, {
      onStateChange: (state) => states.push(state),
    });
    await Promise.all([1, 2, 3].map(() => log.record(auditEntry())));
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'caregate audit'`,
    );
    while (states.at(-1) !== 'open') {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { logId, seq } = await log.record(auditEntry());
    await log.close();
    expect({ states: [...new Set(states)], seq }).toEqual({ states: ['latched', 'open'], seq: 4 });
    const again = await openPostgresAuditLog(url, folder);
    expect(await again.record(auditEntry())).toEqual({ logId, seq: 5 });
    await again.close();
    expect(await verified(again)).toBe(6);
  });

  it.each([...auditTables])('cannot change %s, nor can its owner', async (table) => {
    const statements = [
      `update audit.${table} set log_id = log_id`,
      `delete from audit.${table}`,
      `truncate audit.${table}`,
    ];
    for (const statement of statements) {
      await expect(asRole.query(statement)).rejects.toThrow('permission denied');
      await expect(pool.query(statement)).rejects.toThrow('append-only');
      const pretended = `set session_replication_role = replica; ${statement}`;
      await expect(pool.query(pretended)).rejects.toThrow('append-only');
    }
    await expect(asRole.query(`drop table audit.${table}`)).rejects.toThrow('must be owner');
    const disable = `alter table audit.${table} disable trigger all`;
    await expect(asRole.query(disable)).rejects.toThrow('must be owner');
  });
});

describe('logs of several instances', () => {
  it('are each held by one, and taken up again when nobody holds them', async () => {
    const [one, other] = await Promise.all([
      openPostgresAuditLog(server.url, folder),
      openPostgresAuditLog(server.url, folder),
    ]);
    expect(one.logId).not.toBe(other.logId);
    const left = { logId: other.logId, seq: (await other.record(auditEntry())).seq + 1 };
    await other.close();
    const next = await openPostgresAuditLog(server.url, folder);
    const taken = await next.record(auditEntry());
    expect(taken.logId).toBe(left.logId);
    // Before it may stand what this start saw of the other log.
    expect([left.seq, left.seq + 1]).toContain(taken.seq);
    await Promise.all([one.close(), next.close()]);
    expect([await verified(one), await verified(next)]).toContain(taken.seq + 1);
  });

  it('are not taken up with another key', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
    const one = await openPostgresAuditLog(server.url, folder);
    await one.close();
    const other = await openPostgresAuditLog(server.url, elsewhere);
    await other.close();
    expect(other.logId).not.toBe(one.logId);
    rmSync(elsewhere, { recursive: true, force: true });
  });
});

describe('a log that was closed', () => {
  it('has its end kept beside the key, and leaves the folder alone', async () => {
    for (let round = 0; round < 10; round += 1) {
      const own = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
      const log = await openPostgresAuditLog(server.url, own);
      const { seq } = await log.record(auditEntry());
      await log.close();
      const kept = readdirSync(join(own, keptFolder));
      expect(kept).toEqual([log.logId]);
      const note = readFileSync(join(own, keptFolder, log.logId), 'utf8');
      expect(VerifierKey.parse(log.verifierKey).open(note).size).toBe(seq + 1);
      rmSync(own, { recursive: true });
    }
  });
});

describe('an append that failed', () => {
  it('is the last: nothing is signed or taken until the log is opened again', async () => {
    const key = newKey();
    const { log, session } = await openLog(server.url, key);
    const record = auditEntry();
    const query = jest.spyOn(session, 'query').mockRejectedValueOnce(new Error('lost'));
    await expect(log.append([record])).rejects.toThrow('lost');
    query.mockRestore();
    await expect(log.append([record])).rejects.toThrow('must be opened again');
    await expect(log.checkpoint()).rejects.toThrow('must be opened again');
    await session.close();
    const again = await openLog(server.url, key);
    expect(await again.log.append([record])).toBe(1);
    await again.log.checkpoint();
    await again.session.close();
    expect(await verified(again.log.identity)).toBe(2);
  });
});

/** Ends a wait for a standby: the commit is done, on this machine alone. */
const cancelWaiting = (): Promise<{ rowCount: number | null }> =>
  pool.query(`select pg_cancel_backend(pid) from pg_stat_activity
              where application_name = 'caregate audit' and wait_event = 'SyncRep'`);

describe('a commit', () => {
  it('that was cancelled on its way to the standby is not told as done', async () => {
    const log = await openPostgresAuditLog(server.url, folder);
    await pool.query(`alter system set synchronous_standby_names = 'nobody'`);
    await pool.query('select pg_reload_conf()');
    // The reload reaches a session a moment later: what it still commits alone is no matter here.
    let refused: unknown;
    while (refused === undefined) {
      const record = log.record(auditEntry()).catch((error: unknown) => {
        refused = error;
      });
      const state = { ended: false };
      void record.finally(() => (state.ended = true));
      while (!state.ended && (await cancelWaiting()).rowCount === 0) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await record;
    }
    expect(refused).toBeInstanceOf(AuditUnavailableError);
    await pool.query('alter system reset synchronous_standby_names');
    await pool.query('select pg_reload_conf()');
    while (log.state().latched) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await log.record(auditEntry());
    await log.close();
    // The refused record is in the log all the same: told as failed, and there. The other way round never.
    expect(await verified(log)).toBe((await sizes())[log.logId]);
  });
});

describe('a log that is only for a replicated database', () => {
  const setNames = async (sql: string): Promise<void> => {
    await pool.query(`alter system ${sql}`);
    await pool.query('select pg_reload_conf()');
  };

  it('takes records only while a standby confirms them, and says why not', async () => {
    const said: string[] = [];
    const onStateChange = (_: string, message: string): void => void said.push(message);
    const options = { replicated: true, onStateChange };
    const without = 'without a standby (synchronous_standby_names is empty)';
    await expect(openPostgresAuditLog(server.url, folder, options)).rejects.toThrow(without);
    const standby = startStandby();
    try {
      await setNames(`set synchronous_standby_names = '*'`);
      const log = await openWhenPossible(options);
      await log.record(auditEntry());
      await setNames('reset synchronous_standby_names');
      let refused: unknown;
      while (refused === undefined) {
        await log.record(auditEntry()).catch((error: unknown) => {
          refused = error;
        });
      }
      expect(refused).toBeInstanceOf(AuditUnavailableError);
      expect(said.at(-1)).toContain(without);
      await setNames(`set synchronous_standby_names = '*'`);
      while (log.state().latched) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await log.record(auditEntry());
      await log.close();
    } finally {
      await setNames('reset synchronous_standby_names');
      standby.kill();
    }
  });

  it('keeps both keys where its standby goes during the commit of a new one, until one is back', async () => {
    const place = mkdtempSync(join(folder, 'data-'));
    const key = join(place, 'audit-key.pem');
    const settings = { url: server.url, timeoutMs: 10_000, replicated: true };
    let standby = startStandby();
    try {
      await setNames(`set synchronous_standby_names = '*'`);
      const log = await openWhenPossible({ replicated: true }, place);
      await log.record(auditEntry());
      await log.close();
      standby.kill();
      await once(standby, 'exit');
      const unsure = expect(rotateKeyOnPostgres(settings, place, 'amara')).rejects.toThrow(
        AuditUnavailableError,
      );
      while ((await cancelWaiting()).rowCount === 0) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      await unsure;
      const kept = (): Buffer[] => [key, `${key}.next`].map((file) => readFileSync(file));
      const [old, next] = kept();
      // The change is seen here, and may be nowhere else.
      const options = { replicated: true, busyTimeoutMs: 500 };
      await expect(openPostgresAuditLog(server.url, place, options)).rejects.toThrow('timeout');
      expect(kept()).toEqual([old, next]);
      standby = startStandby();
      const again = await openWhenPossible({ replicated: true }, place);
      expect(again.verifierKey).not.toBe(log.verifierKey);
      await again.close();
      expect(readFileSync(key)).toEqual(next);
    } finally {
      await setNames('reset synchronous_standby_names');
      standby.kill();
    }
  });

  /** Confirms what it has written to its own disk, as a standby does. */
  function startStandby(): ChildProcess {
    return spawn(
      findPostgres()('pg_receivewal'),
      ['--synchronous', '-D', mkdtempSync(join(folder, 'wal-')), '-d', server.url],
      { stdio: 'ignore' },
    );
  }

  async function openWhenPossible(
    options: { readonly replicated: boolean },
    dataDir = folder,
  ): Promise<AuditLog> {
    for (;;) {
      // The reload reaches a session a moment later.
      const log = await openPostgresAuditLog(server.url, dataDir, options).catch(() => undefined);
      if (log !== undefined) return log;
    }
  }
});

async function sizes(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ log_id: string; size: string }>(
    'select log_id, count(*) as size from audit.audit_event group by log_id',
  );
  return Object.fromEntries(rows.map((row) => [row.log_id, Number(row.size)]));
}
