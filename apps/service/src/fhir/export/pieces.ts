import type { Found } from './export-lines.ts';

/** What leaves at once, after its record. */
export interface Piece {
  readonly bytes: Buffer;
  readonly patients: readonly string[];
  readonly recordCount: number;
}

/** Begins a new piece with the next patient, and within one who has much. */
const LEAST = 2 ** 18;
const MOST = 2 ** 20;
/** The first piece is the beginning of the answer: whoever waits is not kept waiting by patients of whom nothing changed. */
const MOST_MS = 5000;

/** NDJSON. At least one piece. @param pause gives others their turn */
export async function* pieces(
  found: AsyncIterable<Found>,
  pause: () => Promise<void>,
): AsyncGenerator<Piece, void, undefined> {
  let piece = new Lines();
  for await (const { userId, resources } of found) {
    if (piece.isOver(userId)) {
      yield piece.done();
      piece = new Lines();
    }
    for (const resource of resources) {
      piece.add(userId, `${JSON.stringify(resource)}\n`);
    }
    await pause();
  }
  yield piece.done();
}

class Lines {
  readonly #patients = new Set<string>();
  readonly #beganMs = performance.now();
  /** Not a string of lines: one so long stays until the next collection of all memory. */
  #bytes = Buffer.allocUnsafe(LEAST * 1.5);
  #length = 0;
  #count = 0;

  isOver(nextUserId: string): boolean {
    const most = this.#patients.has(nextUserId) ? MOST : LEAST;
    return this.#length >= most || performance.now() - this.#beganMs >= MOST_MS;
  }

  add(userId: string, line: string): void {
    this.#patients.add(userId);
    const needed = this.#length + Buffer.byteLength(line);
    if (needed > this.#bytes.length) {
      const bytes = Buffer.allocUnsafe(needed * 2);
      this.#bytes.copy(bytes, 0, 0, this.#length);
      this.#bytes = bytes;
    }
    this.#length += this.#bytes.write(line, this.#length);
    this.#count += 1;
  }

  done(): Piece {
    const bytes = this.#bytes.subarray(0, this.#length);
    return { bytes, patients: [...this.#patients], recordCount: this.#count };
  }
}
