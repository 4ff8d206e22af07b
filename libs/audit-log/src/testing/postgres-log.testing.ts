import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { auditEntry } from './audit-entry.testing.ts';
import type { AuditEntry } from '../entry/audit-entry.ts';
import { openSession, type AuditSession } from '../postgres/audit-session.ts';
import { PostgresLog, type PostgresLogOptions } from '../postgres/postgres-log.ts';
import { auditMigrations, auditTables } from '../postgres/stored/schema.ts';

/** Makes the tables of the audit log in an empty database. */
export async function makeAuditTables(db: AuditSession): Promise<void> {
  await db.query('create schema audit');
  await db.query('set search_path to audit');
  for (const statement of Object.values(auditMigrations).flat()) {
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
  changes: Partial<AuditEntry> = {},
): Promise<void> {
  const recordedAtUs = Date.now() * 1000;
  await log.append(
    Array.from({ length: count }, () => ({ entry: auditEntry(changes), recordedAtUs })),
  );
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
