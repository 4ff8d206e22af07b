import { newDatabase } from '@caregate/postgres';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { VerifierKey } from '../note/checkpoint.ts';
import { makeAuditTables, sessionOf } from '../testing/postgres-log.testing.ts';
import type { AuditLog, AuditLogOptions } from '../writer/audit-log.ts';
import { openPostgresAuditLog } from './postgres-backend.ts';
import { auditTables } from './stored/schema.ts';
import { verifyPostgresLog, type PostgresReport } from './verify/verify-postgres.ts';

/** A place for one log. */
export interface LogPlace {
  readonly folder: string;
  readonly url: string;
  open(options?: AuditLogOptions): Promise<AuditLog>;
  /** What is durable, as somebody else finds it now. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** As somebody with every right over the files or the database, past the triggers. */
  tamper(sql: string): Promise<void>;
  /** A statement as anybody who may write. */
  write(sql: string): Promise<void>;
  /** Makes commits fail until it is ended. */
  holdUp(): Promise<() => Promise<void>>;
  verify(verifierKey: string, outside?: string): Promise<PostgresReport>;
}

/** Runs a test in a database and a data folder of its own. */
export async function inPlace(body: (place: LogPlace) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  const url = await newDatabase();
  const owner = await sessionOf(url);
  await makeAuditTables(owner);
  await owner.close();
  // One connection, so that what is begun with it goes on with it.
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  await other.query('set search_path to audit');
  const exec = async (sql: string): Promise<void> => {
    await other.query(sql);
  };
  try {
    await body({
      folder,
      url,
      open: (options) => openPostgresAuditLog(url, folder, options),
      rows: async (sql) => (await other.query<Record<string, unknown>>(sql)).rows,
      tamper: async (sql) => {
        await exec(
          `${auditTables.map((table) => `alter table ${table} disable trigger all;`).join('')}
           ${sql};
           ${auditTables.map((table) => `alter table ${table} enable always trigger ${table}_append_only;`).join('')}`,
        );
      },
      write: exec,
      holdUp: async () => {
        await exec('begin; lock table audit_seal in access exclusive mode');
        return () => exec('rollback');
      },
      verify: (key, outside) =>
        verifyPostgresLog(other, { key: VerifierKey.parse(key), ...(outside && { outside }) }),
    });
  } finally {
    await other.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
