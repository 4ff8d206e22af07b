import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unpackTar } from 'modern-tar/fs';
import {
  AuditBrokenError,
  AuditLogError,
  parseCheckpoint,
  VerifierKey,
  type LogReader,
} from '@caregate/audit-log';
import { inFolder } from '../audit/read-logs.ts';
import { syncToDisk } from '../files/write-durably.ts';
import { addErased } from './erased-list.ts';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { lockFolder, makeFolder } from '@caregate/data-store/database';
import { isWhole } from './backup-folder.ts';
import { includesKey, readTrustedKeys, type TrustedKeys } from './backup-keys.ts';
import { namingFullDisk, requireSpace } from './disk-space.ts';
import { manifestFile, requireManifest } from './manifest.ts';
import type { OpenBackup } from './open-backup.ts';
import {
  isOfParts,
  lostParts,
  type LostPart,
  PARTS,
  setAside,
  takeAwayAgain,
  takenAway,
  type TakenAway,
} from './restore-parts.ts';

type VerifiedLog = Awaited<ReturnType<LogReader['verify']>>;

export interface Restored {
  readonly madeAt: string;
  /** The log of the backup. */
  readonly log: VerifiedLog;
  /** The public key that signed the backup. */
  readonly signedBy: string;
  /** Where the key was found that the signature was checked with; undefined if there is none. */
  readonly checkedBy: string | undefined;
  /** The parts that were missing or damaged and were restored alone; undefined if everything was taken from the backup. */
  readonly parts: readonly LostPart[] | undefined;
  /** The folder with the files that were replaced. */
  readonly aside: string | undefined;
  /** What had been taken away in the folder before; undefined for an empty one. */
  readonly takenAway: TakenAway | undefined;
  /** How many keys, people and desks of the backup lost their access again. */
  readonly takenAgain: number;
  /** How many people of the backup were erased again. */
  readonly erasedAgain: number;
}

interface Restoring {
  /** Whether to take everything from the backup, also what is whole. */
  readonly isAll: boolean;
  /** Folder with checkpoints that were copied while the service ran. */
  readonly checkpointCopy: string | undefined;
  /** Public key of the audit log, or a file with some; by default those that the data folder has. */
  readonly publicKey: string | undefined;
  /** Records the restore in the log of the folder, before the restored files are there. @param parts their names, or `all` */
  readonly record: (folder: string, parts: string) => Promise<void>;
  /** Erases in the restored health data whoever was erased since the backup. @returns how many people */
  readonly eraseAgain: () => Promise<number>;
  readonly onProgress: (step: string, done: number, total?: number) => void;
}

const stageName = 'restore.part';
/** What a restore itself has in the folder. */
const PASSING = /^(?:restore\.part$|service-lock\.db)/u;

/**
 * Takes what is missing or damaged in `dataDir` from a backup, or everything into an empty folder. What it replaces is set aside beside
 * the folder. Moves the log first and its key last: a start in between is refused. An error before that changes nothing. Nobody else can
 * start a service on the folder until it has ended.
 *
 * @throws OperatorError if the backup does not hold, nothing is missing, or a service has the folder open
 */
export async function restoreFolder(
  backup: OpenBackup,
  dataDir: string,
  options: Restoring,
): Promise<Restored> {
  const wasThere = existsSync(dataDir);
  const strange = wasThere ? findStrangeFile(dataDir) : undefined;
  if (strange !== undefined) {
    throw new OperatorError(
      `${dataDir} is not empty, and no data folder: ${strange} is in it. Choose another folder.`,
      2,
    );
  }
  makeFolder(dataDir);
  const lock = lockFolder(dataDir);
  let isRestored = false;
  try {
    const restored = await restoreLocked(backup, dataDir, options);
    isRestored = true;
    return restored;
  } catch (error) {
    throw namingFullDisk(error, dataDir);
  } finally {
    lock.close();
    if (!isRestored) {
      rmSync(wasThere ? stagePath(dataDir) : dataDir, { recursive: true, force: true });
    }
  }
}

async function restoreLocked(
  backup: OpenBackup,
  dataDir: string,
  { isAll, checkpointCopy, publicKey, record, eraseAgain, onProgress }: Restoring,
): Promise<Restored> {
  const isEmpty = readdirSync(dataDir).every((name) => PASSING.test(name));
  const lost = isEmpty ? undefined : await lostParts(dataDir);
  if (lost?.length === 0 && !isAll) {
    throw new OperatorError(
      `Nothing in ${dataDir} is missing or damaged, so nothing was restored. To take everything from the backup instead, give --all.`,
      2,
    );
  }
  const parts = isAll ? undefined : lost;
  const names = parts?.map(({ name }) => name) ?? PARTS;
  const isTaken = (file: string): boolean => parts === undefined || isOfParts(file, names);
  const keys = await readTrustedKeys(publicKey, dataDir);
  const stage = stagePath(dataDir);
  const staged = await stageBackup(backup, dataDir, { checkpointCopy, keys, onProgress });
  const gone = isEmpty ? undefined : await takenAway(dataDir);
  const files = readdirSync(stage).filter(isTaken).sort(firstAndLast);
  const isAccessRestored = parts !== undefined && files.includes('access.db');
  const takenAgain =
    gone !== undefined && isAccessRestored ? takeAwayAgain(join(stage, 'access.db'), gone) : 0;
  await record(
    names.includes('audit log') ? stage : dataDir,
    parts === undefined ? 'all' : names.join(', '),
  );
  for (const name of readdirSync(stage, { recursive: true, encoding: 'utf8' })) {
    syncToDisk(join(stage, name));
  }
  syncToDisk(stage);
  if (gone !== undefined && parts !== undefined) {
    await addErased([dataDir], gone.erased);
  }
  const aside = isEmpty
    ? undefined
    : setAside(dataDir, (name) => isTaken(name) && !PASSING.test(name));
  for (const name of files) {
    renameSync(join(stage, name), join(dataDir, name));
  }
  rmSync(stage, { recursive: true });
  syncToDisk(dataDir);
  const isErasedAgain = parts !== undefined && names.includes('health data');
  return {
    ...{ ...staged, checkedBy: keys?.from, parts, aside, takenAway: gone, takenAgain },
    erasedAgain: isErasedAgain ? await eraseAgain() : 0,
  };
}

function stagePath(dataDir: string): string {
  return join(resolve(dataDir), stageName);
}

/** A file of a folder that has no part of a data folder. */
function findStrangeFile(dataDir: string): string | undefined {
  const names = readdirSync(dataDir).filter((name) => !PASSING.test(name));
  return names.some((name) => isOfParts(name, PARTS)) ? undefined : names[0];
}

/** Unpacks a backup into the stage, and checks all of it. */
async function stageBackup(
  backup: OpenBackup,
  dataDir: string,
  {
    checkpointCopy,
    keys,
    onProgress,
  }: Pick<Restoring, 'checkpointCopy' | 'onProgress'> & { readonly keys: TrustedKeys | undefined },
): Promise<Pick<Restored, 'madeAt' | 'signedBy' | 'log'>> {
  const stage = stagePath(dataDir);
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { mode: 0o700 });
  await requireSpace(dataDir, backup.bytes);
  await unpack(backup, stage, onProgress);
  const manifest = await requireManifest(stage, backup.name, keys);
  const { made_at: madeAt, public_key: signedBy } = manifest;
  rmSync(join(stage, manifestFile));
  const damaged = readdirSync(stage).find(
    (name) => name.endsWith('.db') && !isWhole(join(stage, name)),
  );
  if (damaged !== undefined) {
    throw new OperatorError(
      `${backup.name} is damaged: ${damaged} fails SQLite's integrity check.`,
      2,
    );
  }
  const log = await verifiedLog(stage, backup.name, { checkpointCopy, signedBy, onProgress });
  return { madeAt, signedBy, log };
}

function firstAndLast(one: string, other: string): number {
  const copyOrder = (name: string): number =>
    name === 'audit.db' ? 0 : name === 'audit-key.pem' ? 2 : 1;
  return copyOrder(one) - copyOrder(other);
}

async function unpack(
  backup: OpenBackup,
  stage: string,
  onProgress: Restoring['onProgress'],
): Promise<void> {
  if (backup.files !== undefined) {
    let done = 0;
    for (const [name, fd] of backup.files) {
      const to = join(stage, name);
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      const written = createWriteStream(to, { mode: 0o600 });
      await pipeline(createReadStream(name, { fd }), written);
      done += written.bytesWritten;
      onProgress('bytes of the backup', done, backup.bytes);
    }
    return;
  }
  const archive = backup.archive[Symbol.asyncIterator]();
  const first = await archive.next();
  // `unpackTar` makes the stage in the background, also after an error, until the first file.
  if (first.done === true || !isTar(first.value)) {
    throw noArchive(backup.name);
  }
  const isFile = ({ type }: { readonly type?: string }): boolean => type === 'file';
  const options = { strict: true, fmode: 0o600, dmode: 0o700, filter: isFile };
  await pipeline(from(first.value, archive), unpackTar(stage, options)).catch((error: unknown) => {
    throw error instanceof OperatorError || errorCode(error) !== ''
      ? error
      : noArchive(backup.name, error);
  });
}

function isTar(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(257, 262)).toString() === 'ustar';
}

function noArchive(backup: string, error?: unknown): OperatorError {
  return new OperatorError(
    `${backup} is no backup: neither a folder nor a whole tar archive that caregate backup made.`,
    2,
    error,
  );
}

async function* from(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield next.value;
  }
}

async function verifiedLog(
  folder: string,
  backup: string,
  {
    checkpointCopy,
    signedBy,
    onProgress,
  }: Pick<Restoring, 'checkpointCopy' | 'onProgress'> & Pick<Restored, 'signedBy'>,
): Promise<VerifiedLog> {
  try {
    return await inFolder(folder, async (log) => {
      const { storage, identity } = log;
      const kept = join(checkpointCopy ?? '', `${identity.logId}.checkpoint`);
      const hasKept = checkpointCopy !== undefined && existsSync(kept);
      const checkpoints = hasKept ? [readFileSync(kept, 'utf8')] : [];
      const { end: size } = await storage.range(identity.logId);
      const keptSize = Math.max(0, ...checkpoints.map((text) => parseCheckpoint(text).size));
      if (keptSize > size) {
        throw new OperatorError(
          `${backup} is older than the checkpoint in ${kept}: its log has ${size} records, the checkpoint ${keptSize}. Restore a newer backup. If there is none, move that file to another place, keep it as evidence of what is missing, and restore again.`,
          2,
        );
      }
      const verified = await log.verify({
        checkpoints,
        onProgress: (done, of) => {
          onProgress('records verified', done, of);
        },
      });
      const logKeys = verified.publicKeys.map((key) => VerifierKey.parse(key));
      if (!includesKey(logKeys, signedBy)) {
        throw new OperatorError(
          `${backup} is not as it was made: its audit log does not name ${signedBy}, which signed it.`,
          2,
        );
      }
      return verified;
    });
  } catch (error) {
    if (error instanceof AuditBrokenError || error instanceof AuditLogError) {
      throw new OperatorError(`${backup}: its audit log does not hold. ${error.message}`, 2, error);
    }
    throw error;
  }
}
