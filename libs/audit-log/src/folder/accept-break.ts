import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { removeIfThere, writeWhole } from '../disk/whole-file.ts';
import { ACCEPT_BREAK, ownText } from '../entry/record-text.ts';
import type { OnRecords } from '../log/log-source.ts';
import { AuditBrokenError, AuditLogError, BadCheckpointError, NoAuditLogError } from '../errors.ts';
import type { VerifierKey } from '../note/checkpoint.ts';
import { logPaths, type LogPaths } from './layout.ts';
import { lockFolder } from './lock/folder-lock.ts';
import { createLog } from './log-key.ts';
import { LogReader } from './log-reader.ts';
import { LogRefusedError, type Refusal } from './log-refused.ts';
import { LogWriter, type LogWriterOptions } from './log-writer.ts';
import { signedSize } from './signed-size.ts';

interface Acceptance {
  readonly actorId: string;
  readonly reason: string;
  /** The public key of the old log, kept elsewhere. Default: that of the signing key in the data folder. */
  readonly publicKey?: VerifierKey;
  readonly onProgress?: OnRecords;
}

export type BreakOptions = LogWriterOptions &
  Acceptance & {
    /** Whether a record before those that a start reads is missing or another one. */
    readonly isAltered?: boolean;
  };

export interface AcceptedBreak {
  /** Records of the old log, as far as a key signed them; 0 if none did. */
  readonly oldSize: number;
  readonly logId: string;
  readonly publicKey: string;
  readonly heldIn: string;
}

/**
 * Sets aside a log that a start refuses or that has an altered record, and begins one under a new key, which names the old one.
 *
 * @throws NoAuditLogError without a log, LogRefusedError while a process writes it, AuditLogError if there is no break
 */
export async function acceptBreak(
  dataDir: string,
  options: Acceptance & Pick<LogWriterOptions, 'host' | 'hadLog'>,
): Promise<AcceptedBreak> {
  const paths = logPaths(resolve(dataDir));
  if (
    options.hadLog === undefined &&
    ![paths.audit, paths.ownKey].some((path) => existsSync(path))
  ) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
  nodeDisk.makeFolder(paths.audit);
  const lock = lockFolder(paths, 500);
  try {
    const isAltered = await hasAlteredRecord(paths.data, options.onProgress);
    return acceptBreakOn({ ...options, isAltered, disk: nodeDisk, dataDir: paths.data });
  } finally {
    lock.release();
  }
}

/** The caller holds the lock. After an interruption, the file `renewing` makes a start refuse the log until this runs again. */
export function acceptBreakOn(options: BreakOptions): AcceptedBreak {
  const { disk, dataDir, actorId, reason, publicKey, host = hostname() } = options;
  const paths = logPaths(dataDir);
  disk.makeFolder(paths.audit);
  const { name, refusal, isAside } = interrupted(disk, paths) ?? {
    name: newName(),
    refusal: refusalOf(options),
    isAside: false,
  };
  writeWhole(disk, paths.renewing, Buffer.from(`${name} ${refusal}${isAside ? ' aside' : ''}`));
  setAside(disk, paths, join(paths.held, isAside ? newName() : name));
  writeWhole(disk, paths.renewing, Buffer.from(`${name} ${refusal} aside`));
  const heldIn = join(paths.held, name);
  const old = signedSize(disk, logPaths(heldIn), publicKey);
  const identity = createLog(disk, paths, {
    logId: randomBytes(6).toString('hex'),
    host,
  });
  const log = new LogWriter({ ...options, isRenewing: true });
  try {
    const details = {
      reason,
      held: name,
      ...(refusal === 'log_missing' && options.hadLog && { shown_by: options.hadLog }),
      ...old.details,
    };
    const record = { operation: ACCEPT_BREAK, actor_id: actorId, reason_code: refusal, details };
    log.append([ownText(record)]);
    log.checkpoint();
  } finally {
    log.close();
  }
  disk.remove(paths.renewing);
  disk.syncFolder(paths.audit);
  return { oldSize: old.size, logId: identity.logId, publicKey: identity.verifierKey, heldIn };
}

function newName(): string {
  return `break-${randomBytes(4).toString('hex')}`;
}

function interrupted(
  disk: Disk,
  paths: LogPaths,
): { name: string; refusal: string; isAside: boolean } | undefined {
  const marker = disk.read(paths.renewing)?.toString() ?? '';
  const [, name, refusal, aside] = /^(break-[0-9a-f]{8}) ([a-z_]+)( aside)?$/u.exec(marker) ?? [];
  return name === undefined || refusal === undefined
    ? undefined
    : { name, refusal, isAside: aside !== undefined };
}

async function hasAlteredRecord(
  dataDir: string,
  onProgress: OnRecords | undefined,
): Promise<boolean> {
  try {
    const log = LogReader.open(dataDir);
    try {
      await log.requireRecords(onProgress);
    } finally {
      log.close();
    }
    return false;
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      return true;
    }
    // A start refuses these.
    if (error instanceof AuditLogError || error instanceof BadCheckpointError) {
      return false;
    }
    throw error;
  }
}

function refusalOf(options: BreakOptions): Refusal {
  try {
    new LogWriter(options).close();
  } catch (error) {
    // A key that is elsewhere is put right there; the log may be whole.
    if (error instanceof LogRefusedError && error.kind !== 'key_elsewhere') {
      return error.kind;
    }
    throw error;
  }
  if (options.isAltered === true) {
    return 'altered';
  }
  throw new AuditLogError('The audit log is as it was left: there is no break to accept.');
}

/** Moves all parts of the log, and copies its key, to a folder that is laid out as a data folder. */
function setAside(
  disk: Disk,
  { audit, data, held, index, ownKey }: LogPaths,
  heldIn: string,
): void {
  const to = logPaths(heldIn);
  for (const folder of [held, heldIn, to.audit]) {
    disk.makeFolder(folder);
  }
  // A folder whose name is lost takes its content with it.
  for (const folder of [audit, held, heldIn, data]) {
    disk.syncFolder(folder);
  }
  const pem = disk.read(ownKey);
  if (pem !== undefined) {
    writeWhole(disk, to.ownKey, pem);
  }
  const isThere = (folder: string, name: string): boolean => {
    const path = join(folder, name);
    return ['records', 'nodes'].includes(name)
      ? disk.list(path).length > 0
      : disk.read(path) !== undefined;
  };
  const parts = ['log', 'checkpoint', 'records', 'nodes'];
  for (const name of parts.filter((part) => isThere(audit, part))) {
    // After a power cut a moved part may have both names.
    const free = isThere(to.audit, name) ? `${name}-${randomBytes(4).toString('hex')}` : name;
    disk.rename(join(audit, name), join(to.audit, free));
  }
  removeIfThere(disk, index);
  disk.syncFolder(to.audit);
  disk.syncFolder(audit);
}
