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
  #text = '';
  #count = 0;

  isOver(nextUserId: string): boolean {
    const most = this.#patients.has(nextUserId) ? MOST : LEAST;
    return this.#text.length >= most || performance.now() - this.#beganMs >= MOST_MS;
  }

  add(userId: string, line: string): void {
    this.#patients.add(userId);
    this.#text += line;
    this.#count += 1;
  }

  done(): Piece {
    const patients = [...this.#patients];
    return { bytes: Buffer.from(this.#text), patients, recordCount: this.#count };
  }
}
