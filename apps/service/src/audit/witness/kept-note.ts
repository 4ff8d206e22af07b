import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeDurably } from '@caregate/audit-log';
import { errorCode } from '../../config/operator-error.ts';

/** The whole file; undefined if there is none. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

/** The newest checkpoint with the cosignatures of witnesses. */
export interface KeptNote {
  read(): Promise<string | undefined>;
  /** Durable when it resolves. */
  write(note: string): Promise<void>;
}

/** A file in the data folder. */
export class KeptNoteFile implements KeptNote {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<string | undefined> {
    return await readIfThere(this.#path);
  }

  async write(note: string): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    await writeDurably(this.#path, note);
  }
}
