import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { openPostgres } from '../../database/postgres/open-postgres.ts';
import { AuditUnavailableError } from '../audit-entry.ts';
import type { AuditLog } from '../audit-log.ts';
import { auditEntry, userIds } from '../audit.testing.ts';
import { parseVerifierKey } from '../log/checkpoint.ts';
import { auditTables, migrateAudit } from './audit-tables.ts';
import { openPostgresAuditLog } from './postgres-backend.ts';
import { verifyPostgresLog } from './verify-postgres.ts';

let server: PostgresServer;
let folder: string;
let pool: pg.Pool;

const poolOf = (url: string): pg.Pool =>
  openPostgres(url, {
    applicationName: 'caregate spec',
    connections: 2,
    statementTimeoutMs: 10_000,
    connectTimeoutMs: 10_000,
  });

beforeAll(async () => {
  server = await startPostgres({ fsync: 'off' });
  folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  pool = poolOf(server.url);
  await migrateAudit(pool);
});
afterAll(async () => {
  await pool.end();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function verified(log: Pick<AuditLog, 'verifierKey'>): Promise<number> {
  const connection = await pool.connect();
  try {
    const key = parseVerifierKey(log.verifierKey);
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
    await migrateAudit(asRole);
    const states: string[] = [];
    const log = await openPostgresAuditLog(url, folder, {
      checkpointEveryRecords: 2,
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
    expect({ states, seq }).toEqual({ states: ['latched', 'open'], seq: 3 });
    const again = await openPostgresAuditLog(url, folder);
    expect(await again.record(auditEntry())).toEqual({ logId, seq: 4 });
    await again.close();
    expect(await verified(again)).toBe(5);
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
    expect(await next.record(auditEntry())).toEqual(left);
    await Promise.all([one.close(), next.close()]);
    expect([await verified(one), await verified(next)]).toContain(left.seq + 1);
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

describe('a commit', () => {
  it('that was cancelled on its way to the standby is not told as done', async () => {
    const log = await openPostgresAuditLog(server.url, folder);
    await pool.query(`alter system set synchronous_standby_names = 'nobody'`);
    await pool.query('select pg_reload_conf()');
    const waiting = (): Promise<{ rowCount: number | null }> =>
      pool.query(`select pg_cancel_backend(pid) from pg_stat_activity
                  where application_name = 'caregate audit' and wait_event = 'SyncRep'`);
    // The reload reaches a session a moment later: what it still commits alone is no matter here.
    let refused: unknown;
    while (refused === undefined) {
      const record = log.record(auditEntry()).catch((error: unknown) => {
        refused = error;
      });
      const state = { ended: false };
      void record.finally(() => (state.ended = true));
      while (!state.ended && (await waiting()).rowCount === 0) {
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

async function sizes(): Promise<Record<string, number>> {
  const { rows } = await pool.query<{ log_id: string; size: number }>(
    'select log_id, count(*) as size from audit.audit_event group by log_id',
  );
  return Object.fromEntries(rows.map((row) => [row.log_id, row.size]));
}

describe('a verification', () => {
  it('finds what stands beside a body and is not what it says', async () => {
    const url = await server.database();
    const own = poolOf(url);
    await migrateAudit(own);
    const log = await openPostgresAuditLog(url, folder, { checkpointEveryRecords: 4 });
    for (const patients of [[], userIds, [], userIds, [], []]) {
      await log.record(auditEntry({ patients }));
    }
    await log.close();
    const key = parseVerifierKey(log.verifierKey);
    const connection = await own.connect();
    const tampered = async (statement: string): Promise<unknown> => {
      await connection.query('begin; set local search_path to audit');
      try {
        for (const table of auditTables) {
          await connection.query(`alter table ${table} disable trigger all`);
        }
        await connection.query(statement);
        for (const table of auditTables) {
          await connection.query(`alter table ${table} enable always trigger ${table}_append_only`);
        }
        await connection.query('savepoint tampered');
        return await verifyPostgresLog(within(connection), { key });
      } catch (error) {
        return error;
      } finally {
        await connection.query('rollback');
      }
    };
    expect(await tampered('select 1')).toMatchObject({ size: 6, checkpoints: 3 });
    const ways: [string, string, number | undefined][] = [
      [`update audit_event set team_id = null where seq = 2`, 'altered', 2],
      [`update audit_event set http_status = 404 where seq = 3`, 'altered', 3],
      [`update audit_event set recorded_at_us = recorded_at_us + 1 where seq = 4`, 'altered', 4],
      [`update audit_event set body = replace(body, '200', '404') where seq = 1`, 'altered', 1],
      [`update audit_event set body = null, salt = null where seq = 0`, 'altered', 0],
      ['delete from audit_event where seq = 2', 'gap', 2],
      ['delete from audit_event where seq >= 4', 'truncated', 4],
      [
        'delete from audit_event where seq >= 5; delete from audit_head where size > 5',
        'truncated',
        5,
      ],
      [`delete from audit_patient where seq = 3 and user_id = '${userIds[0]!}'`, 'altered', 3],
      [
        `insert into audit_patient select log_id, 9, user_id from audit_patient where seq = 3`,
        'altered',
        undefined,
      ],
      ['update audit_node set hash = sha256(hash) where level = 1 and idx = 1', 'altered', 3],
      [
        `insert into audit_node select log_id, 7, 0, hash from audit_node where level = 2`,
        'altered',
        undefined,
      ],
      ['update audit_head set root = sha256(root) where size = 3', 'altered', undefined],
      ['update audit_head set root = sha256(root) where size = 6', 'altered', undefined],
      [
        `update audit_checkpoint set note = replace(note, '—', '–') where size = 4`,
        'bad_signature',
        undefined,
      ],
      [`update audit_log set origin = 'other/' || origin`, 'bad_signature', undefined],
    ];
    for (const [statement, breach, seq] of ways) {
      const found = await tampered(statement);
      expect([statement, found]).toMatchObject([
        statement,
        { name: 'AuditBrokenError', breach, seq },
      ]);
    }
    for (const table of auditTables) {
      const found = await tampered(`drop trigger ${table}_append_only on ${table};
        create trigger ${table}_append_only before update on ${table}
          for each statement execute function audit_refuse()`);
      expect(found).toMatchObject({ breach: 'altered' });
    }
    expect(await tampered('select 1')).toMatchObject({ size: 6 });
    connection.release();
    await own.end();
  });
});

/** The verification's own transaction, within that of the tampering. */
function within(connection: pg.PoolClient): { query: pg.PoolClient['query'] } {
  return {
    query: ((text: string, values: unknown[]) =>
      /^(?:begin|rollback)/u.test(text)
        ? connection.query('select 1')
        : connection.query(text, values)) as pg.PoolClient['query'],
  };
}
