import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  AuditBrokenError,
  AuditLogError,
  LogRefusedError,
  type Breach,
  type Refusal,
} from './errors.ts';
import { logFile, openStorage, readLogId, type LogPlace } from './log-place.ts';
import { beginLog, openAppender } from './open-appender.ts';
import { formatOwn, NEW_LOG, parseOwn, type Members } from './record.ts';
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
 * Archives a log that a start refuses, or that a verification finds broken, and begins another under a new key, whose first record names
 * it. An interruption leaves a folder that starts refuse, until it is run again.
 *
 * @returns the new log, and the folder with what was archived
 * @throws AuditLogError if nothing is wrong with the log, NoAuditLogError without one
 */
export async function newLog(
  place: LogPlace,
  options: NewLogOptions,
): Promise<{ readonly logId: string; readonly publicKey: string; readonly archive: string }> {
  const { dataDir, postgres } = place;
  const { members, host, actorId, reason } = options;
  const fault = await findFault(place, options);
  const logId = readLogId(dataDir) ?? 'unknown';
  // What cannot be read any more is not named.
  const archived = await listArchived(place, members, logId).catch(() => logId);
  const signingKey = new SigningKey(dataDir);
  const ownKey = join(dataDir, 'audit-key.pem');
  if (signingKey.file !== ownKey) {
    // A key elsewhere goes on to sign. Refuses before anything is moved.
    signingKey.readOrMake();
  }
  const files = [
    ...(postgres === undefined ? ['', '-wal', '-shm'].map((end) => logFile(dataDir) + end) : []),
    ...(signingKey.file === ownKey ? [ownKey] : []),
  ];
  const archive = archiveFiles(dataDir, files.filter(existsSync));
  const storage = openStorage(place, members);
  try {
    const details = { archived, archive: basename(archive), reason };
    const record = { operation: NEW_LOG, actor_id: actorId, reason_code: fault, details };
    const first = formatOwn(record, members);
    const appender = await beginLog({ storage, members, signingKey }, { dataDir, host, first });
    return { logId: appender.logId, publicKey: appender.publicKey, archive };
  } finally {
    await storage.close();
  }
}

/** Moves files to a folder of their own. All are there before the first one goes: a database belongs with its write-ahead log. */
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

/** What is wrong with the log. @throws AuditLogError if it is nothing */
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
    // The operator puts a key elsewhere right; nothing may be wrong with the log.
    if (error instanceof LogRefusedError && error.kind !== 'key_elsewhere') {
      return error.kind;
    }
    throw error;
  }
  throw new AuditLogError('The audit log is intact: there is no reason to begin another.');
}

/** The broken log, and those that were archived before it: on PostgreSQL their rows stay, and readers leave them out. */
async function listArchived(place: LogPlace, members: Members, logId: string): Promise<string> {
  const storage = openStorage(place, members, { readOnly: true });
  try {
    const [first] = await storage.records(logId, 0, 1);
    const own = first && parseOwn(first.body);
    const before = own?.operation === NEW_LOG ? String(own.details['archived'] ?? '') : '';
    return `${before} ${logId}`.trim();
  } finally {
    await storage.close();
  }
}
