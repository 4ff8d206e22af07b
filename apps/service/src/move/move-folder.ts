import { OperatorError } from '../config/operator-error.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { accessTablesMigrations } from '../access/postgres/access-tables.ts';
import { auditKeyFile, loadOrMakeKey } from '../audit/log/audit-key.ts';
import { migrateAudit } from '../audit/postgres/audit-tables.ts';
import { movedTo } from '../database/sqlite/moved-folder.ts';
import { migratePostgres } from '../database/postgres/migrate-postgres.ts';
import { addressOf, openPostgres, waitForPostgres } from '../database/postgres/open-postgres.ts';
import { postgresStoreMigrations, storeSchema } from '../source/store/postgres/postgres-schema.ts';
import { copyTable } from './copy-table.ts';
import { earlierMove, type Counts } from './earlier-move.ts';
import { holdFolder, type HeldFolder } from './held-folder.ts';
import { logOfFolder, recordMove, verifyFolderLog, verifyMovedLog } from './move-log.ts';
import type { OnProgress } from './progress.ts';
import { markMoved, putAside } from './retire-folder.ts';
import { movedTables, targetsOf, type MovedTable } from './tables.ts';

export interface MoveReport {
  /** `host:port/database`. */
  readonly to: string;
  /** Rows by table; empty where an earlier run did it all. */
  readonly counts: Counts;
  /** Whether an earlier run had committed it. */
  readonly earlier: boolean;
}

/**
 * Moves a data folder into an empty database: health data, keys, secrets, grants and the audit log, in one transaction
 * that ends with the record of it. Whatever ends the program before its commit leaves folder and database as they were;
 * after it, the same call again puts the folder aside.
 *
 * @throws OperatorError, AuditBrokenError, StoreTooNewError, PostgresUnavailableError; else the system's or server's error
 */
export async function moveFolder(
  dataDir: string,
  url: string,
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
        throw new OperatorError(`${dataDir} was moved before, to ${before}. It goes nowhere else.`);
      }
      putAside(dataDir);
      return { to, counts: {}, earlier: true };
    }
    await waitForPostgres(pool, 0);
    const folder = await holdFolder(dataDir);
    try {
      const moved = await moveHeld(pool, { dataDir, folder, to }, onProgress);
      markMoved(dataDir, to);
      return { to, ...moved };
    } finally {
      folder.close();
      if (movedTo(dataDir) !== undefined) {
        putAside(dataDir);
      }
    }
  } finally {
    await pool.end();
  }
}

interface Source {
  readonly dataDir: string;
  readonly folder: HeldFolder;
  readonly to: string;
}

async function moveHeld(
  pool: pg.Pool,
  { dataDir, folder, to }: Source,
  onProgress: OnProgress,
): Promise<Omit<MoveReport, 'to'>> {
  if (folder.audit !== undefined && !existsSync(join(dataDir, auditKeyFile))) {
    throw new OperatorError(
      `${dataDir} has no ${auditKeyFile}: without it its audit log cannot go on.`,
    );
  }
  const key = loadOrMakeKey(dataDir);
  const log = folder.audit && logOfFolder(folder.audit, key);
  const tables = movedTables(folder, log?.logId);
  const targets = targetsOf(tables);
  const counts = countsOf(folder, tables);
  await requireUsable(pool, to);
  await migratePostgres(pool, storeSchema, postgresStoreMigrations);
  await migratePostgres(pool, 'access', accessTablesMigrations);
  await migrateAudit(pool);
  const client = await pool.connect();
  try {
    // A commit that a standby did not confirm is reported as done, with a warning.
    const warnings: string[] = [];
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') {
        warnings.push(message ?? '');
      }
    });
    if ((await earlierMove(client, { key, audit: folder.audit, counts })) !== undefined) {
      return { counts, earlier: true };
    }
    if (log !== undefined) {
      verifyFolderLog(log, onProgress);
    }
    await client.query('begin; set local synchronous_commit = on');
    await requireEmpty(client, targets, to);
    for (const table of tables) {
      await copyWhole(client, { folder, table, count: counts[table.name] ?? 0 }, onProgress);
    }
    if (log !== undefined) {
      await verifyMovedLog(client, log, onProgress);
    }
    await recordMove(client, key, { ...counts, to });
    await client.query(`analyze ${targets.join(', ')}`);
    await client.query('commit');
    if (warnings.length > 0) {
      throw new OperatorError(
        `The database warned: ${warnings.join('; ')}. Run the same command again once that is mended.`,
      );
    }
    return { counts, earlier: false };
  } finally {
    // Its end undoes what was not committed, and lets go of the log.
    client.release(true);
  }
}

function countsOf(folder: HeldFolder, tables: readonly MovedTable[]): Counts {
  return Object.fromEntries(
    tables.map(({ file, name }) => [
      name,
      Number(folder[file]?.prepare(`select count(*) as count from ${name}`).get()?.['count']),
    ]),
  );
}

/** @throws OperatorError where the server takes no writes or keeps texts otherwise */
async function requireUsable(pool: pg.Pool, to: string): Promise<void> {
  const { rows } = await pool.query<{ standby: boolean; encoding: string; version: number }>(
    `select pg_is_in_recovery() as standby, current_setting('server_encoding') as encoding,
       current_setting('server_version_num')::int as version`,
  );
  if (rows[0]?.standby !== false) {
    throw new OperatorError(`${to} is a standby, not the primary: it takes no writes.`);
  }
  if (rows[0].encoding !== 'UTF8') {
    throw new OperatorError(
      `${to} must be a database with the encoding UTF8, not ${rows[0].encoding}.`,
    );
  }
  if (rows[0].version < 150_000) {
    throw new OperatorError(`${to} is too old: Caregate needs PostgreSQL 15 or later.`);
  }
}

/**
 * Holds every table, so that nobody else writes, and looks that all are empty.
 *
 * @throws OperatorError
 */
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
      `${to} holds other data already (in ${filled.join(', ')}): move to a database of its own, nothing was changed.`,
    );
  }
}

async function copyWhole(
  client: pg.ClientBase,
  { folder, table, count }: { folder: HeldFolder; table: MovedTable; count: number },
  onProgress: OnProgress,
): Promise<void> {
  const db = folder[table.file];
  if (db === undefined) {
    return;
  }
  let done = 0;
  const taken = await copyTable(client, db, table, (rows) => {
    done += rows;
    onProgress(table.name, done, count);
  });
  if (taken !== count) {
    throw new OperatorError(`Of the ${count} rows of ${table.name} PostgreSQL took ${taken}.`);
  }
}
