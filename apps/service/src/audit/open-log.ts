import {
  NoAuditLogError,
  openAuditLog as openTextLog,
  buildPostgresTables,
  type AuditLog as TextLog,
  type AuditLogOptions,
  type LogPlace,
} from '@caregate/audit-log';
import {
  createPostgresTables,
  makeFolder,
  requireNotMoved,
  withPostgres,
} from '@caregate/data-store/database';
import type pg from 'pg';
import type { Database } from '../config/read-config.ts';
import { members, toRecordText, type AuditEntry, type AuditRecorder } from './audit-record.ts';
import { findEvidenceOfLog } from './lost-data.ts';

export type AuditLog = Omit<TextLog, 'record'> & AuditRecorder;
export type LogOptions = Omit<AuditLogOptions, 'members'>;

export async function openAuditLog(place: LogPlace, options: LogOptions = {}): Promise<AuditLog> {
  const log = await openTextLog(place, { ...options, members });
  return {
    get logId() {
      return log.logId;
    },
    get publicKey() {
      return log.publicKey;
    },
    record: (entry) => log.record(toRecordText(entry, options.host)),
    checkpoint: () => log.checkpoint(),
    state: () => log.state(),
    verify: (share, signal) => log.verify(share, signal),
    close: () => log.close(),
  };
}

export async function openLog(
  { dataDir, database }: { readonly dataDir: string; readonly database?: Database | undefined },
  options: LogOptions = {},
): Promise<AuditLog> {
  makeFolder(dataDir);
  if (database === undefined) {
    requireNotMoved(dataDir);
    return await openAuditLog({ dataDir }, options);
  }
  await withPostgres(database.url, 'caregate audit', createAuditTables);
  return await openAuditLog({ dataDir, postgres: database }, options);
}

export async function createAuditTables(pool: pg.Pool): Promise<void> {
  await createPostgresTables(pool, 'audit', buildPostgresTables(members));
}

export interface ActLog {
  /** The data folder, whose key signs the audit log on both engines. */
  readonly dataDir: string | undefined;
  readonly database?: Database | undefined;
}

/**
 * Records actions of a command. Resolves to the checkpoint when the records are durable. May run while the service
 * runs. If it throws, the actions MUST NOT take effect.
 */
export async function recordActs(where: ActLog, entries: readonly AuditEntry[]): Promise<string> {
  const log = await openActLog(where);
  try {
    await Promise.all(entries.map((entry) => log.record(entry)));
    return await log.checkpoint();
  } finally {
    await log.close();
  }
}

/** Opens the audit log for a command. Creates it if needed, since the service may never have been started. */
export async function openActLog({ dataDir, database }: ActLog): Promise<AuditLog> {
  if (dataDir === undefined) {
    throw new NoAuditLogError(
      'Use --data DIR: this command is recorded in a log signed with the key in that folder.',
    );
  }
  const hadLog = database === undefined ? findEvidenceOfLog(dataDir) : undefined;
  return await openLog({ dataDir, database }, { hadLog });
}
