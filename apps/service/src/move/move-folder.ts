import { OperatorError } from '../config/operator-error.ts';
import type { Database } from '../config/read-config.ts';
import type pg from 'pg';
import { accessMigrations } from '../access/access-schema.ts';
import { LogMove, requireStandby } from '@caregate/audit-log/postgres';
import { migrateAudit } from '../audit/postgres/audit-schema.ts';
import { movedTo } from '../database/sqlite/moved-folder.ts';
import { migratePostgres } from '../database/postgres/migrate-postgres.ts';
import { addressOf, openPostgres, waitForPostgres } from '../database/postgres/open-postgres.ts';
import { postgresStoreMigrations, storeSchema } from '../source/store/postgres/postgres-schema.ts';
import { fillPeople } from '../source/store/postgres/postgres-import.ts';
import { copyTable, type OnProgress } from './copy-table.ts';
import { lockFolder, type LockedFolder } from './lock-folder.ts';
import { recordText } from '../audit/record/record-text.ts';
import { commandEntry } from '../audit/system-record.ts';
import { markMoved, archiveDatabases } from './archive-folder.ts';
import { movedTables, targetsOf } from './tables.ts';

const moveOperation = 'moveToDatabase';

export interface MoveReport {
  /** `host:port/database`. */
  readonly to: string;
  /** Rows by table; empty if an earlier run moved them. */
  readonly counts: Readonly<Record<string, number>>;
  readonly alreadyMoved: boolean;
}

/** In one transaction. Interrupted before the commit, nothing has changed; after it, calling this again archives the folder. */
export async function moveFolder(
  dataDir: string,
  { url, replicated }: Database,
  onProgress: OnProgress,
): Promise<MoveReport> {
  const pool = openPostgres(url, {
    applicationName: 'caregate move',
    connections: 1,
    statementTimeoutMs: 0,
    connectTimeoutMs: 10_000,
  });
  try {
    const to = addressOf(pool);
    const before = movedTo(dataDir);
    if (before !== undefined) {
      if (before !== to) {
        throw new OperatorError(
          `${dataDir} was already moved to ${before} and cannot be moved again.`,
        );
      }
      archiveDatabases(dataDir);
      return { to, counts: {}, alreadyMoved: true };
    }
    await waitForPostgres(pool, 0);
    const folder = await lockFolder(dataDir);
    try {
      const moved = await moveLocked(pool, { dataDir, folder, to, replicated }, onProgress);
      await markMoved(dataDir, to);
      return { to, ...moved };
    } finally {
      folder.close();
      if (movedTo(dataDir) !== undefined) {
        archiveDatabases(dataDir);
      }
    }
  } finally {
    await pool.end();
  }
}

interface Source {
  readonly dataDir: string;
  readonly folder: LockedFolder;
  readonly to: string;
  readonly replicated: boolean;
}

async function moveLocked(
  pool: pg.Pool,
  { dataDir, folder, to, replicated }: Source,
  onProgress: OnProgress,
): Promise<Omit<MoveReport, 'to'>> {
  const log = new LogMove(dataDir, folder.audit);
  const size = folder.audit?.size() ?? 0;
  const tables = movedTables(folder, log);
  const targets = targetsOf(tables);
  const counts = Object.fromEntries(tables.map(({ name, count }) => [name, count]));
  await requireUsable(pool, to);
  if (replicated) {
    await requireStandby(pool);
  }
  // A log that does not hold leaves the database as it was.
  await log.verify((done) => {
    onProgress('verifying the audit log', done, size);
  });
  await migratePostgres(pool, storeSchema, postgresStoreMigrations);
  await migratePostgres(pool, 'access', accessMigrations.postgres);
  await migrateAudit(pool);
  const client = await pool.connect();
  try {
    // A commit that a standby did not confirm is reported as successful, with a warning.
    const warnings: string[] = [];
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') {
        warnings.push(message ?? '');
      }
    });
    if (await wasMoved(client, log, { size, counts })) {
      return { counts, alreadyMoved: true };
    }
    await client.query('begin; set local synchronous_commit = on');
    await requireEmpty(client, targets, to);
    for (const table of tables) {
      await copyTable(client, table, onProgress);
    }
    await fillPeople(client, (done, of) => {
      onProgress('people of the search', done, of);
    });
    await log.adopt(client, {
      hashed: (done) => {
        onProgress('hashes of the audit log', done, size);
      },
      verified: (done) => {
        onProgress('verifying the moved audit log', done, size);
      },
    });
    // The log continues as that of the instance with the folder's key.
    const act = commandEntry(moveOperation, { ...counts, to });
    await log.record(client, recordText(act));
    await client.query(`analyze ${targets.join(', ')}`);
    await client.query('commit');
    if (replicated) {
      await requireStandby(client);
    }
    if (warnings.length > 0) {
      throw new OperatorError(
        `The database reported a warning: ${warnings.join('; ')}. Run the command again once this is fixed.`,
      );
    }
    return { counts, alreadyMoved: false };
  } finally {
    // Closing the connection rolls back and releases the log.
    client.release(true);
  }
}

/** Whether a move was interrupted after its commit. @throws OperatorError if the folder has changed since */
async function wasMoved(
  client: pg.ClientBase,
  log: LogMove,
  folder: { readonly size: number; readonly counts: Readonly<Record<string, number>> },
): Promise<boolean> {
  const { rows } = await client.query<{ seq: number; body: string }>(
    `select seq, body from audit.audit_event
     where log_id = any($1) and operation = $2 order by seq limit 1`,
    [await log.logIds(client), moveOperation],
  );
  const [record] = rows;
  if (record === undefined) {
    return false;
  }
  const { details } = JSON.parse(record.body) as { details: Readonly<Record<string, unknown>> };
  const isChanged = Object.entries(folder.counts).some(([name, count]) => details[name] !== count);
  if (record.seq !== folder.size || isChanged) {
    throw new OperatorError(
      'This folder was already moved to that database, and was changed since. The changes are not in the database.',
    );
  }
  return true;
}

async function requireUsable(pool: pg.Pool, to: string): Promise<void> {
  const { rows } = await pool.query<{ standby: boolean; encoding: string; version: number }>(
    `select pg_is_in_recovery() as standby, current_setting('server_encoding') as encoding,
       current_setting('server_version_num')::int as version`,
  );
  if (rows[0]?.standby !== false) {
    throw new OperatorError(`${to} is a standby, which is read-only. Use the primary.`);
  }
  if (rows[0].encoding !== 'UTF8') {
    throw new OperatorError(`${to} must have the encoding UTF8, not ${rows[0].encoding}.`);
  }
  if (rows[0].version < 150_000) {
    throw new OperatorError(`${to} is too old: Caregate requires PostgreSQL 15 or later.`);
  }
}

async function requireEmpty(
  client: pg.ClientBase,
  targets: readonly string[],
  to: string,
): Promise<void> {
  await client.query(`lock table ${targets.join(', ')} in share row exclusive mode`);
  const filled: string[] = [];
  for (const name of targets) {
    const { rows } = await client.query<{ some: boolean }>(
      `select exists (select from ${name}) as some`,
    );
    if (rows[0]?.some === true) {
      filled.push(name);
    }
  }
  if (filled.length > 0) {
    throw new OperatorError(
      `${to} already contains data (in ${filled.join(', ')}). Use an empty database. Nothing was changed.`,
    );
  }
}
