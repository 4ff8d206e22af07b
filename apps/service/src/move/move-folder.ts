import { existsSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pipeline } from 'node:stream/promises';
import { LogReader, syncFolder, writeDurably } from '@caregate/audit-log';
import { LogMove } from '@caregate/audit-log/postgres';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { accessMigrations } from '../access/access-schema.ts';
import { whatShowsALog } from '../audit/offline/had-log.ts';
import { migrateAudit, recordColumns } from '../audit/postgres/audit-schema.ts';
import { recordText } from '../audit/record/record-text.ts';
import { commandEntry } from '../audit/system-record.ts';
import { OperatorError } from '../config/operator-error.ts';
import { migratePostgres } from '../database/postgres/migrate-postgres.ts';
import { addressOf, openPostgres, waitForPostgres } from '../database/postgres/open-postgres.ts';
import { movedMarker, requireNotMoved } from '../database/sqlite/moved-folder.ts';
import { storeFile } from '../source/store/open-store.ts';
import { fillPeople } from '../source/store/postgres/postgres-import.ts';
import { postgresStoreMigrations, storeSchema } from '../source/store/postgres/postgres-schema.ts';

type Table = ReturnType<LogMove['tables']>[number];
/** Derived from other tables, differently on each engine: `fillPeople` makes them again. */
const DERIVED = /^(?:people|people_index.*|kysely_.*|sqlite_.*)$/u;

/** Copies all tables in one transaction, then marks the folder. @returns the destination and the rows of each table */
export async function moveFolder(
  dataDir: string,
  url: string,
): Promise<{ readonly to: string; readonly counts: Readonly<Record<string, number>> }> {
  requireNotMoved(dataDir);
  if (!existsSync(storeFile(dataDir))) {
    throw new OperatorError(`${dataDir} is not a data folder: it has no store.db.`, 2);
  }
  const hadLog = whatShowsALog(dataDir);
  const options = { applicationName: 'caregate move', connections: 1, connectTimeoutMs: 10_000 };
  const pool = openPostgres(url, { ...options, statementTimeoutMs: 0 });
  const locks: { close(): void }[] = [];
  try {
    await waitForPostgres(pool, 0);
    const to = addressOf(pool);
    const tables = ['store', 'access'].flatMap((schema) => {
      const file = join(dataDir, `${schema}.db`);
      if (!existsSync(file)) {
        return [];
      }
      const db = lockDatabase(file, dataDir);
      locks.push(db);
      return tablesIn(db, schema);
    });
    const audit = LogReader.lock(dataDir, hadLog);
    locks.push(...(audit === undefined ? [] : [audit]));
    const log = new LogMove(dataDir, audit);
    await log.verify(() => undefined);
    await migratePostgres(pool, storeSchema, postgresStoreMigrations);
    await migratePostgres(pool, 'access', accessMigrations.postgres);
    await migrateAudit(pool);
    tables.push(...log.tables(recordColumns));
    const counts = Object.fromEntries(tables.map(({ name, count }) => [name, count]));
    const client = await pool.connect();
    try {
      await client.query('begin; set local synchronous_commit = on');
      await requireEmpty(client, [...tables.map(({ into }) => into), ...LogMove.targets], to);
      for (const table of tables) {
        await copyTable(client, table);
      }
      await fillPeople(client);
      await log.adopt(client, { hashed: () => undefined, verified: () => undefined });
      await log.record(client, recordText(commandEntry('moveToDatabase', { ...counts, to })));
      await client.query('commit');
    } finally {
      // Closing the connection rolls back what was not committed.
      client.release(true);
    }
    await pool.query('analyze');
    await writeDurably(movedMarker(dataDir), `${to}\n`);
    return { to, counts };
  } finally {
    locks.forEach((lock) => {
      lock.close();
    });
    await pool.end();
    if (existsSync(movedMarker(dataDir))) {
      setAside(dataDir);
    }
  }
}

function lockDatabase(file: string, dataDir: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: 500 });
  try {
    // In this mode the lock is kept, and another process that has the file open makes it fail.
    db.exec('pragma locking_mode = exclusive; begin exclusive; commit');
    return db;
  } catch (error) {
    db.close();
    const what = `${dataDir} is in use. Stop the service and all other commands that use it, then try again.`;
    throw new OperatorError(what, 1, error);
  }
}

/** In order of creation: referenced tables come first. */
function tablesIn(db: DatabaseSync, schema: string): Table[] {
  const names = db.prepare(`select name from sqlite_schema where type = 'table' order by rowid`);
  const columnsOf = db.prepare('select name from pragma_table_info(?)');
  return names
    .all()
    .map((row) => String(row['name']))
    .filter((name) => !DERIVED.test(name))
    .map((name) => {
      const columns = columnsOf.all(name).map((column) => String(column['name']));
      const count = Number(db.prepare(`select count(*) as count from ${name}`).get()?.['count']);
      const rows = (): ReturnType<Table['rows']> => {
        const all = db.prepare(`select ${columns.join(', ')} from ${name}`);
        all.setReturnArrays(true);
        return all.iterate() as Iterable<unknown> as ReturnType<Table['rows']>;
      };
      return { name, into: `${schema}.${name}`, columns, count, rows };
    });
}

async function requireEmpty(client: pg.ClientBase, tables: string[], to: string): Promise<void> {
  for (const name of new Set(tables)) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    if (rowCount !== 0) {
      const hint = 'If it has what an earlier move committed, empty it: the folder is unchanged.';
      throw new OperatorError(`${to} already contains data (in ${name}). ${hint}`);
    }
  }
}

async function copyTable(client: pg.ClientBase, table: Table): Promise<void> {
  const { name, into, columns, count, rows } = table;
  const stream = client.query(copyFrom(`copy ${into} (${columns.join(', ')}) from stdin`));
  await pipeline(function* () {
    for (const row of rows()) {
      yield `${row.map(copyText).join('\t')}\n`;
    }
  }, stream);
  if (stream.rowCount !== count) {
    throw new OperatorError(`PostgreSQL took ${stream.rowCount} of ${count} rows of ${name}.`);
  }
}

/** In the text format of COPY. PostgreSQL has no U+0000. */
function copyText(value: string | number | Uint8Array | null): string {
  if (typeof value === 'string') {
    const codes: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };
    return value
      .replaceAll('\0', '\uFFFD')
      .replace(/[\\\t\n\r]/gu, (sign) => codes[sign] ?? '\\\\');
  }
  return value instanceof Uint8Array
    ? `\\\\x${Buffer.from(value).toString('hex')}`
    : String(value ?? '\\N');
}

/** The log of the folder must not grow any more. */
function setAside(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (/^(?:store\.db|access\.db|audit)(?:-wal|-shm)?$/u.test(name)) {
      renameSync(join(dataDir, name), join(dataDir, `${name}.moved`));
    }
  }
  syncFolder(dataDir);
}
