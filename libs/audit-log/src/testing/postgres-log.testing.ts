import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { auditEntry, type Members } from './audit-entry.testing.ts';
import { openSession, type AuditSession } from '../postgres/audit-session.ts';
import { PostgresLog, type PostgresLogOptions } from '../postgres/postgres-log.ts';
import { auditTables, logTables } from '../postgres/stored/schema.ts';

export const columns = {
  recorded_at_us: 'bigint',
  team_id: 'text',
  actor_id: 'text',
  operation: 'text',
  decision: 'text',
  patients: 'smallint[]',
} as const;

/** Makes the tables of the audit log in an empty database. */
export async function makeAuditTables(db: AuditSession): Promise<void> {
  await db.query('create schema audit');
  await db.query('set search_path to audit');
  for (const statement of logTables(columns)) {
    await db.query(statement);
  }
}

/** A session that fails the test where it is lost. */
export function sessionOf(url: string): Promise<AuditSession> {
  return openSession({ url, timeoutMs: 600_000 }, () => undefined);
}

export const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

/** Opens a log over a session of its own, as an instance does. */
export async function openLog(
  url: string,
  key: KeyObject,
  options: Partial<PostgresLogOptions> = {},
): Promise<{ readonly log: PostgresLog; readonly session: AuditSession }> {
  const session = await sessionOf(url);
  try {
    const log = await PostgresLog.open(session, key, {
      host: 'clinic.example',
      ...options,
    });
    return { log, session };
  } catch (error) {
    await session.close();
    throw error;
  }
}

/** Appends a group of records. */
export async function appendGroup(
  log: PostgresLog,
  count: number,
  changes: Partial<Members> = {},
): Promise<void> {
  await log.append(Array.from({ length: count }, () => auditEntry(changes, Date.now())));
}

/** Runs statements as the owner, past the triggers, which are there again afterwards. */
export async function pastTriggers(
  db: AuditSession,
  statements: () => Promise<unknown>,
): Promise<void> {
  await db.query('set local search_path to audit');
  for (const table of auditTables) {
    await db.query(`alter table ${table} disable trigger all`);
  }
  await statements();
  for (const table of auditTables) {
    await db.query(`alter table ${table} enable always trigger ${table}_append_only`);
  }
}
