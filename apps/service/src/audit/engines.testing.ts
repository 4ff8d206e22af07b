import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openPostgres } from '../database/postgres/open-postgres.ts';
import type { AuditLog, AuditLogOptions } from './audit-log.ts';
import { openAuditLog } from './audit-writer.ts';
import type { VerifyReport } from './log-checks.ts';
import { parseVerifierKey } from './log/checkpoint.ts';
import { auditTables, migrateAudit } from './postgres/audit-tables.ts';
import { openPostgresAuditLog } from './postgres/postgres-backend.ts';
import { verifyPostgresLog } from './postgres/verify-postgres.ts';
import { verifyLog } from './verify.ts';

/** A place for one log, whichever database holds it: what is asserted of the one is asserted of the other. */
export interface LogPlace {
  readonly folder: string;
  open(options?: AuditLogOptions): Promise<AuditLog>;
  /** What is durable, as somebody else finds it now. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** As somebody with every right over the files or the database, past the triggers. */
  tamper(sql: string): Promise<void>;
  /** A statement as anybody who may write. */
  write(sql: string): Promise<void>;
  /** Makes commits fail until it is ended. */
  holdUp(): Promise<() => Promise<void>>;
  verify(verifierKey: string, outside?: string): Promise<VerifyReport>;
}

export interface AuditEngine {
  readonly name: string;
  /** As its backend does. */
  readonly gathers: boolean;
  start(): Promise<void>;
  stop(): Promise<void>;
  inPlace(body: (place: LogPlace) => Promise<void>): Promise<void>;
}

export const auditEngines: readonly AuditEngine[] = [onSqlite(), onPostgres()];

function onSqlite(): AuditEngine {
  return {
    name: 'SQLite',
    gathers: false,
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    inPlace: async (body) => {
      const folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
      let copies = 0;
      // eslint-disable-next-line @typescript-eslint/require-await -- what it throws is to be a rejection
      const using = async <T>(file: string, use: (db: DatabaseSync) => T): Promise<T> => {
        const db = new DatabaseSync(join(file, 'audit.db'));
        try {
          return use(db);
        } finally {
          db.close();
        }
      };
      try {
        await body({
          folder,
          open: (options) => openAuditLog(folder, options),
          rows: (sql) => {
            copies += 1;
            const copy = copyOf(folder, copies);
            return using(copy, (db) => db.prepare(sql).all());
          },
          tamper: (sql) =>
            using(folder, (db) => {
              const triggers = db
                .prepare(`select name, sql from sqlite_schema where type = 'trigger'`)
                .all();
              triggers.forEach(({ name }) => {
                db.exec(`drop trigger ${String(name)}`);
              });
              db.exec(sql);
              triggers.forEach((trigger) => {
                db.exec(String(trigger['sql']));
              });
            }),
          write: (sql) =>
            using(folder, (db) => {
              db.exec(sql);
            }),
          holdUp: () => {
            const db = new DatabaseSync(join(folder, 'audit.db'));
            db.exec('begin immediate');
            return Promise.resolve(() => {
              db.exec('rollback');
              db.close();
              return Promise.resolve();
            });
          },
          verify: (key, outside) =>
            using(folder, (db) =>
              verifyLog(db, { key: parseVerifierKey(key), ...(outside && { outside }) }),
            ),
        });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

/** A copy of the files as they are, as another machine would find them after a crash. */
function copyOf(folder: string, at: number): string {
  const copy = join(folder, `copy-${String(at)}`);
  mkdirSync(copy);
  for (const file of readdirSync(folder).filter((name) => /^audit\.db(?:-wal)?$/u.test(name))) {
    copyFileSync(join(folder, file), join(copy, file));
  }
  return copy;
}

function onPostgres(): AuditEngine {
  let server: PostgresServer;
  return {
    name: 'PostgreSQL',
    gathers: true,
    start: async () => {
      server = await startPostgres({ fsync: 'off' });
    },
    stop: () => server.stop(),
    inPlace: async (body) => {
      const folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
      const url = await server.database();
      const pool = openPostgres(url, {
        applicationName: 'caregate spec',
        connections: 1,
        statementTimeoutMs: 0,
        connectTimeoutMs: 10_000,
      });
      await migrateAudit(pool);
      // One connection, so that what is begun with it goes on with it.
      const other = await pool.connect();
      await other.query('set search_path to audit');
      const exec = async (sql: string): Promise<void> => {
        await other.query(sql);
      };
      try {
        await body({
          folder,
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
            await exec('begin; lock table audit_head in access exclusive mode');
            return () => exec('rollback');
          },
          verify: (key, outside) =>
            verifyPostgresLog(other, { key: parseVerifierKey(key), ...(outside && { outside }) }),
        });
      } finally {
        other.release();
        await pool.end();
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}
