import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { removeIfThere, writeWhole } from '../disk/whole-file.ts';
import { ACCEPT_BREAK } from '../entry/log-operations.ts';
import { systemRecord } from '../entry/system-record.ts';
import { AuditLogError } from '../errors.ts';
import {
  formatVerifierKey,
  parseVerifierKey,
  verifierKey,
  type VerifierKey,
} from '../note/checkpoint.ts';
import {
  heldDigest,
  knownSize,
  signedSizes,
  sizeDetails,
  type SignedSizes,
} from './break/lost-records.ts';
import { provedRecords } from './break/proved-records.ts';
import { parseGroup, type Group } from './group.ts';
import { logPaths, type LogPaths } from './layout.ts';
import { readLogFile, type FolderIdentity } from './log-file.ts';
import { signingKey } from './log-key.ts';
import { LogRefusedError, type Refusal } from './log-refused.ts';
import { LogWriter, type LogWriterOptions } from './log-writer.ts';
import { RenewedLog } from './renewed-log.ts';
import { bytesOf, listSegments } from './segments.ts';
import { StoredRecords } from './stored-records.ts';

const parts = ['log', 'checkpoint', 'witnessed', 'records', 'tile'] as const;

export interface BreakOptions extends LogWriterOptions {
  /** Who accepts it: as in the records of commands. */
  readonly actorId: string;
  /** Why, in their words; it is in the record. */
  readonly reason: string;
  /** The public key of the log, kept elsewhere; default: that of the signing key in the data folder. */
  readonly publicKey?: VerifierKey;
  /** Told of so many bytes of so many, first of those that are read for what they prove, then of those that are kept. */
  readonly onProgress?: (what: 'proving' | 'keeping', bytes: number, of: number) => void;
}

export interface AcceptedBreak {
  /** What a start refused. */
  readonly refusal: Refusal;
  /** Records that were kept, as far as seals prove them; 0: another log begins. */
  readonly kept: number;
  /** Records that the old log had, as far as it is known; 0 if it is not. */
  readonly total: number;
  readonly logId: string;
  /** The log that goes on, under this key. */
  readonly publicKey: string;
  /** Folder with all that was there before. */
  readonly heldIn: string;
}

/**
 * Goes on with a log that a start refuses: everything is set aside, the records that its seals prove are taken over under a
 * new key, and a record says what was refused, what was lost, and why a person went on. Seals prove something only if the newest key of
 * the log is the public half of the folder's signing key, or the one that is given. Where nothing is proved, another log begins.
 *
 * The caller holds the lock of the folder.
 *
 * @throws AuditLogError if a start would not refuse the log
 */
export function acceptBreak(options: BreakOptions): AcceptedBreak {
  const { disk, dataDir } = options;
  const paths = logPaths(dataDir);
  disk.makeFolder(paths.audit);
  undoInterrupted(disk, paths);
  const refusal = refusalOf(options);
  const name = `break-${randomBytes(4).toString('hex')}`;
  const heldIn = join(paths.held, name);
  // Before anything is moved: what is proved is read from where it is.
  const identity = identityOf(disk, paths);
  const noted = trustedKey(options, paths, originOnCheckpoint(disk, paths));
  const trusted = identity ? trustedKey(options, paths, identity.origin) : noted;
  const isTrusted =
    identity !== undefined &&
    trusted !== undefined &&
    formatVerifierKey(trusted.key) === identity.verifierKey;
  const there = bytesOf(disk, listSegments(disk, paths.records));
  const kept = isTrusted
    ? provedRecords(disk, paths, identity, (bytes) => {
        options.onProgress?.('proving', bytes, there);
      })
    : 0;
  const named = identity && parseVerifierKey(identity.verifierKey);
  const sizes = sizesOf(disk, paths, isTrusted ? [named] : [trusted?.key, noted?.key, named]);
  const oldKey = trusted?.key ?? named;
  writeWhole(disk, paths.renewing, Buffer.from(name));
  setAside(disk, paths, heldIn);
  const why = systemRecord({
    operation: ACCEPT_BREAK,
    actorId: options.actorId,
    dataCategory: 'audit',
    reasonCode: refusal,
    recordCount: kept,
    details: {
      reason: options.reason,
      held: name,
      held_sha256: heldDigest(disk, heldIn),
      proved_with: kept > 0 && trusted ? trusted.from : 'nothing',
      ...(refusal === 'log_missing' &&
        options.hadLog !== undefined && { shown_by: options.hadLog }),
      ...(oldKey && { old_public_key: formatVerifierKey(oldKey) }),
      ...(sizes && sizeDetails(sizes)),
    },
  });
  // Nothing is kept: another log, so that nothing of the old one can be taken for a part of it.
  const goesOn = kept > 0 ? identity : undefined;
  const logId = goesOn?.logId ?? randomBytes(6).toString('hex');
  const log = new RenewedLog(disk, paths, {
    logId,
    origin: goesOn?.origin ?? `${options.host}/audit/${logId}`,
    keys: goesOn?.keys ?? [],
    serverId: options.serverId,
    nowMs: (options.now ?? Date.now)(),
    marker: name,
  });
  const records = new StoredRecords(disk, join(heldIn, 'records'), logId);
  let taken = 0;
  try {
    for (const { bytes } of kept > 0 ? records.groups(0) : []) {
      const group = parseGroup(bytes) as Group;
      // What comes behind may have the number of a record that is kept already.
      if (log.size >= kept) {
        break;
      }
      log.sealed(group, bytes);
      taken += bytes.length;
      options.onProgress?.('keeping', taken, there);
    }
  } finally {
    records.close();
  }
  const total = Math.max(kept, sizes ? knownSize(sizes) : 0);
  return { refusal, kept, total, logId, heldIn, publicKey: log.finish(why) };
}

function refusalOf({ disk, ...options }: BreakOptions): Refusal {
  try {
    new LogWriter({ disk, ...options }).close();
  } catch (error) {
    if (error instanceof LogRefusedError) {
      return error.kind;
    }
    throw error;
  }
  throw new AuditLogError('The audit log is as it was left: there is no break to accept.');
}

/** Undefined if it is not known which log it was. */
function identityOf(disk: Disk, paths: LogPaths): FolderIdentity | undefined {
  try {
    return readLogFile(disk, paths);
  } catch {
    return undefined;
  }
}

interface Trusted {
  readonly key: VerifierKey;
  readonly from: 'public key given' | 'audit-key.pem';
}

/** The public key that whoever writes the folder's `audit` did not choose; named as the log is, where that is known. */
function trustedKey(options: BreakOptions, paths: LogPaths, origin: string): Trusted | undefined {
  if (options.publicKey !== undefined) {
    return { key: options.publicKey, from: 'public key given' };
  }
  const key = signingKey(options.disk.read(paths.key) ?? Buffer.alloc(0));
  return key && { key: verifierKey(origin, key), from: 'audit-key.pem' };
}

/** The name on the checkpoint: whoever wrote the file `log` may have changed it there alone. */
function originOnCheckpoint(disk: Disk, paths: LogPaths): string {
  return disk.read(paths.checkpoint)?.toString().split('\n')[0] ?? '';
}

/** What the trusted key signed, or, where that is nothing, the key that the log names. */
function sizesOf(
  disk: Disk,
  paths: LogPaths,
  keys: readonly (VerifierKey | undefined)[],
): SignedSizes | undefined {
  const found = keys.filter((key) => key !== undefined).map((key) => signedSizes(disk, paths, key));
  return found.find(({ checkpoint, seal }) => checkpoint ?? seal) ?? found.at(-1);
}

/** Puts back what an interrupted attempt had set aside, so that it is proved again; what it had written is kept, too. */
function undoInterrupted(disk: Disk, paths: LogPaths): void {
  const marker = disk.read(paths.renewing)?.toString() ?? '';
  if (!/^break-[0-9a-f]{8}$/u.test(marker)) {
    return;
  }
  const heldIn = join(paths.held, marker);
  const there = parts.filter((part) => isThere(disk, join(heldIn, part)));
  for (const name of there) {
    if (isThere(disk, join(paths.audit, name))) {
      disk.rename(
        join(paths.audit, name),
        join(heldIn, `${name}-${randomBytes(4).toString('hex')}`),
      );
    }
    disk.rename(join(heldIn, name), join(paths.audit, name));
  }
  // It may have ended before there was such a folder.
  for (const folder of there.length > 0 ? [paths.audit, heldIn] : []) {
    disk.syncFolder(folder);
  }
  disk.remove(paths.renewing);
  disk.syncFolder(paths.audit);
}

function isThere(disk: Disk, path: string): boolean {
  return isFolder(path) ? disk.list(path).length > 0 : disk.read(path) !== undefined;
}

function isFolder(path: string): boolean {
  return path.endsWith('records') || path.endsWith('tile');
}

/** Moves all parts of the log, and copies its key, into a folder of their own. */
function setAside(disk: Disk, paths: LogPaths, heldIn: string): void {
  disk.makeFolder(paths.held);
  disk.makeFolder(heldIn);
  // Before anything is moved there: what is in a folder is lost with its name.
  disk.syncFolder(paths.audit);
  disk.syncFolder(paths.held);
  const key = disk.read(paths.key);
  if (key !== undefined) {
    writeWhole(disk, join(heldIn, 'audit-key.pem'), key);
  }
  for (const name of parts.filter((part) => isThere(disk, join(paths.audit, part)))) {
    disk.rename(join(paths.audit, name), join(heldIn, name));
  }
  removeIfThere(disk, paths.index);
  for (const folder of [heldIn, paths.audit]) {
    disk.syncFolder(folder);
  }
}
