import {
  chmodSync,
  copyFileSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { unpackTar } from 'modern-tar/fs';
import {
  AuditBrokenError,
  AuditLogError,
  LogReader,
  logPaths,
  syncFolder,
  verifyFolder,
} from '@caregate/audit-log';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { makeFolder } from '../database/sqlite/make-folder.ts';
import { isWhole } from './backup-folder.ts';
import { namingFullDisk, requireSpace } from './disk-space.ts';
import { filesIn, manifestFile, requireManifest } from './manifest.ts';
import type { VerifyReport } from '../audit/record/record-log.ts';

interface Restored {
  readonly madeAt: string;
  readonly files: readonly string[];
  /** Undefined if the folder was never served. */
  readonly log: VerifyReport | undefined;
}

interface Restoring {
  /** Folder with checkpoints that were copied while the service ran. */
  readonly checkpointCopy: string | undefined;
  /** Records it in the log, before the folder is there. */
  readonly record: (folder: string) => Promise<void>;
  readonly onProgress: (what: string, done: number, of?: number) => void;
}

const stageName = 'restore.part';
/** The name of standard input, for an archive that another program decrypts. */
const STDIN = '-';

/** Moves the log first and its key last: a start in between is refused. An error leaves `dataDir` empty. */
export async function restoreFolder(
  backup: string,
  dataDir: string,
  { checkpointCopy, record, onProgress }: Restoring,
): Promise<Restored> {
  if (backup !== STDIN && !existsSync(backup)) {
    throw new OperatorError(`${backup} does not exist.`, 2);
  }
  requireEmpty(dataDir);
  const wasThere = existsSync(dataDir);
  makeFolder(dataDir);
  const stage = join(resolve(dataDir), stageName);
  try {
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { mode: 0o700 });
    await requireSpace(dataDir, backup === STDIN ? 0 : bytesOf(backup));
    await unpack(backup, stage, onProgress);
    const { made_at: madeAt } = await requireManifest(stage, backup);
    rmSync(join(stage, manifestFile));
    const damaged = readdirSync(stage).find(
      (name) => name.endsWith('.db') && !isWhole(join(stage, name)),
    );
    if (damaged !== undefined) {
      throw new OperatorError(
        `${backup} is damaged: ${damaged} fails SQLite's integrity check.`,
        2,
      );
    }
    const log = existsSync(logPaths(stage).log)
      ? await verifiedLog(stage, backup, { checkpointCopy, onProgress })
      : undefined;
    await record(stage);
    const files = readdirSync(stage).sort(firstAndLast);
    for (const name of readdirSync(stage, { recursive: true, encoding: 'utf8' })) {
      syncFolder(join(stage, name));
    }
    syncFolder(stage);
    for (const name of files) {
      renameSync(join(stage, name), join(dataDir, name));
    }
    rmSync(stage, { recursive: true });
    syncFolder(dataDir);
    return { madeAt, files, log };
  } catch (error) {
    const named = namingFullDisk(error, dataDir);
    rmSync(stage, { recursive: true, force: true });
    if (!wasThere) {
      rmSync(dataDir, { recursive: true, force: true });
    }
    throw named;
  }
}

function firstAndLast(one: string, other: string): number {
  const placeOf = (name: string): number =>
    name === 'audit' ? 0 : name === basename(logPaths('').ownKey) ? 2 : 1;
  return placeOf(one) - placeOf(other);
}

function requireEmpty(dataDir: string): void {
  let found: readonly string[];
  try {
    found = readdirSync(dataDir);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return;
    }
    throw error;
  }
  const [other] = found.filter((name) => name !== stageName);
  if (other !== undefined) {
    throw new OperatorError(
      `${dataDir} is not empty: ${other} is in it. Choose a new folder, or move what is there to another place first.`,
      2,
    );
  }
}

function bytesOf(backup: string): number {
  const file = statSync(backup);
  return file.isDirectory()
    ? filesIn(backup).reduce((sum, name) => sum + statSync(join(backup, name)).size, 0)
    : file.size;
}

async function unpack(
  backup: string,
  stage: string,
  onProgress: Restoring['onProgress'],
): Promise<void> {
  if (backup !== STDIN && statSync(backup).isDirectory()) {
    const [what, of] = ['bytes of the backup', bytesOf(backup)];
    let done = 0;
    for (const name of filesIn(backup)) {
      const to = join(stage, name);
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      copyFileSync(join(backup, name), to);
      chmodSync(to, 0o600);
      done += statSync(to).size;
      onProgress(what, done, of);
    }
    return;
  }
  const input: AsyncIterable<Buffer> = backup === STDIN ? process.stdin : createReadStream(backup);
  const archive = input[Symbol.asyncIterator]();
  const first = await archive.next();
  // `unpackTar` makes the stage in the background, also after an error, until the first file.
  if (first.done === true || !isTar(first.value)) {
    throw noArchive(backup);
  }
  const isFile = ({ type }: { readonly type?: string }): boolean => type === 'file';
  const options = { strict: true, fmode: 0o600, dmode: 0o700, filter: isFile };
  await pipeline(from(first.value, archive), unpackTar(stage, options)).catch((error: unknown) => {
    throw error instanceof OperatorError || errorCode(error) !== ''
      ? error
      : noArchive(backup, error);
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
  { checkpointCopy, onProgress }: Pick<Restoring, 'checkpointCopy' | 'onProgress'>,
): Promise<VerifyReport> {
  try {
    const log = LogReader.open(folder);
    const { key } = log.publicKey();
    const { logId } = log.identity();
    const keys = log.keys();
    const size = log.size();
    log.close();
    const kept =
      checkpointCopy === undefined ? undefined : join(checkpointCopy, `${logId}.checkpoint`);
    const outside = kept !== undefined && existsSync(kept) ? readFileSync(kept, 'utf8') : undefined;
    if (kept !== undefined && outside !== undefined) {
      const { size: keptSize } = keys.open(outside);
      if (keptSize > size) {
        throw new OperatorError(
          `${backup} is older than the checkpoint in ${kept}: its log has ${size} records, the checkpoint ${keptSize}. Restore a newer backup. If there is none, move that file to another place, keep it as evidence of what is missing, and restore again.`,
          2,
        );
      }
    }
    return await verifyFolder(folder, {
      key,
      ...(outside !== undefined && { outside }),
      onProgress: (done) => {
        onProgress('records verified', done, size);
      },
    });
  } catch (error) {
    if (error instanceof AuditBrokenError || error instanceof AuditLogError) {
      throw new OperatorError(`${backup}: its audit log does not hold. ${error.message}`, 2, error);
    }
    throw error;
  }
}
