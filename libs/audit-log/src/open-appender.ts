import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Appender, type AppenderParts } from './appender.ts';
import type { AuditLogOptions, LogPlace } from './audit-log.ts';
import { VerifierKey } from './checkpoint.ts';
import { LogRefusedError, NoAuditLogError } from './errors.ts';
import { OPEN_LOG, ownText, type RecordText } from './record.ts';
import { SigningKey, writeWhole } from './signing-key.ts';
import { PostgresStorage } from './storage/postgres.ts';
import { SqliteStorage } from './storage/sqlite.ts';
import type { LogRow, LogStorage } from './storage/storage.ts';

export function logFile(dataDir: string): string {
  return join(dataDir, 'audit.db');
}

/** Names the log of a data folder, so that a log which is missing is not begun anew. */
export function logIdFile(dataDir: string): string {
  return join(dataDir, 'audit-log-id');
}

export function readLogId(dataDir: string): string | undefined {
  const file = logIdFile(dataDir);
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined;
}

export interface OpenedAppender {
  readonly appender: Appender;
  readonly storage: LogStorage;
}

/**
 * Opens the log of a data folder, or begins it.
 *
 * @throws LogRefusedError if the log or its key is not where it was, NoAuditLogError if none may be begun, AuditBrokenError
 */
export async function openAppender(
  place: LogPlace,
  options: Omit<AuditLogOptions, 'onStateChange' | 'queueLimit'>,
): Promise<OpenedAppender> {
  const { dataDir, postgres } = place;
  const { members, mayBegin = true, hadLog } = options;
  const logId = readLogId(dataDir);
  const signingKey = new SigningKey(dataDir);
  const isMissing = postgres === undefined && !existsSync(logFile(dataDir));
  if (isMissing) {
    requireMayBegin({ logId, mayBegin, hadLog });
  }
  const storage: LogStorage =
    postgres === undefined
      ? new SqliteStorage(logFile(dataDir), members)
      : new PostgresStorage(postgres, members);
  try {
    const parts = { storage, members, signingKey };
    const known = logId ?? findOwn(await storage.logs(), place, signingKey)?.logId;
    if (known === undefined) {
      requireMayBegin({ logId, mayBegin, hadLog });
      const first = ownText({ operation: OPEN_LOG, details: {} }, members);
      const appender = await beginLog(parts, { dataDir, host: options.host, first });
      return { appender, storage };
    }
    const appender = await Appender.open(parts, known);
    if (logId === undefined) {
      writeWhole(logIdFile(dataDir), `${known}\n`);
    }
    return { appender, storage };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Begins a log, and names it in the data folder last: what was interrupted before is no log of the folder. */
export async function beginLog(
  parts: AppenderParts,
  {
    dataDir,
    host = hostname(),
    first,
  }: { readonly dataDir: string; readonly host?: string | undefined; readonly first: RecordText },
): Promise<Appender> {
  const logId = randomBytes(6).toString('hex');
  const appender = await Appender.create(parts, { logId, name: `${host}/audit/${logId}` }, [first]);
  writeWhole(logIdFile(dataDir), `${logId}\n`);
  return appender;
}

/** The log of a folder that does not name it yet, since its beginning was interrupted. */
function findOwn(
  rows: readonly LogRow[],
  { postgres }: LogPlace,
  signingKey: SigningKey,
): LogRow | undefined {
  if (postgres === undefined) {
    return rows[0];
  }
  const key = signingKey.read();
  return rows.find(
    ({ name, publicKey }) => key !== undefined && VerifierKey.of(name, key).text === publicKey,
  );
}

function requireMayBegin({
  logId,
  mayBegin,
  hadLog,
}: {
  logId: string | undefined;
  mayBegin: boolean;
  hadLog: string | undefined;
}): void {
  if (logId !== undefined || hadLog !== undefined) {
    throw new LogRefusedError(
      'no_log',
      `The audit log of this data folder is missing${hadLog === undefined ? '' : `, but the folder has been in use: ${hadLog}`}. Restore it: caregate restore BACKUP --data DIR. Without a backup, begin another log: caregate audit new-log --reason TEXT`,
    );
  }
  if (!mayBegin) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
}
