import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  AuditBrokenError,
  AuditLogError,
  LogRefusedError,
  type Breach,
  type Refusal,
} from './errors.ts';
import { getLogFile, openStorage, readLogId, type LogPlace } from './log-place.ts';
import { beginLog, openAppender } from './open-appender.ts';
import { formatOwnRecord, NEW_LOG, parseOwnRecord, type Members } from './record.ts';
import { SigningKey, syncFolder } from './signing-key.ts';
import { verifyLog, type VerifyOptions } from './verify-log.ts';

export interface NewLogOptions extends Pick<VerifyOptions, 'onProgress'> {
  readonly members: Members;
  readonly host?: string | undefined;
  readonly hadLog?: string | undefined;
  readonly actorId: string;
  readonly reason: string;
}

/**
 * Archives a log that can't be opened or that fails verification, and creates a new one under a new key. The first
 * record of the new log names the archived one. After an interruption, opening the log is refused until this is run
 * again.
 *
 * @returns the new log, and the folder with the archived files
 * @throws AuditLogError if nothing is wrong with the log; NoAuditLogError if there is none
 */
export async function startNewLog(
  place: LogPlace,
  options: NewLogOptions,
): Promise<{ readonly logId: string; readonly publicKey: string; readonly archive: string }> {
  const { dataDir, postgres } = place;
  const { members, host, actorId, reason } = options;
  const fault = await findFault(place, options);
  const logId = readLogId(dataDir) ?? 'unknown';
  // If the log is unreadable, name only its ID.
  const archived = await listArchived(place, members, logId).catch(() => logId);
  const signingKey = new SigningKey(dataDir);
  const ownKey = join(dataDir, 'audit-key.pem');
  if (signingKey.file !== ownKey) {
    // A key outside of the data folder stays in use. Throws before any file is moved.
    signingKey.readOrCreate();
  }
  const files = [
    ...(postgres === undefined ? ['', '-wal', '-shm'].map((end) => getLogFile(dataDir) + end) : []),
    ...(signingKey.file === ownKey ? [ownKey] : []),
  ];
  const archive = archiveFiles(dataDir, files.filter(existsSync));
  const storage = openStorage(place, members);
  try {
    const details = { archived, archive: basename(archive), reason };
    const record = { operation: NEW_LOG, actor_id: actorId, reason_code: fault, details };
    const first = formatOwnRecord(record, members);
    const appender = await beginLog({ storage, members, signingKey }, { dataDir, host, first });
    return { logId: appender.logId, publicKey: appender.publicKey, archive };
  } finally {
    await storage.close();
  }
}

/**
 * Moves files to a new folder. Checks that all exist before moving the first one, since a database needs its
 * write-ahead log.
 */
function archiveFiles(dataDir: string, files: readonly string[]): string {
  const time = new Date().toISOString().replaceAll(/[-:.]/gu, '');
  const archive = join(dataDir, `audit.broken-${time}`);
  mkdirSync(archive, { mode: 0o700 });
  files.forEach((file) => {
    linkSync(file, join(archive, basename(file)));
  });
  syncFolder(archive);
  syncFolder(dataDir);
  files.forEach((file) => {
    rmSync(file);
  });
  syncFolder(dataDir);
  return archive;
}

/** Returns what is wrong with the log. @throws AuditLogError if nothing is wrong */
async function findFault(
  place: LogPlace,
  { members, hadLog, onProgress }: NewLogOptions,
): Promise<Breach | Refusal> {
  try {
    const { appender, storage } = await openAppender(place, { members, hadLog, mayBegin: false });
    try {
      const { logId, name, publicKey } = appender;
      await verifyLog(storage, members, { logId, name, publicKey }, { onProgress });
    } finally {
      await storage.close();
    }
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      return error.breach;
    }
    // `key_elsewhere` is a wrong setting that the operator can correct; the log may be intact.
    if (error instanceof LogRefusedError && error.kind !== 'key_elsewhere') {
      return error.kind;
    }
    throw error;
  }
  throw new AuditLogError('The audit log is intact: there is no reason to begin another.');
}

/**
 * Lists the broken log and those archived before it. On PostgreSQL, their rows stay in the tables, and readers skip
 * them.
 */
async function listArchived(place: LogPlace, members: Members, logId: string): Promise<string> {
  const storage = openStorage(place, members, { readOnly: true });
  try {
    const [first] = await storage.readRecords(logId, 0, 1);
    const own = first && parseOwnRecord(first.body);
    const before = own?.operation === NEW_LOG ? String(own.details['archived'] ?? '') : '';
    return `${before} ${logId}`.trim();
  } finally {
    await storage.close();
  }
}
