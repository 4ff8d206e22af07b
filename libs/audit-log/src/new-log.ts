import { existsSync, mkdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { LogPlace } from './audit-log.ts';
import {
  AuditBrokenError,
  AuditLogError,
  LogRefusedError,
  type Breach,
  type Refusal,
} from './errors.ts';
import { beginLog, logFile, openAppender, readLogId } from './open-appender.ts';
import { NEW_LOG, ownRecord, ownText, type Members } from './record.ts';
import { SigningKey, syncFolder } from './signing-key.ts';
import { PostgresStorage } from './storage/postgres.ts';
import { SqliteStorage } from './storage/sqlite.ts';
import { verifyLog, type VerifyOptions } from './verify-log.ts';

export interface NewLog {
  readonly logId: string;
  readonly publicKey: string;
  /** The folder with what was set aside. */
  readonly archive: string;
}

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
 * @throws AuditLogError if the log is whole, NoAuditLogError without one
 */
export async function newLog(place: LogPlace, options: NewLogOptions): Promise<NewLog> {
  const { dataDir, postgres } = place;
  const { members, host, actorId, reason } = options;
  const fault = await findFault(place, options);
  const logId = readLogId(dataDir) ?? 'unknown';
  // What cannot be read any more is not named.
  const archived = await listArchived(place, members, logId).catch(() => logId);
  const signingKey = new SigningKey(dataDir);
  const own = join(dataDir, 'audit-key.pem');
  if (signingKey.file !== own) {
    // Refuses before anything is moved.
    signingKey.readOrMake();
  }
  const archive = join(
    dataDir,
    `audit.broken-${new Date().toISOString().replaceAll(/[-:.]/gu, '')}`,
  );
  mkdirSync(archive, { mode: 0o700 });
  const files =
    postgres === undefined ? ['', '-wal', '-shm'].map((end) => logFile(dataDir) + end) : [];
  // A key elsewhere goes on to sign.
  for (const file of [...files, ...(signingKey.file === own ? [own] : [])]) {
    if (existsSync(file)) {
      renameSync(file, join(archive, basename(file)));
    }
  }
  syncFolder(archive);
  syncFolder(dataDir);
  const storage =
    postgres === undefined
      ? new SqliteStorage(logFile(dataDir), members)
      : new PostgresStorage(postgres, members);
  try {
    const first = ownText(
      {
        operation: NEW_LOG,
        actor_id: actorId,
        reason_code: fault,
        details: { archived, archive: basename(archive), reason },
      },
      members,
    );
    const appender = await beginLog({ storage, members, signingKey }, { dataDir, host, first });
    return { logId: appender.logId, publicKey: appender.publicKey, archive };
  } finally {
    await storage.close();
  }
}

/** Why the log is not whole. @throws AuditLogError if it is */
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
    // A key that is kept elsewhere is put right there; the log may be whole.
    if (error instanceof LogRefusedError && error.kind !== 'key_elsewhere') {
      return error.kind;
    }
    throw error;
  }
  throw new AuditLogError('The audit log is whole: there is no reason to begin another.');
}

/** The broken log, and those that were archived before it: on PostgreSQL their rows stay, and readers leave them out. */
async function listArchived(
  { dataDir, postgres }: LogPlace,
  members: Members,
  logId: string,
): Promise<string> {
  const storage =
    postgres === undefined
      ? new SqliteStorage(logFile(dataDir), members, { readOnly: true })
      : new PostgresStorage(postgres, members);
  try {
    const [first] = await storage.records(logId, 0, 1);
    const own = first && ownRecord(first.body);
    const before = own?.operation === NEW_LOG ? String(own.details['archived'] ?? '') : '';
    return `${before} ${logId}`.trim();
  } finally {
    await storage.close();
  }
}
