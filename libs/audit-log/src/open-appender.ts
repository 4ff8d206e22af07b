import { randomBytes, type KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { Appender, makeBatch, type AppenderParts } from './appender.ts';
import { VerifierKey, type Head } from './checkpoint.ts';
import { LogRefusedError, NoAuditLogError, requireIntact } from './errors.ts';
import type { LogOptions } from './log-backend.ts';
import { getLogFile, getLogIdFile, openStorage, readLogId, type LogPlace } from './log-place.ts';
import { formatOwnRecord, OPEN_LOG, readTime, type Members, type RecordText } from './record.ts';
import { SignedTree } from './signed-tree.ts';
import { SigningKey, writeFileDurably } from './signing-key.ts';
import type { LogRow, LogStorage } from './storage/storage.ts';
import { Frontier } from './tree.ts';

export interface OpenedAppender {
  readonly appender: Appender;
  readonly storage: LogStorage;
}

/**
 * Opens the log of a data folder, or creates it.
 *
 * @throws LogRefusedError if the log or its key is not where it was; NoAuditLogError if there is none and none may be
 * created; AuditBrokenError if the stored log differs from the one that its key signed
 */
export async function openAppender(place: LogPlace, options: LogOptions): Promise<OpenedAppender> {
  const { dataDir, postgres } = place;
  const { members, host } = options;
  const namedId = readLogId(dataDir);
  const signingKey = new SigningKey(dataDir);
  if (postgres === undefined && !existsSync(getLogFile(dataDir))) {
    requireMayBegin(namedId, options);
  }
  const storage = openStorage(place, members);
  try {
    const parts = { storage, members, signingKey };
    const logId = namedId ?? findOwnLog(await storage.readLogs(), place, signingKey)?.logId;
    if (logId === undefined) {
      requireMayBegin(namedId, options);
      const first = formatOwnRecord({ operation: OPEN_LOG, details: {} }, members);
      return { appender: await beginLog(parts, { dataDir, host, first }), storage };
    }
    const appender = await openStored(parts, logId);
    if (namedId === undefined) {
      writeFileDurably(getLogIdFile(dataDir), `${logId}\n`);
    }
    return { appender, storage };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/**
 * Creates a log. Writes its ID to the data folder last, so that an interrupted attempt leaves no log that the folder
 * names.
 */
export async function beginLog(
  parts: AppenderParts,
  {
    dataDir,
    host = hostname(),
    first,
  }: { readonly dataDir: string; readonly host?: string | undefined; readonly first: RecordText },
): Promise<Appender> {
  const logId = randomBytes(6).toString('hex');
  const name = `${host}/audit/${logId}`;
  const key = parts.signingKey.readOrCreate();
  const tree = new Frontier();
  const appender = new Appender(
    parts,
    { logId, name },
    {
      ...{ key, publicKey: VerifierKey.parse(VerifierKey.fromKey(name, key).text), tree },
      ...{ head: { size: 0, root: tree.computeRoot(), signature: Buffer.alloc(0) }, lastTimeUs: 0 },
    },
  );
  await appender.append(makeBatch([first]));
  writeFileDurably(getLogIdFile(dataDir), `${logId}\n`);
  return appender;
}

/**
 * @throws LogRefusedError if the key is missing or the wrong one; AuditBrokenError if the stored log differs from the
 * signed one
 */
async function openStored(parts: AppenderParts, logId: string): Promise<Appender> {
  const { storage, members, signingKey } = parts;
  const row = await storage.readSettledLog(logId);
  if (row === undefined) {
    throw new LogRefusedError(
      'no_log',
      `The audit log ${logId} is missing, which audit-log-id in the data folder names. Put back the database that has it, or, if it is lost, begin another log: caregate audit new-log --reason TEXT`,
    );
  }
  const head = await storage.readNewestHead(logId);
  requireIntact(head !== undefined, 'gap', 'The log has no signed head', 0);
  try {
    const keys = chooseKey(signingKey, row.name, head);
    const start = await readEnd(storage, row, head, members);
    return new Appender(parts, row, { ...keys, ...start, head });
  } catch (error) {
    // Another process appended between these reads.
    if ((await storage.readSettledLog(logId))?.size !== row.size) {
      return await openStored(parts, logId);
    }
    throw error;
  }
}

/** Returns the key that signed the head. Completes a key rotation that was interrupted. */
function chooseKey(
  signingKey: SigningKey,
  name: string,
  head: Head,
): { readonly key: KeyObject; readonly publicKey: VerifierKey } {
  // A next key may have replaced the current one.
  const next = signingKey.readNext();
  const current = signingKey.read();
  const all = [...(current === undefined ? [] : [current]), ...next];
  if (all.length === 0) {
    throw new LogRefusedError(
      'no_key',
      `The signing key of the audit log, ${signingKey.file}, is missing. Put it back, or, if it is lost, archive this log and begin another: caregate audit new-log --reason TEXT`,
    );
  }
  for (const key of all) {
    const publicKey = VerifierKey.fromKey(name, key);
    if (publicKey.hasSigned(head)) {
      if (key !== current) {
        signingKey.finishChange(key);
      }
      signingKey.removeAbandoned();
      return { key, publicKey };
    }
  }
  throw new LogRefusedError(
    'wrong_key',
    `${signingKey.file} did not sign the newest head of the audit log ${name}. Put the key of this log back; if it is lost, or the log was altered, archive the log and begin another: caregate audit new-log --reason TEXT`,
  );
}

/** Rebuilds the tree from the stored frontier. @throws AuditBrokenError unless its root is that of the head */
async function readEnd(
  storage: LogStorage,
  row: LogRow,
  head: Head,
  members: Members,
): Promise<{ readonly tree: Frontier; readonly lastTimeUs: number }> {
  const { logId, size } = row;
  const { first, end } = await storage.readSeqRange(logId);
  requireIntact(
    head.size === size && end === size && first === 0,
    end < size || first > 0 ? 'gap' : 'altered',
    `The log has records ${first} to ${end - 1}, ${size} in its own row and ${head.size} in its newest signed head`,
    first === 0 ? Math.min(end, size) : 0,
  );
  const tree = Frontier.parse(size, row.frontier);
  requireIntact(
    tree?.computeRoot().equals(head.root) === true,
    'altered',
    'The stored frontier is not that of the newest signed head',
  );
  const last = await new SignedTree(storage, row, head).record(size - 1);
  return { tree, lastTimeUs: readTime(last, members) };
}

/** Finds the log of a data folder that has no ID file yet, because its creation was interrupted. */
function findOwnLog(
  rows: readonly LogRow[],
  { postgres }: LogPlace,
  signingKey: SigningKey,
): LogRow | undefined {
  if (postgres === undefined) {
    return rows[0];
  }
  const key = signingKey.read();
  return rows.find(
    ({ name, publicKey }) => key !== undefined && VerifierKey.fromKey(name, key).text === publicKey,
  );
}

function requireMayBegin(logId: string | undefined, { mayBegin = true, hadLog }: LogOptions): void {
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
