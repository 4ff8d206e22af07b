import { createHash } from 'node:crypto';
import { createReadStream, fstatSync, statSync } from 'node:fs';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { getErrorCode } from '../../operator-error.ts';
import { ImportFailedError } from './import-types.ts';

const chunkBytes = 256 * 1024;

/**
 * The bytes of a file or of standard input. Gzip is detected by its magic number, not by the name, and decompressed.
 */
export interface Input {
  readonly name: string;
  readonly bytesTotal: number | undefined;
  getBytesRead(): number;
  readChunks(): AsyncIterable<Uint8Array>;
  /** Returns the SHA-256 of the file's bytes in hexadecimal, or undefined until the file was read to its end. */
  getDigest(): string | undefined;
}

/**
 * Opens a file; `-` is standard input. @param takeOpened returns the descriptor of a file that is already open
 * @throws ImportFailedError if the file does not exist or can't be read
 */
export function openInput(file: string, takeOpened?: (file: string) => number | undefined): Input {
  if (file === '-') {
    return createInput('standard input', process.stdin, undefined);
  }
  try {
    const fd = takeOpened?.(file);
    const stats = fd === undefined ? statSync(file) : fstatSync(fd);
    if (stats.isDirectory()) {
      throw new ImportFailedError('input', `${file}: is a folder`);
    }
    const total = stats.isFile() ? stats.size : undefined;
    return createInput(file, readFileBytes(file, fd), total);
  } catch (error) {
    throw toReadError(file, error);
  }
}

/** Opens the file when reading starts, so that a refused import leaves nothing open. */
async function* readFileBytes(file: string, fd: number | undefined): AsyncGenerator<Uint8Array> {
  const options = { highWaterMark: chunkBytes, ...(fd !== undefined && { fd }) };
  yield* createReadStream(file, options) as AsyncIterable<Uint8Array>;
}

export function createInput(
  name: string,
  source: AsyncIterable<Uint8Array>,
  bytesTotal: number | undefined,
): Input {
  let read = 0;
  let digest: string | undefined;
  const hash = createHash('sha256');
  const countBytes = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of source) {
        read += chunk.length;
        hash.update(chunk);
        yield chunk;
      }
      digest = hash.digest('hex');
    } catch (error) {
      throw toReadError(name, error);
    }
  };
  return {
    name,
    bytesTotal,
    getBytesRead: () => read,
    readChunks: async function* () {
      yield* decompress(name, countBytes());
      if (digest === undefined) {
        // Node stops reading at this point, so data may be missing.
        throw new ImportFailedError(
          'input',
          `${name}: there is more after the end of the gzip data`,
        );
      }
    },
    getDigest: () => digest,
  };
}

async function* decompress(
  name: string,
  chunks: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  // The first chunk of a pipe may be one byte, while the magic number of gzip has two.
  let head: Uint8Array = Buffer.alloc(0);
  while (head.length < 2) {
    const next = await chunks.next();
    if (next.done === true) {
      break;
    }
    head = Buffer.concat([head, next.value]);
  }
  const readAll = async function* (): AsyncGenerator<Uint8Array> {
    if (head.length > 0) {
      yield head;
    }
    yield* chunks;
  };
  if (head[0] !== 0x1f || head[1] !== 0x8b) {
    yield* readAll();
    return;
  }
  const gunzip = createGunzip({ chunkSize: chunkBytes });
  pipeline(Readable.from(readAll(), { objectMode: false }), gunzip, () => {
    // The reader of the output gets this error.
  });
  try {
    yield* gunzip as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw toGzipError(name, error);
  }
}

function toGzipError(name: string, error: unknown): Error {
  if (error instanceof ImportFailedError) {
    return error;
  }
  const reason =
    getErrorCode(error) === 'Z_BUF_ERROR'
      ? 'unexpected end of gzip data: the file is truncated or still being written'
      : 'the gzip data is corrupt';
  return new ImportFailedError('input', `${name}: ${reason}`, error);
}

function toReadError(name: string, error: unknown): Error {
  if (error instanceof ImportFailedError) {
    return error;
  }
  const code = getErrorCode(error) || 'unknown error';
  const reason =
    { ENOENT: 'no such file', EACCES: 'permission denied', EISDIR: 'is a folder' }[code] ??
    `cannot be read (${code})`;
  return new ImportFailedError('input', `${name}: ${reason}`, error);
}
