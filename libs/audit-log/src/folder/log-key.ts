import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { removeIfThere, writeWhole } from '../disk/whole-file.ts';
import { signingKeyElsewhere } from '../note/audit-key.ts';
import { signCheckpoint, type LogIdentity, VerifierKey } from '../note/checkpoint.ts';
import { emptyRoot } from '../tree/tree.ts';
import type { LogPaths } from './layout.ts';
import { formatLogFile, readLogFile } from './log-file.ts';
import { refused } from './log-refused.ts';

export interface NewLog {
  readonly logId: string;
  readonly host: string;
  /** Evidence that the folder had a log: then none is created. */
  readonly hadLog?: string | undefined;
}

/** @throws LogRefusedError if only the log or its key is there, or something shows that both were removed */
export function openOrCreate(disk: Disk, paths: LogPaths, asNew: () => NewLog): LogIdentity {
  requireKeyElsewhere(disk, paths);
  const identity = readLogFile(disk, paths);
  const pem = disk.read(paths.key);
  const isUnfinished = disk.read(paths.unfinished) !== undefined;
  const mayCreate = pem === undefined || paths.key !== paths.ownKey;
  if (mayCreate && (identity === undefined || isUnfinished)) {
    requireNoRecords(disk, paths);
    const wanted = asNew();
    const shown = wanted.hadLog ?? leftOfLog(disk, paths);
    if (shown !== undefined) {
      throw refused('log_missing', shown);
    }
    return createLog(disk, paths, wanted);
  }
  if (identity === undefined) {
    throw refused('key_without_log');
  }
  if (pem === undefined) {
    throw refused('log_without_key');
  }
  // The last process may have ended before its sync.
  disk.syncFolder(paths.data);
  disk.syncFolder(paths.audit);
  if (isUnfinished) {
    disk.remove(paths.unfinished);
  }
  return identity;
}

/** Creates a log. Its key is written last: without a key and records, the next start creates it anew. */
function createLog(disk: Disk, paths: LogPaths, { logId, host }: NewLog): LogIdentity {
  disk.makeFolder(paths.audit);
  disk.syncFolder(paths.data);
  writeWhole(disk, paths.unfinished, Buffer.alloc(0));
  const key = keptKey(disk, paths) ?? generateKeyPairSync('ed25519').privateKey;
  const origin = `${host}/audit/${logId}`;
  const publicKey = VerifierKey.of(origin, key).text;
  VerifierKey.parse(publicKey);
  const identity = { logId, origin, verifierKey: publicKey };
  disk.makeFolder(paths.records);
  writeWhole(disk, paths.log, formatLogFile(identity));
  const note = signCheckpoint({ origin, size: 0, root: emptyRoot }, key);
  writeWhole(disk, paths.checkpoint, Buffer.from(note));
  if (paths.key === paths.ownKey) {
    const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
    writeWhole(disk, paths.key, Buffer.from(pem));
  }
  removeIfThere(disk, paths.unfinished);
  disk.syncFolder(paths.audit);
  return identity;
}

/** A crash never leaves records without a log and a key. */
function requireNoRecords(disk: Disk, paths: LogPaths): void {
  if (disk.list(paths.records).length > 0) {
    throw refused('log_without_key');
  }
}

function leftOfLog(disk: Disk, paths: LogPaths): string | undefined {
  const left = [paths.nodes, paths.held, paths.index].find((path) =>
    disk.list(dirname(path)).includes(basename(path)),
  );
  return left && `audit/${basename(left)} is here`;
}

function keptKey(disk: Disk, { key, ownKey }: LogPaths): KeyObject | undefined {
  return key === ownKey ? undefined : signingKey(disk.read(key) ?? Buffer.alloc(0));
}

/** @throws LogRefusedError if the key is to be elsewhere, and is not there, or not there alone */
export function requireKeyElsewhere(disk: Disk, { data, ownKey }: LogPaths): void {
  const file = signingKeyElsewhere();
  if (file === undefined) {
    return;
  }
  if (disk.read(ownKey) !== undefined) {
    throw refused(
      'key_elsewhere',
      `${ownKey} is there too. If ${file} is the same, delete that one`,
    );
  }
  const what = wrongWith(disk, file);
  if (what !== undefined) {
    throw refused(
      'key_elsewhere',
      `${file} ${what}. Put it back; for a new log: openssl genpkey -algorithm ed25519 -out FILE, readable by the service's user alone (the data folder is ${data})`,
    );
  }
}

function wrongWith(disk: Disk, file: string): string | undefined {
  let pem: Buffer | undefined;
  try {
    pem = disk.read(file);
  } catch (error) {
    return `cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'})`;
  }
  if (pem === undefined) {
    return 'is missing';
  }
  return signingKey(pem) === undefined ? 'holds no Ed25519 key' : undefined;
}

export function signingKey(pem: Buffer): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}
