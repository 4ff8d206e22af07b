import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { AuditLogError } from '../errors.ts';
import type { Disk, DiskFile } from './disk.ts';

export const nodeDisk: Disk = {
  open: (path) => new NodeFile(path, openExisting(path)),
  create: (path) => new NodeFile(path, openSync(path, 'wx+', 0o600)),
  read: (path) =>
    unlessMissing(() => {
      const handle = openPlain(path, 'r');
      try {
        return readFileSync(handle);
      } finally {
        closeSync(handle);
      }
    }),
  list: (folder) => unlessMissing(() => readdirSync(folder).sort()) ?? [],
  makeFolder: (folder) => {
    try {
      mkdirSync(folder, 0o700);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') {
        throw error;
      }
    }
  },
  rename: renameSync,
  remove: unlinkSync,
  syncFolder,
};

/** Makes the folder's names durable; Windows can't sync a folder and journals names itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') {
    return;
  }
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

class NodeFile implements DiskFile {
  readonly #handle: number;
  readonly #path: string;
  /** Where the next bytes go; only zeros follow. */
  #end: number;
  #size: number;

  constructor(path: string, handle: number) {
    this.#path = path;
    this.#handle = handle;
    this.#size = this.size();
    this.#end = this.#size;
  }

  size(): number {
    return fstatSync(this.#handle).size;
  }

  read(at: number, length: number, into?: Buffer): Buffer {
    const bytes = into !== undefined && into.length >= length ? into : Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const got = readSync(this.#handle, bytes, filled, length - filled, at + filled);
      if (got === 0) {
        break;
      }
      filled += got;
    }
    return bytes.subarray(0, filled);
  }

  append(bytes: Uint8Array): void {
    this.#requireOwn();
    this.#write(bytes, this.#end);
    this.#end += bytes.length;
    this.#requireOwn();
  }

  reserve(bytes: number): void {
    try {
      this.#write(Buffer.alloc(bytes), this.#end);
    } catch (error) {
      if (codeOf(error) !== 'ENOSPC') {
        throw error;
      }
    }
  }

  #write(bytes: Uint8Array, at: number): void {
    for (let written = 0; written < bytes.length;) {
      written += writeSync(this.#handle, bytes, written, bytes.length - written, at + written);
      this.#size = Math.max(this.#size, at + written);
    }
  }

  /** Overwriting what another process wrote would lose it. */
  #requireOwn(): void {
    const { ino, size } = fstatSync(this.#handle);
    if (size !== this.#size || statSync(this.#path).ino !== ino) {
      throw new Error(`${this.#path} was changed by another process`);
    }
  }

  sync(): void {
    fdatasyncSync(this.#handle);
  }

  truncate(size: number): void {
    ftruncateSync(this.#handle, size);
    this.#end = size;
    this.#size = size;
  }

  close(): void {
    closeSync(this.#handle);
  }
}

/** A log on a read-only medium can be read. */
function openExisting(path: string): number {
  try {
    return openPlain(path, 'r+');
  } catch (error) {
    if (codeOf(error) === 'EACCES' || codeOf(error) === 'EROFS' || codeOf(error) === 'EPERM') {
      return openPlain(path, 'r');
    }
    throw error;
  }
}

// Windows has no such flag, and no pipes among its files.
const unblocked = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

/** Opening a pipe would block, so anything but a file is refused. @throws AuditLogError */
function openPlain(path: string, mode: 'r' | 'r+'): number {
  const flags = unblocked | (mode === 'r' ? constants.O_RDONLY : constants.O_RDWR);
  let handle: number | undefined;
  let kind: string;
  try {
    handle = openSync(path, flags);
    kind = kindOf(fstatSync(handle));
  } catch (error) {
    // Errors of opening a folder and a socket.
    if (codeOf(error) !== 'EISDIR' && codeOf(error) !== 'ENXIO') {
      throw error;
    }
    kind = kindOf(statSync(path));
  }
  if (handle !== undefined && kind === 'a file') {
    return handle;
  }
  if (handle !== undefined) {
    closeSync(handle);
  }
  throw new AuditLogError(`${path} is ${kind}; expected a file.`);
}

export function kindOf(found: Stats): string {
  const kinds = {
    'a file': found.isFile(),
    'a folder': found.isDirectory(),
    'a symbolic link': found.isSymbolicLink(),
    'a pipe': found.isFIFO(),
    'a socket': found.isSocket(),
  };
  return Object.entries(kinds).find(([, isIt]) => isIt)?.[0] ?? 'a device';
}

function unlessMissing<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
