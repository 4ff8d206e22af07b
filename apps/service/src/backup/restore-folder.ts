import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  AuditBrokenError,
  AuditLogError,
  parseCheckpoint,
  VerifierKey,
  type LogReader,
} from '@caregate/audit-log';
import { lockFolder, makeFolder } from '@caregate/data-store/database';
import { withFolderLog } from '../audit/read-logs.ts';
import type { AuditAct } from '../audit/audit-entries.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { syncToDisk } from '../files/write-durably.ts';
import { isIntact } from './backup-folder.ts';
import { includesKey, readTrustedKeys } from './backup-keys.ts';
import { toFullDiskError, requireSpace } from './disk-space.ts';
import { eraseAgain } from './erase-again.ts';
import { addErased } from './erased-list.ts';
import { manifestFile, requireManifest } from './manifest.ts';
import { unpackBackup, type OpenBackup } from './open-backup.ts';
import {
  findLostParts,
  isPartFile,
  PARTS,
  readRevocations,
  setAside,
  revokeAgain,
  type PartName,
  type Revocations,
} from './restore-parts.ts';

export interface Restored {
  readonly folder: string;
  readonly made_at: string;
  readonly records: number;
  readonly signed_by: string;
  /** Where the trusted key was found that verified the signature; null if there was none. */
  readonly checked_by: string | null;
  readonly restored: readonly { readonly part: PartName; readonly why: string }[];
  readonly kept: readonly PartName[];
  /** The folder with the files that were replaced; null if there are none. */
  readonly replaced_files: string | null;
  /** Number of API keys, staff members and desks in the backup whose access was revoked again. */
  readonly access_taken_away_again: number;
  readonly erased_again: number;
  /** Sentences about what the operator must check or do, since the backup can't tell. */
  readonly unknown: readonly string[];
}

interface RestoreOptions {
  /** Whether to restore everything from the backup, including intact files. */
  readonly isAll: boolean;
  /** Folder with checkpoints that were copied while the service ran; '' if there is none. */
  readonly checkpointCopy: string;
  /** Public key of the audit log, or a file with several; by default those in the data folder. */
  readonly publicKey: string | undefined;
  readonly record: (folder: string, act: AuditAct) => Promise<void>;
  readonly onProgress: (step: string, done: number, total?: number) => void;
}

const TEMPORARY_FILES = /^(?:restore\.part$|service-lock\.db)/u;

/**
 * Restores what is missing or damaged in `dataDir` from a backup, or everything into an empty folder. Replaced files
 * are moved to a folder beside it. The audit log is moved first and its key last, so that a start in between is
 * refused. An error before that changes nothing. No service can start on the folder until it has ended.
 *
 * @throws OperatorError if the backup doesn't verify, nothing is missing, or a service is running on the folder
 */
export async function restoreFolder(
  backup: OpenBackup,
  dataDir: string,
  options: RestoreOptions,
): Promise<Restored> {
  const existed = existsSync(dataDir);
  const names = existed ? readdirSync(dataDir).filter((name) => !TEMPORARY_FILES.test(name)) : [];
  if (names.length > 0 && !names.some((name) => isPartFile(name, PARTS))) {
    throw new OperatorError(
      `${dataDir} is not empty, and no data folder: ${names[0]} is in it. Choose another folder.`,
      2,
    );
  }
  makeFolder(dataDir);
  const lock = lockTarget(dataDir, existed);
  let isRestored = false;
  try {
    const restored = await restoreLocked(backup, dataDir, options);
    isRestored = true;
    return restored;
  } catch (error) {
    throw toFullDiskError(error, dataDir);
  } finally {
    lock.close();
    if (!isRestored) {
      rmSync(existed ? getStagePath(dataDir) : dataDir, { recursive: true, force: true });
    }
  }
}

/** Locks the folder. If the disk takes no more files, names it, and removes the folder that was just created. */
function lockTarget(dataDir: string, existed: boolean): ReturnType<typeof lockFolder> {
  try {
    return lockFolder(dataDir);
  } catch (error) {
    const named = toFullDiskError(error, dataDir);
    const isFull = named !== error;
    // If another restore holds the lock, its files stay.
    const isAlone = readdirSync(dataDir).every((name) => name.startsWith('service-lock.db'));
    if (isFull && !existed && isAlone) {
      rmSync(dataDir, { recursive: true });
    }
    throw named;
  }
}

async function restoreLocked(
  backup: OpenBackup,
  dataDir: string,
  options: RestoreOptions,
): Promise<Restored> {
  const { checkpointCopy, record } = options;
  const isEmpty = readdirSync(dataDir).every((name) => TEMPORARY_FILES.test(name));
  const isAll = isEmpty || options.isAll;
  const lost = isAll ? PARTS.map((part) => ({ part, why: '' })) : await findLostParts(dataDir);
  if (lost.length === 0) {
    throw new OperatorError(
      `Nothing in ${dataDir} is missing or damaged, so nothing was restored. To take everything from the backup instead, give --all.`,
      2,
    );
  }
  const parts = lost.map(({ part }) => part);
  const isReplaced = (file: string): boolean =>
    !TEMPORARY_FILES.test(file) && (isAll || isPartFile(file, parts));
  const keys = await readTrustedKeys(options.publicKey, dataDir);
  const stage = getStagePath(dataDir);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { mode: 0o700 });
  await requireSpace(dataDir, backup.bytes);
  await unpackBackup(backup, stage, options.onProgress);
  const manifest = await requireManifest(stage, backup.name, keys);
  rmSync(join(stage, manifestFile));
  const files = readdirSync(stage);
  const damaged = files.find((name) => name.endsWith('.db') && !isIntact(join(stage, name)));
  if (damaged !== undefined) {
    const what = `${damaged} fails SQLite's integrity check`;
    throw new OperatorError(`${backup.name} is damaged: ${what}.`, 2);
  }
  const records = await verifyLog(stage, backup.name, manifest.public_key, options);
  const revoked = isEmpty ? undefined : await readRevocations(dataDir);
  const moved = files
    .filter(isReplaced)
    .sort((one, other) => getMoveOrder(one) - getMoveOrder(other));
  const isAccessRestored = !isAll && moved.includes('access.db');
  const revokedAgainCount =
    revoked && isAccessRestored ? revokeAgain(join(stage, 'access.db'), revoked) : 0;
  await record(parts.includes('audit log') ? stage : dataDir, {
    ...{ operation: 'restore', details: { parts: isAll ? 'all' : parts.join(', ') } },
  });
  for (const name of ['', ...readdirSync(stage, { recursive: true, encoding: 'utf8' })]) {
    syncToDisk(join(stage, name));
  }
  if (revoked !== undefined && !isAll) {
    await addErased([dataDir], revoked.erased);
  }
  const aside = isEmpty ? null : setAside(dataDir, isReplaced);
  for (const name of moved) {
    renameSync(join(stage, name), join(dataDir, name));
  }
  rmSync(stage, { recursive: true });
  syncToDisk(dataDir);
  let erasedAgain = 0;
  if (!isAll && parts.includes('health data')) {
    const place = { dataDir, databaseUrl: '', checkpointCopy };
    // Nothing is logged, since the report has the number.
    const logger = { warn: () => undefined };
    erasedAgain = await eraseAgain(place, (act) => record(dataDir, act), logger);
  }
  return {
    ...{ folder: dataDir, made_at: manifest.made_at, records },
    ...{ signed_by: manifest.public_key, checked_by: keys?.from ?? null },
    ...{ restored: lost, kept: PARTS.filter((part) => !parts.includes(part)) },
    ...{
      replaced_files: aside,
      access_taken_away_again: revokedAgainCount,
      erased_again: erasedAgain,
    },
    unknown: listWarnings(parts, { isAll, revoked, madeAt: manifest.made_at }),
  };
}

function getStagePath(dataDir: string): string {
  return join(resolve(dataDir), 'restore.part');
}

function getMoveOrder(name: string): number {
  return name === 'audit.db' ? 0 : name === 'audit-key.pem' ? 2 : 1;
}

function listWarnings(
  parts: readonly PartName[],
  {
    isAll,
    revoked,
    madeAt,
  }: {
    readonly isAll: boolean;
    readonly revoked: Revocations | undefined;
    readonly madeAt: string;
  },
): readonly string[] {
  const lines: readonly (readonly [isTrue: boolean, line: string])[] = [
    [
      revoked?.isComplete === false,
      `The audit log could not be read to its end: keys that were revoked, and people who were erased, after ${madeAt} may be back. Look at caregate keys list and at your own list of erasures.`,
    ],
    [
      revoked !== undefined && isAll,
      `Keys that were revoked, and people who were erased, after ${madeAt} are back: revoke or erase them again.`,
    ],
    [
      parts.includes('health data'),
      `Imports after ${madeAt} are missing: import those files again.`,
    ],
    [
      parts.includes('access'),
      `Keys, staff and desks of after ${madeAt} are missing: add them again.`,
    ],
    [parts.includes('audit log'), `Audit records of after ${madeAt} are missing.`],
  ];
  return lines.filter(([isTrue]) => isTrue).map(([, line]) => line);
}

/**
 * Verifies the log of a backup, also against its checkpoint that was kept elsewhere. @returns the number of records
 * @throws OperatorError
 */
async function verifyLog(
  folder: string,
  backup: string,
  signedBy: string,
  { checkpointCopy, onProgress }: RestoreOptions,
): Promise<number> {
  const verify = async (log: LogReader): Promise<number> => {
    const { storage, identity } = log;
    const checkpointFile = join(checkpointCopy, `${identity.logId}.checkpoint`);
    const hasCheckpointCopy = checkpointCopy !== '' && existsSync(checkpointFile);
    const checkpoints = hasCheckpointCopy ? [readFileSync(checkpointFile, 'utf8')] : [];
    const { end } = await storage.readSeqRange(identity.logId);
    const checkpointSize = Math.max(0, ...checkpoints.map((text) => parseCheckpoint(text).size));
    if (checkpointSize > end) {
      throw new OperatorError(
        `${backup} is older than the checkpoint in ${checkpointFile}: its log has ${end} records, the checkpoint ${checkpointSize}. Restore a newer backup. If there is none, move that file to another place, keep it as evidence of what is missing, and restore again.`,
        2,
      );
    }
    const { size, publicKeys } = await log.verify({
      checkpoints,
      onProgress: (done, of) => {
        onProgress('records verified', done, of);
      },
    });
    const logKeys = publicKeys.map((key) => VerifierKey.parse(key));
    if (!includesKey(logKeys, signedBy)) {
      const what = `its audit log does not name ${signedBy}, which signed it`;
      throw new OperatorError(`${backup} was changed after it was made: ${what}.`, 2);
    }
    return size;
  };
  try {
    return await withFolderLog(folder, verify);
  } catch (error) {
    if (error instanceof AuditBrokenError || error instanceof AuditLogError) {
      throw new OperatorError(
        `${backup}: its audit log failed verification. ${error.message}`,
        2,
        error,
      );
    }
    throw error;
  }
}
