import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '../config/operator-error.ts';

// POSIX.1-1988 ustar, files alone: in ten years `age -d | tar x` still reads it.
const block = 512;
const nameBytes = 100;
const mostOctal = 0o77_777_777_777;

/** @throws OperatorError if a name is too long */
export async function* packed(folder: string, names: readonly string[]): AsyncGenerator<Buffer> {
  for (const name of names) {
    const { size } = statSync(join(folder, name));
    yield headerOf(name, size);
    for await (const chunk of createReadStream(join(folder, name))) {
      yield chunk as Buffer;
    }
    yield Buffer.alloc(paddingOf(size));
  }
  yield Buffer.alloc(2 * block);
}

interface Unpacked {
  readonly name: string;
  /** To be read to its end before the next file. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** @throws OperatorError if this is not what `packed` writes */
export async function* unpacked(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Unpacked> {
  const input = new Input(chunks);
  for (;;) {
    const header = await input.take(block);
    if (header.every((byte) => byte === 0)) {
      // To the end, so that a decryption sees the last chunk.
      await input.drain();
      return;
    }
    const { name, size } = readHeader(header);
    yield { name, bytes: input.part(size) };
    await input.take(paddingOf(size));
  }
}

function paddingOf(size: number): number {
  return (block - (size % block)) % block;
}

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > nameBytes) {
    throw new OperatorError(`${name}: this name is too long for a backup in one file.`);
  }
  const header = Buffer.alloc(block);
  header.write(name, 0);
  header.write('0000600\0' + '0000000\0'.repeat(2), 100, 'latin1');
  if (size <= mostOctal) {
    header.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1');
  } else {
    // As GNU and BSD tar do for 8 GiB and more.
    header[124] = 0x80;
    header.writeBigUInt64BE(BigInt(size), 128);
  }
  header.write('00000000000\0', 136, 'latin1');
  header.write('0', 156, 'latin1');
  header.write('ustar\u000000', 257, 'latin1');
  header.write(`${checksumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return header;
}

function readHeader(header: Buffer): { readonly name: string; readonly size: number } {
  const name = textOf(header.subarray(0, nameBytes));
  const size =
    header[124] === 0x80
      ? Number(header.readBigUInt64BE(128))
      : Number.parseInt(textOf(header.subarray(124, 136)), 8);
  const isFile = header[156] === 0x30;
  const isWhole = Number.parseInt(textOf(header.subarray(148, 156)), 8) === checksumOf(header);
  const isInside = name.split('/').every((part) => !['', '.', '..'].includes(part));
  if (!isFile || !isWhole || !isInside || !Number.isSafeInteger(size)) {
    throw new OperatorError(
      'The archive is no backup: what is encrypted in it is something else.',
      2,
    );
  }
  return { name, size };
}

function textOf(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString('utf8', 0, end === -1 ? bytes.length : end);
}

/** Its own eight bytes count as spaces. */
function checksumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);
}

class Input {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  async take(size: number): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.part(size)) {
      parts.push(part);
    }
    return Buffer.concat(parts);
  }

  async *part(size: number): AsyncGenerator<Uint8Array> {
    for (let left = size; left > 0;) {
      if (this.#rest.length === 0) {
        const next = await this.#chunks.next();
        if (next.done === true) {
          throw new OperatorError('The archive is cut off: it ends within a file.', 2);
        }
        this.#rest = next.value;
      }
      const part = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(part.length);
      left -= part.length;
      yield part;
    }
  }

  async drain(): Promise<void> {
    while ((await this.#chunks.next()).done !== true) {
      // The rest is padding.
    }
  }
}
