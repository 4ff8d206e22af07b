import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { packTar } from 'modern-tar/fs';
import { syncFolder } from '@caregate/audit-log';
import { OperatorError } from '../config/operator-error.ts';
import { isBusy } from '../database/sqlite/sqlite-errors.ts';
import { spaceOf } from '../observe/disk-watch.ts';
import { encrypterFor, encryptTo } from './age-file.ts';
import { filesIn, manifestFile } from './manifest.ts';

/** What the service keeps to write on, while the copy is there. */
const keptFree = 256 * 2 ** 20;

/** The plain copy stands in the data folder meanwhile, so that the disk with the backups never has plain data. */
export async function encryptBackup(
  dataDir: string,
  to: string,
  {
    recipients,
    copy,
    onProgress,
  }: {
    readonly recipients: readonly string[];
    readonly copy: (to: string) => Promise<readonly string[]>;
    readonly onProgress: (done: number, of: number) => void;
  },
): Promise<readonly string[]> {
  const encrypter = encrypterFor(recipients);
  if (existsSync(to)) {
    throw new OperatorError(`${to} already exists. Choose a new file for the backup.`, 2);
  }
  if (!existsSync(join(dataDir, 'store.db'))) {
    throw new OperatorError(`${dataDir} is not a data folder: it has no store.db.`);
  }
  await requireSpace(dataDir);
  const stage = join(dataDir, 'backup-stage');
  const part = `${resolve(to)}.part`;
  const release = claim(stage, dataDir);
  try {
    const folder = join(stage, 'copy');
    // Of a run that was stopped.
    for (const left of [folder, `${folder}.part`, part]) {
      rmSync(left, { recursive: true, force: true });
    }
    const names = await copy(folder);
    const files = filesIn(folder);
    const sorted = [manifestFile, ...files.filter((name) => name !== manifestFile)];
    const of = files.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
    // Names of accounts and machines stay out of it.
    const archive = packTar(
      sorted.map((name) => ({
        ...({ type: 'file', source: join(folder, name), target: name } as const),
        ...{ mode: 0o600, uid: 0, gid: 0, mtime: new Date(0) },
      })),
    );
    await encryptTo(part, encrypter, counted(archive, of, onProgress));
    renameSync(part, to);
    syncFolder(dirname(resolve(to)));
    return names;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    rmSync(stage, { recursive: true, force: true });
    release();
  }
}

async function* counted(
  chunks: AsyncIterable<Buffer>,
  of: number,
  onProgress: (done: number, of: number) => void,
): AsyncGenerator<Buffer> {
  let done = 0;
  for await (const chunk of chunks) {
    done += chunk.length;
    onProgress(Math.min(done, of), of);
    yield chunk;
  }
}

async function requireSpace(dataDir: string): Promise<void> {
  const needed = filesIn(dataDir)
    .map((name) => statSync(join(dataDir, name), { throwIfNoEntry: false })?.size ?? 0)
    .reduce((sum, size) => sum + size, keptFree);
  const { freeBytes } = await spaceOf(dataDir);
  if (freeBytes < needed) {
    const [free, wanted] = [freeBytes, needed].map((bytes) => Math.floor(bytes / 2 ** 20));
    throw new OperatorError(
      `${free} MiB are free for ${dataDir}, and ${wanted} are needed: the copy that is encrypted stands there meanwhile.`,
    );
  }
}

/** SQLite's lock ends with the process, whatever ends it. */
function claim(stage: string, dataDir: string): () => void {
  mkdirSync(stage, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(stage, 'lock.db'));
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive');
  } catch (error) {
    lock.close();
    throw isBusy(error)
      ? new OperatorError(`Another backup of ${dataDir} is being made. Nothing was done.`, 1, error)
      : error;
  }
  return () => {
    lock.close();
  };
}
