import { createReadStream, createWriteStream, fstatSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { filesIn } from './manifest.ts';

/** A backup to restore. */
export interface OpenBackup {
  readonly name: string;
  readonly bytes: number;
  /** The descriptors of its files, by their names. */
  readonly files: ReadonlyMap<string, number>;
}

/** Opens all files of a backup at once, since root may become another user afterwards. @throws OperatorError */
export function openBackup(name: string): OpenBackup {
  try {
    const files = new Map(filesIn(name).map((file) => [file, openSync(join(name, file), 'r')]));
    const bytes = [...files.values()].reduce((sum, fd) => sum + fstatSync(fd).size, 0);
    return { name, bytes, files };
  } catch (error) {
    const code = errorCode(error);
    const known: Readonly<Record<string, string>> = {
      ENOENT: 'does not exist',
      ENOTDIR: 'is no backup: it is a file, and a backup is a folder',
    };
    throw new OperatorError(`${name} ${known[code] ?? `cannot be read (${code})`}.`, 2, error);
  }
}

/** Copies a backup into a folder. */
export async function copyBackup(
  { files, bytes }: OpenBackup,
  folder: string,
  onProgress: (step: string, done: number, total: number) => void,
): Promise<void> {
  let done = 0;
  for (const [name, fd] of files) {
    const to = join(folder, name);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    const written = createWriteStream(to, { mode: 0o600 });
    await pipeline(createReadStream(name, { fd }), written);
    done += written.bytesWritten;
    onProgress('bytes of the backup', done, bytes);
  }
}
