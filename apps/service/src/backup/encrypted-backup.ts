import { mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { packTar } from 'modern-tar/fs';
import { syncFolder } from '@caregate/audit-log';
import { OperatorError } from '../config/operator-error.ts';
import { isBusy } from '../database/sqlite/sqlite-errors.ts';
import { encrypterFor, encryptTo } from './age-file.ts';
import { requireNew } from './backup-folder.ts';
import {
  copiedBytes,
  isSameDisk,
  keptFree,
  namingFullDisk,
  removeGivingWay,
  requireSpace,
} from './disk-space.ts';
import { filesIn, manifestFile } from './manifest.ts';

/** Makes the plain copy in the data folder, so that the backup disk never holds plain data. */
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
  requireNew(dataDir, to, 'file');
  const disk = dirname(resolve(to));
  const bytes = copiedBytes(dataDir);
  const copies = isSameDisk(dataDir, disk) ? 2 : 1;
  const why = ': the copy that is encrypted stands there meanwhile';
  await requireSpace(dataDir, copies * bytes + keptFree, why);
  await requireSpace(disk, bytes);
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
    // Leaves out names of accounts and machines.
    const archive = packTar(
      sorted.map((name) => ({
        ...({ type: 'file', source: join(folder, name), target: name } as const),
        ...{ mode: 0o600, uid: 0, gid: 0, mtime: new Date(0) },
      })),
    );
    await encryptTo(part, encrypter, counted(archive, of, onProgress)).catch((error: unknown) => {
      throw namingFullDisk(error, disk);
    });
    renameSync(part, to);
    syncFolder(disk);
    return names;
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  } finally {
    removeGivingWay(stage);
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
