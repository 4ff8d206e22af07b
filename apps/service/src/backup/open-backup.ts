import { createReadStream, openSync, fstatSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode, OperatorError } from '../config/operator-error.ts';
import { filesIn } from './manifest.ts';

/** Names standard input, for an archive that another program decrypts. */
const STDIN = '-';

/** A backup to restore: the files of a folder by their descriptors, or an archive. */
export type OpenBackup = {
  readonly name: string;
  /** 0 if it is not known. */
  readonly bytes: number;
} & (
  | { readonly files: ReadonlyMap<string, number> }
  | { readonly archive: AsyncIterable<Buffer>; readonly files?: undefined }
);

/** Parses the argument BACKUP. Opens all of it at once, since root may become another user afterwards. @throws OperatorError */
export function openBackup(name: string): OpenBackup {
  if (name === STDIN) {
    return { name, bytes: 0, archive: process.stdin };
  }
  try {
    if (!statSync(name).isDirectory()) {
      const fd = openSync(name, 'r');
      return { name, bytes: fstatSync(fd).size, archive: createReadStream(name, { fd }) };
    }
    const files = new Map(filesIn(name).map((file) => [file, openSync(join(name, file), 'r')]));
    const bytes = [...files.values()].reduce((sum, fd) => sum + fstatSync(fd).size, 0);
    return { name, bytes, files };
  } catch (error) {
    const code = errorCode(error);
    const what = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw new OperatorError(`${name} ${what}.`, 2, error);
  }
}
