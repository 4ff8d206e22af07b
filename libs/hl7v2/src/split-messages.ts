import type { Refusal } from './refusal.ts';

/** The bytes of a message without its frame, or why none could be read. */
export type Piece =
  | { readonly bytes: Buffer }
  /** `no-frame`: bytes outside a frame. `no-end`: a frame without an end. `too-long`: a message of more than 16 MiB. */
  | { readonly fault: Fault; readonly refusal: Refusal };

type Fault = keyof typeof SENTENCES;

const SENTENCES = {
  'no-frame': 'There are bytes outside a message; it must be framed (MLLP) or begin with MSH.',
  'no-end': 'The message has no end; a frame ends with the bytes 1C 0D.',
  'too-long': 'A message must have at most 16 MiB.',
} as const;

/**
 * Splits the bytes of a connection into messages, each in an MLLP frame. Bytes between frames are ignored.
 *
 * @param onStray called for such bytes, except white space and NUL
 */
export async function* splitFrames(
  chunks: AsyncIterable<Uint8Array>,
  onStray: () => void = () => undefined,
): AsyncGenerator<Piece> {
  const splitter = new FrameSplitter(onStray);
  for await (const chunk of chunks) {
    yield* splitter.push(chunk);
  }
  yield* splitter.end();
}

/** Splits a file whose messages are in MLLP frames or follow each other line by line. */
export async function* splitFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  let splitter: FrameSplitter | LineSplitter | undefined;
  for await (const chunk of chunks) {
    const first = chunk.find((byte) => !BLANKS.has(byte));
    if (first !== undefined) {
      splitter ??= first === START ? new FrameSplitter() : new LineSplitter();
    }
    yield* splitter?.push(chunk) ?? [];
  }
  yield* splitter?.end() ?? [];
}

const MOST_BYTES = 16 * 2 ** 20;
export const START = 0x0b;
const END = 0x1c;
const [FEED, RETURN] = [0x0a, 0x0d];
/** White space, NUL, and the byte order mark of UTF-8. */
export const BLANKS: ReadonlySet<number> = new Set([FEED, RETURN, 0, 0x09, 0x20, 0xef, 0xbb, 0xbf]);

/** Collects the bytes of each message. Reports a fault once, then ignores bytes until the next message begins. */
abstract class Splitter {
  #pieces: Piece[] = [];
  #parts: Buffer[] | undefined;
  #length = 0;
  #isSkipping = false;

  abstract push(chunk: Uint8Array): Piece[];
  abstract end(): Piece[];

  protected get isInside(): boolean {
    return this.#parts !== undefined;
  }

  protected get isEmpty(): boolean {
    return this.#length === 0;
  }

  protected begin(): void {
    this.#parts = [];
    this.#length = 0;
    this.#isSkipping = false;
  }

  protected add(part: Buffer): void {
    this.#length += part.length;
    if (this.#length <= MOST_BYTES) {
      this.#parts?.push(part);
    } else if (this.isInside) {
      this.fail('too-long');
    }
  }

  protected finish(): void {
    if (this.#parts !== undefined) {
      this.#pieces.push({ bytes: Buffer.concat(this.#parts) });
      this.#parts = undefined;
    }
  }

  protected fail(fault: Fault): void {
    this.#parts = undefined;
    if (!this.#isSkipping) {
      const refusal: Refusal = { ack: 'AR', error: 'segmentSequence', message: SENTENCES[fault] };
      this.#pieces.push({ fault, refusal });
      this.#isSkipping = true;
    }
  }

  protected take(): Piece[] {
    const pieces = this.#pieces;
    this.#pieces = [];
    return pieces;
  }
}

class FrameSplitter extends Splitter {
  readonly #onStray: () => void;

  /**
   * @param onStray called for bytes between frames. In a file they are refused instead, since they may be a message.
   */
  constructor(onStray?: () => void) {
    super();
    this.#onStray =
      onStray ??
      ((): void => {
        this.fail('no-frame');
      });
  }

  push(chunk: Uint8Array): Piece[] {
    const bytes = toBuffer(chunk);
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes.readUInt8(at);
      if (byte === START) {
        this.#failUnfinished(bytes.subarray(from, at));
        this.begin();
        from = at + 1;
      } else if (byte === END && this.isInside) {
        this.add(bytes.subarray(from, at));
        this.finish();
      } else if (!this.isInside && !BLANKS.has(byte)) {
        this.#onStray();
      }
    }
    if (this.isInside) {
      this.add(bytes.subarray(from));
    }
    return this.take();
  }

  end(): Piece[] {
    this.#failUnfinished(Buffer.alloc(0));
    return this.take();
  }

  #failUnfinished(last: Buffer): void {
    if (this.isInside) {
      this.add(last);
    }
    if (this.isInside && !this.isEmpty) {
      this.fail('no-end');
    }
  }
}

const MSH = 0x4d5348;
/** The first three letters of batch segments (FHS, BHS, BTS, FTS), which enclose the messages of a file. */
const BATCH: ReadonlySet<number> = new Set([0x464853, 0x424853, 0x425453, 0x465453]);
const NAME_LENGTH = 3;

/** Splits messages without frames: each begins with MSH at the start of a line. */
class LineSplitter extends Splitter {
  /** The last bytes of the previous chunk, which may be the beginning of a segment name. */
  #pending: Buffer = Buffer.alloc(0);
  #isLineStart = true;
  #isBatch = false;

  push(chunk: Uint8Array): Piece[] {
    const bytes = Buffer.concat([this.#pending, chunk]);
    const end = Math.max(0, bytes.length - NAME_LENGTH);
    this.#scan(bytes, end);
    this.#pending = bytes.subarray(end);
    return this.take();
  }

  end(): Piece[] {
    this.#scan(this.#pending, this.#pending.length);
    this.finish();
    return this.take();
  }

  #scan(bytes: Buffer, end: number): void {
    let from = 0;
    for (let at = 0; at < end; at += 1) {
      const byte = bytes.readUInt8(at);
      if (this.#isLineStart) {
        const name = readSegmentName(bytes, at);
        this.#isBatch = BATCH.has(name);
        if (name === MSH || this.#isBatch) {
          this.add(bytes.subarray(from, at));
          this.finish();
          from = at;
        }
        if (name === MSH) {
          this.begin();
        }
      }
      if (!this.isInside && !this.#isBatch && !BLANKS.has(byte)) {
        this.fail('no-frame');
      }
      // Blank bytes before MSH don't move it away from the start of a line.
      const isStillStart = this.#isLineStart && !this.isInside && BLANKS.has(byte);
      this.#isLineStart = isStillStart || byte === FEED || byte === RETURN;
    }
    if (this.isInside) {
      this.add(bytes.subarray(from, end));
    }
  }
}

/** Reads the segment name at a position as a number. @returns 0 if no field separator follows */
function readSegmentName(bytes: Buffer, at: number): number {
  const separator = bytes[at + NAME_LENGTH] ?? 0x41;
  const isName = /[^A-Za-z0-9]/u.test(String.fromCharCode(separator));
  return isName ? bytes.readUIntBE(at, NAME_LENGTH) : 0;
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
