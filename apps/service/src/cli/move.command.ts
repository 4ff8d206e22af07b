import { Command, Option } from 'commander';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { syncToDisk, writeDurably } from '../files/write-durably.ts';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { AuditAct } from '../audit/audit-entries.ts';
import { buildCreateStatements } from '../auth/access-schema.ts';
import { createAuditTables } from '../audit/open-log.ts';
import { withFolderLog } from '../audit/read-logs.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { postgresUrl } from '../config/parsers.ts';
import { readSetting } from '../config/read-config.ts';
import {
  describeAddress,
  createPostgresTables,
  lockFolder,
  getMovedMarkerFile,
  openPostgres,
  requireNotMoved,
  waitForPostgres,
  hasSynchronousStandby,
} from '@caregate/data-store/database';
import { createTables, fillPeople, getStoreFile, storeSchema } from '@caregate/data-store';
import { CommandLog } from './common/command-log.ts';
import { createOutput, runCommand, type Output } from './common/run-command.ts';

const notes = `
Stop the service first. The database must be empty, run PostgreSQL 15 or later, and be owned by the connecting user. All is copied in
one transaction, all or nothing; the databases in the folder are then renamed to *.moved. Next: set DATABASE_URL and serve the folder.
Exit codes: 0 success, 1 failure, 2 usage error or not a data folder.`;

type Value = string | number | Uint8Array | null;

interface Table {
  readonly into: string;
  readonly columns: readonly string[];
  readonly rows: () => Iterable<readonly Value[]>;
}

/** Tables that are derived from others and differ between the engines. `fillPeople` rebuilds them. */
const DERIVED = /^(?:people|people_index.*|sqlite_.*)$/u;

export function makeCommand(): Command {
  return new Command('move')
    .description('Moves a data folder into an empty PostgreSQL database.')
    .requiredOption('--from <dir>', 'data folder to move')
    .addOption(new Option('--to <url>', 'postgresql:// URL of the destination').env('DATABASE_URL'))
    .addHelpText('after', notes)
    .action(({ from, to = '' }: { readonly from: string; readonly to?: string }) =>
      runCommand(() => moveFolder(from, to)),
    );
}

async function moveFolder(from: string, to: string): Promise<Output> {
  const url = postgresUrl(to);
  if (url === undefined)
    throw new OperatorError(`--to (or DATABASE_URL) must be ${postgresUrl.expects}.`, 2);
  requireNotMoved(from);
  if (!existsSync(getStoreFile(from)))
    throw new OperatorError(`${from} is not a data folder: it has no store.db.`, 2);
  const log = new CommandLog({ dataDir: from });
  let recorded: AuditAct | undefined;
  const replicated = readSetting(process.env, 'databaseDurability') === 'replicated';
  const pool = openPostgres(url, 'caregate move', { statementTimeoutMs: 0 });
  const locks: { close(): void }[] = [];
  try {
    await waitForPostgres(pool, 0);
    const address = describeAddress(pool);
    locks.push(lockFolder(from));
    // Record this first, since the log is moved, too. A later failure is recorded as failed.
    const act = { operation: 'moveToDatabase', details: { to: address } };
    await log.record(act);
    recorded = act;
    await withFolderLog(from, (source) => source.verify());
    const tables = ['store', 'access', 'audit'].flatMap((schema) => {
      const file = join(from, `${schema}.db`);
      if (!existsSync(file)) return [];
      const db = lockDatabase(file, from);
      locks.push(db);
      return listTables(db, schema);
    });
    if (replicated) await requireStandby(pool);
    await createPostgresTables(pool, storeSchema, createTables('postgres'));
    await createPostgresTables(pool, 'access', buildCreateStatements('postgres'));
    await createAuditTables(pool);
    const client = await pool.connect();
    // Closing the connection rolls back what was not committed.
    locks.push({ close: client.release.bind(client, true) });
    await client.query('begin; set local synchronous_commit = on');
    for (const name of new Set(tables.map(({ into }) => into))) {
      if ((await client.query(`select from ${name} limit 1`)).rowCount !== 0) {
        throw new OperatorError(`${address} already contains data (in ${name}). Use an empty one.`);
      }
    }
    const counts: Record<string, number> = {};
    for (const { into, columns, rows } of tables) {
      const stream = client.query(copyFrom(`copy ${into} (${columns.join(', ')}) from stdin`));
      await pipeline(function* () {
        for (const row of rows()) yield `${row.map(formatCopyValue).join('\t')}\n`;
      }, stream);
      counts[into.replace(/^.*\./u, '')] = stream.rowCount;
    }
    await fillPeople(client);
    await client.query('analyze; commit');
    if (replicated) await requireStandby(client);
    // Written while the folder is locked, so that its log can't grow in two places.
    await writeDurably(getMovedMarkerFile(from), `${address}\n`);
    return createOutput({ from, to: address, counts }, (moved) => {
      const rows = Object.entries(moved.counts).map(([name, count]) => `${count} ${name}`);
      return `Moved ${from} to ${moved.to}: ${rows.join(', ')}\n`;
    });
  } finally {
    for (const lock of locks) lock.close();
    await pool.end();
    if (existsSync(getMovedMarkerFile(from))) {
      const names = ['store.db', 'access.db', 'audit.db'].map((name) => join(from, name));
      for (const name of names.filter(existsSync)) renameSync(name, `${name}.moved`);
      syncToDisk(from);
    } else if (recorded !== undefined) {
      await log.recordFailure(recorded);
    }
  }
}

/** @throws OperatorError if commits are durable on one machine only */
async function requireStandby(db: Pick<pg.Pool, 'query'>): Promise<void> {
  if (!(await hasSynchronousStandby(db))) {
    throw new OperatorError(
      'PostgreSQL confirms commits without a standby (synchronous_standby_names is empty). Set it, and CAREGATE_DATABASE_DURABILITY=replicated.',
    );
  }
}

function lockDatabase(file: string, dataDir: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 500 });
  try {
    // In this mode, SQLite keeps the lock, and fails if another process has the file open.
    db.exec('pragma locking_mode = exclusive; begin exclusive; commit');
    return db;
  } catch (error) {
    db.close();
    const next = 'Stop the service and all other commands that use it, then try again.';
    throw new OperatorError(`${dataDir} is in use. ${next}`, 1, error);
  }
}

/** Lists tables in order of creation, so that referenced tables come first. */
function listTables(db: DatabaseSync, schema: string): Table[] {
  const tables = db.prepare(`select name from sqlite_schema where type = 'table' order by rowid`);
  const names = tables.all().map((row) => String(row['name']));
  return names.flatMap((name) => {
    if (DERIVED.test(name)) return [];
    const found = db.prepare('select name from pragma_table_info(?)').all(name);
    const columns = found.map((column) => String(column['name']));
    // In PostgreSQL, all logs share these tables, so their rows need the log's ID.
    const isLogTable = schema === 'audit' && name !== 'audit_log';
    const log = isLogTable ? ['(select log_id from audit_log) as log_id'] : [];
    const all = db.prepare(`select ${[...log, ...columns].join(', ')} from ${name}`);
    all.setReturnArrays(true);
    return {
      into: `${schema}.${name}`,
      columns: isLogTable ? ['log_id', ...columns] : columns,
      rows: () => all.iterate() as unknown as Iterable<readonly Value[]>,
    };
  });
}

/** Formats a value for COPY in text format. PostgreSQL can't store U+0000. */
function formatCopyValue(value: string | number | Uint8Array | null): string {
  if (value instanceof Uint8Array) return `\\\\x${Buffer.from(value).toString('hex')}`;
  const escapes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };
  const escape = (sign: string): string => escapes[sign] ?? '\\\\';
  return typeof value === 'string'
    ? value.replaceAll('\0', '\uFFFD').replace(/[\\\t\n\r]/gu, escape)
    : String(value ?? '\\N');
}
