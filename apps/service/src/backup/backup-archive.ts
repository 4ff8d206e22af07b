import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { packTar } from 'modern-tar/fs';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { createPartialFolder } from './backup-folder.ts';
import { computeCopySize, RESERVED_BYTES, requireSpace } from './disk-space.ts';
import { listFiles, manifestFile } from './manifest.ts';

/**
 * Writes a backup as a tar archive, to be piped into a program that encrypts it. The unencrypted copy is in the data
 * folder meanwhile, so that no other disk ever holds it.
 *
 * @param copy creates the backup in a new folder, and returns the names of its files
 */
export async function archiveBackup(
  dataDir: string,
  to: NodeJS.WritableStream,
  copy: (folder: string) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const stage = join(dataDir, 'backup-stage');
  const why = ': the copy that is archived stands there meanwhile';
  await requireSpace(dataDir, computeCopySize(dataDir) + RESERVED_BYTES, why);
  // Throws if another backup is in progress, whose folder the cleanup below must not remove.
  createPartialFolder(stage);
  const folder = join(stage, 'copy');
  try {
    const names = await copy(folder);
    const files = listFiles(folder);
    const manifestFirst = [manifestFile, ...files.filter((name) => name !== manifestFile)];
    // The archive doesn't contain the names of user accounts and machines.
    const archive = packTar(
      manifestFirst.map((name) => ({
        ...({ type: 'file', source: join(folder, name), target: name } as const),
        ...{ mode: 0o600, uid: 0, gid: 0, mtime: new Date(0) },
        size: statSync(join(folder, name)).size,
      })),
    );
    await pipeline(archive, to, { end: false }).catch((error: unknown) => {
      const why = {
        EPIPE: 'The program that reads the backup ended before it had all of it',
        ENOSPC: 'The disk of the archive became full',
      }[getErrorCode(error)];
      throw why === undefined
        ? error
        : new OperatorError(`${why}, so there is no backup.`, 1, error);
    });
    return names;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
