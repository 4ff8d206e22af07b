import { setTimeout as sleep } from 'node:timers/promises';
import {
  AuditUnavailableError,
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

/**
 * @param options `recordsOnceMore`: a record whose connection was cut is written again. Only for answers: an act that may have been
 * recorded already must not be reported as done
 * @throws as `openPostgresAuditLog` of the library
 */
export async function openPostgresAuditLog(
  url: string,
  dataDir: string,
  { recordsOnceMore = false, ...options }: AuditLogOptions & { recordsOnceMore?: boolean } = {},
): Promise<AuditLog> {
  const log = await openPostgresTextLog(url, dataDir, options);
  return ofEntries(log, options, recordsOnceMore ? (text) => recordOnceMore(log, text) : undefined);
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

/** How long a record waits for a log whose connection was cut, in milliseconds: it opens again within 200 where the server runs. */
const REOPEN_MS = 5000;
const LOOK_AGAIN_MS = 20;

/**
 * The answer is not refused because the connection was cut, as by a restart of the server. A commit that was cut may have taken place:
 * the log then has the record twice, which says the same of the same request.
 */
async function recordOnceMore(log: TextLog, text: string): ReturnType<TextLog['record']> {
  try {
    return await log.record(text);
  } catch (error) {
    if (!(error instanceof AuditUnavailableError)) {
      throw error;
    }
    for (const until = performance.now() + REOPEN_MS; log.state().latched;) {
      if (performance.now() > until) {
        throw error;
      }
      await sleep(LOOK_AGAIN_MS);
    }
    return await log.record(text);
  }
}

function ofEntries(
  log: TextLog,
  { host: serverId }: AuditLogOptions,
  record: TextLog['record'] = (text) => log.record(text),
): AuditLog {
  return {
    get logId() {
      return log.logId;
    },
    get verifierKey() {
      return log.verifierKey;
    },
    record: (entry) => record(recordText(entry, { serverId })),
    checkpoint: () => log.checkpoint(),
    verify: (share, signal) => log.verify(share, signal),
    state: () => log.state(),
    close: () => log.close(),
  };
}
