import { newDatabase } from '@caregate/postgres';
import { randomBytes } from 'node:crypto';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import pg from 'pg';
import type { AuditLog, AuditLogOptions } from '../audit-log.ts';
import { LogReader, openReaders } from '../log-reader.ts';
import { LogRefusedError } from '../errors.ts';
import { getLogFile, readLogId, type LogPlace } from '../log-place.ts';
import { openAuditLog } from '../audit-log.ts';
import { buildPostgresTables } from '../storage/postgres.ts';
import type { RecordText, StoredRecord } from '../record.ts';
import type { VerifiedLog, VerifyOptions } from '../verify-log.ts';
import { auditText, members } from './audit-text.testing.ts';

export type Engine = 'SQLite' | 'PostgreSQL';
export const engines: readonly Engine[] = ['SQLite', 'PostgreSQL'];

export type Row = Readonly<Record<string, unknown>>;

/** Full access to the tables of a log. `?` is a placeholder on both engines. */
export interface Tables {
  readonly engine: Engine;
  readonly rows: (sql: string, ...values: (SQLInputValue | Buffer)[]) => Promise<Row[]>;
}

/** Creates a data folder and, on PostgreSQL, a database. */
export async function createPlace(engine: Engine): Promise<LogPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  return engine === 'SQLite' ? { dataDir } : { dataDir, postgres: { url: await makeDatabase() } };
}

/** Runs a test with its own data folder and, on PostgreSQL, its own database. */
export async function inPlace(
  engine: Engine,
  body: (place: LogPlace) => Promise<void>,
): Promise<void> {
  const place = await createPlace(engine);
  try {
    await body(place);
  } finally {
    rmSync(place.dataDir, { recursive: true, force: true });
  }
}

async function makeDatabase(): Promise<string> {
  const url = await newDatabase();
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  await owner.query('create schema audit; set search_path to audit');
  for (const statement of buildPostgresTables(members)) {
    await owner.query(statement);
  }
  await owner.end();
  return url;
}

/** Copies a log to another folder and database. No process may be connected to it. */
export async function copyPlace(
  { dataDir, postgres }: LogPlace,
  body: (copy: LogPlace) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  cpSync(dataDir, folder, { recursive: true });
  let url: URL | undefined;
  if (postgres !== undefined) {
    url = new URL(postgres.url);
    const from = url.pathname.slice(1);
    url.pathname = `c${randomBytes(8).toString('hex')}`;
    const server = new pg.Client({
      connectionString: Object.assign(new URL(url), { pathname: 'postgres' }).href,
    });
    await server.connect();
    await server.query(`create database ${url.pathname.slice(1)} template ${from}`);
    await server.end();
  }
  try {
    await body({ dataDir: folder, postgres: url && { url: url.href } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Changes the tables with their triggers disabled. */
export async function tamper<T>(
  { dataDir, postgres }: LogPlace,
  work: (tables: Tables) => Promise<T>,
): Promise<T> {
  if (postgres !== undefined) {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query('set search_path to audit; set session_replication_role to replica');
    try {
      return await work({
        engine: 'PostgreSQL',
        rows: async (sql, ...values) => {
          let at = 0;
          const text = sql.replaceAll('?', () => `$${(at += 1)}`);
          return (await client.query<Record<string, unknown>>(text, values)).rows;
        },
      });
    } finally {
      await client.end();
    }
  }
  const db = new DatabaseSync(getLogFile(dataDir), { timeout: 60_000 });
  const triggers = db.prepare(`select name, sql from sqlite_schema where type = 'trigger'`).all();
  triggers.forEach(({ name }) => {
    db.exec(`drop trigger ${String(name)}`);
  });
  try {
    return await work({
      engine: 'SQLite',
      rows: (sql, ...values) => Promise.resolve(db.prepare(sql).all(...values)),
    });
  } finally {
    triggers.forEach(({ sql }) => {
      db.exec(String(sql));
    });
    db.close();
  }
}

export async function openLog(
  place: LogPlace,
  options: Partial<AuditLogOptions> = {},
): Promise<AuditLog> {
  return await openAuditLog(place, { members, host: 'clinic.example', ...options });
}

export async function appendTo(
  place: LogPlace,
  texts: readonly RecordText[] = [auditText()],
): Promise<{ readonly publicKey: string; readonly checkpoint: string }> {
  const log = await openLog(place);
  try {
    await Promise.all(texts.map((text) => log.record(text)));
    return { publicKey: log.publicKey, checkpoint: await log.checkpoint() };
  } finally {
    await log.close();
  }
}

export async function withReader<T>(
  place: LogPlace,
  use: (reader: LogReader) => Promise<T>,
): Promise<T> {
  const readers = await openReaders(
    place.postgres === undefined ? place : { postgres: place.postgres },
    members,
  );
  const logId = readLogId(place.dataDir);
  try {
    const reader = readers.find(({ identity }) => identity.logId === logId) ?? readers[0];
    if (reader === undefined) {
      throw new LogRefusedError('no_log', 'There is no log');
    }
    return await use(reader);
  } finally {
    await readers[0]?.close();
  }
}

export async function verifyPlace(
  place: LogPlace,
  options: VerifyOptions = {},
): Promise<VerifiedLog> {
  return await withReader(place, (reader) => reader.verify(options));
}

export async function readBodies(place: LogPlace): Promise<Row[]> {
  return (await readRecords(place)).map(({ body }) => JSON.parse(body) as Row);
}

export async function readRecords(place: LogPlace): Promise<StoredRecord[]> {
  return await withReader(place, (reader) => readAll(reader.readRecords()));
}

export async function readAll<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) {
    all.push(item);
  }
  return all;
}

/** Returns the operations in callers' records, without the records of the log about itself. */
export async function readOperations(place: LogPlace): Promise<string[]> {
  const bodies = await readBodies(place);
  return bodies
    .filter((body) => body['_log'] === undefined)
    .map((body) => String(body['operation']));
}
