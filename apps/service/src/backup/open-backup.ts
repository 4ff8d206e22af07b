import {
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdirSync,
  openSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createTarDecoder } from 'modern-tar';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';
import { listFiles } from './manifest.ts';

/** A backup to restore: an archive, or the open files of a folder by name. */
export interface OpenBackup {
  readonly name: string;
  /** Size in bytes; 0 if unknown. */
  readonly bytes: number;
  readonly content: Readable | ReadonlyMap<string, number>;
}

/** Opens all files of a backup at once, since root may switch to another user afterwards. @throws OperatorError */
export function openBackup(name: string): OpenBackup {
  if (name === '-') {
    return { name, bytes: 0, content: process.stdin };
  }
  try {
    if (!statSync(name).isDirectory()) {
      const fd = openSync(name, 'r');
      return { name, bytes: fstatSync(fd).size, content: createReadStream(name, { fd }) };
    }
    const files = new Map(listFiles(name).map((file) => [file, openSync(join(name, file), 'r')]));
    const bytes = [...files.values()].reduce((sum, fd) => sum + fstatSync(fd).size, 0);
    return { name, bytes, content: files };
  } catch (error) {
    const code = getErrorCode(error);
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new OperatorError(`${name} ${what}.`, 2, error);
  }
}

/** Copies a backup into an empty folder. @throws OperatorError if it is neither a folder nor a complete archive */
export async function unpackBackup(
  { name: backup, content, bytes }: OpenBackup,
  folder: string,
  onProgress: (step: string, done: number, total: number) => void,
): Promise<void> {
  if (!(content instanceof Map)) {
    await unpackArchive(backup, content as Readable, folder);
    return;
  }
  let done = 0;
  for (const [name, fd] of content as ReadonlyMap<string, number>) {
    const to = join(folder, name);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    const written = createWriteStream(to, { mode: 0o600 });
    await pipeline(createReadStream(name, { fd }), written);
    done += written.bytesWritten;
    onProgress('bytes of the backup', done, bytes);
  }
}

async function unpackArchive(backup: string, archive: Readable, folder: string): Promise<void> {
  try {
    const entries = Readable.toWeb(archive).pipeThrough(createTarDecoder({ strict: true }));
    for await (const { header, body } of entries) {
      if (header.type !== 'file') {
        await body.cancel();
        continue;
      }
      const to = resolve(folder, header.name);
      if (!to.startsWith(resolve(folder) + sep)) {
        throw new Error(`${header.name} would be outside of the folder.`);
      }
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      await pipeline(Readable.fromWeb(body), createWriteStream(to, { mode: 0o600 }));
    }
  } catch (error) {
    throw getErrorCode(error) === '' ? createArchiveError(backup, error) : error;
  }
}

function createArchiveError(backup: string, error?: unknown): OperatorError {
  return new OperatorError(
    `${backup} is no backup: neither a folder nor a whole tar archive that caregate backup made.`,
    2,
    error,
  );
}
