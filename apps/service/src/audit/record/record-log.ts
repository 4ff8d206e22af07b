import {
  openAuditLog as openTextLog,
  recordActs as recordTexts,
  type AuditLog as TextLog,
  type AuditLogOptions,
} from '@caregate/audit-log';
import { openPostgresAuditLog as openPostgresTextLog } from '@caregate/audit-log/postgres';
import type { AuditEntry, AuditRecorder } from './audit-entry.ts';
import { recordText, requireRecord } from './record-text.ts';

export type AuditLog = Omit<TextLog, 'record'> & AuditRecorder;
export type VerifyReport = Awaited<ReturnType<TextLog['verify']>>;

export async function openAuditLog(
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  return ofEntries(await openTextLog(dataDir, { validate: requireRecord, ...options }), options);
}

/** @throws as `openPostgresAuditLog` of the library */
export async function openPostgresAuditLog(
  url: string,
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  return ofEntries(await openPostgresTextLog(url, dataDir, options), options);
}

/** @throws as `recordActs` of the library */
export async function recordInFolder(
  dataDir: string,
  entries: readonly AuditEntry[],
  options?: Parameters<typeof recordTexts>[2],
): Promise<string> {
  return await recordTexts(
    dataDir,
    entries.map((entry) => recordText(entry)),
    options,
  );
}

function ofEntries(log: TextLog, { host: serverId }: AuditLogOptions): AuditLog {
  return {
    get logId() {
      return log.logId;
    },
    get verifierKey() {
      return log.verifierKey;
    },
    record: (entry) => log.record(recordText(entry, { serverId })),
    checkpoint: () => log.checkpoint(),
    verify: (share, signal) => log.verify(share, signal),
    state: () => log.state(),
    close: () => log.close(),
  };
}
