import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { basename, dirname } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { removeIfThere, writeWhole } from '../disk/whole-file.ts';
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

export interface KeyedLog {
  readonly identity: LogIdentity;
  readonly key: KeyObject;
}

/**
 * The log of a data folder and its key; a new log if there is neither, and nothing shows that there was one.
 *
 * @throws LogRefusedError if only one is there, they do not match, or both were removed
 */
export function openOrCreate(disk: Disk, paths: LogPaths, asNew: () => NewLog): KeyedLog {
  const identity = readLogFile(disk, paths);
  const pem = disk.read(paths.key);
  const isUnfinished = disk.read(paths.unfinished) !== undefined;
  if (pem === undefined && (identity === undefined || isUnfinished)) {
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
  const key = signingKey(pem);
  const isOfLog =
    key !== undefined && VerifierKey.of(identity.origin, key).text === identity.verifierKey;
  if (!isOfLog) {
    throw refused('wrong_key');
  }
  // The last process may have ended before its sync.
  disk.syncFolder(paths.data);
  disk.syncFolder(paths.audit);
  if (isUnfinished) {
    disk.remove(paths.unfinished);
  }
  return { identity, key };
}

/** Creates a log. Its key is written last: without a key and records, the next start creates it anew. */
export function createLog(disk: Disk, paths: LogPaths, { logId, host }: NewLog): KeyedLog {
  disk.makeFolder(paths.audit);
  disk.syncFolder(paths.data);
  writeWhole(disk, paths.unfinished, Buffer.alloc(0));
  const key = generateKeyPairSync('ed25519').privateKey;
  const origin = `${host}/audit/${logId}`;
  const publicKey = VerifierKey.of(origin, key).text;
  VerifierKey.parse(publicKey);
  const identity = { logId, origin, verifierKey: publicKey };
  disk.makeFolder(paths.records);
  writeWhole(disk, paths.log, formatLogFile(identity));
  const note = signCheckpoint({ origin, size: 0, root: emptyRoot }, key);
  writeWhole(disk, paths.checkpoint, Buffer.from(note));
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
  writeWhole(disk, paths.key, Buffer.from(pem));
  removeIfThere(disk, paths.unfinished);
  disk.syncFolder(paths.audit);
  return { identity, key };
}

/** A crash never leaves records without a log and a key. */
function requireNoRecords(disk: Disk, paths: LogPaths): void {
  if (disk.list(paths.records).length > 0) {
    throw refused('log_without_key');
  }
}

/** Parts that a new log does not have yet. */
function leftOfLog(disk: Disk, paths: LogPaths): string | undefined {
  const left = [paths.tiles, paths.held, paths.witnessed, paths.index].find((path) =>
    disk.list(dirname(path)).includes(basename(path)),
  );
  return left && `audit/${basename(left)} is here`;
}

/** Undefined if it is not a private Ed25519 key. */
export function signingKey(pem: Buffer): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}
