import type { Indexed, Indexer } from './indexer.ts';

/** Fewer records a second leave time for the index. */
const idleRecords = 100;
/** Records of a step: some ten milliseconds. */
const stepRecords = 1000;
/** Pauses double with each failure in a row, so often at most: a thread that ends is started anew for each look. */
const mostDoubled = 6;

/** How many records the process has written, and how many wait. */
interface Writing {
  readonly written: number;
  readonly queued: number;
}

/**
 * Keeps the index of a log near its end: in small steps with pauses as long as they took, and only while few records come.
 * Who asks for events catches up with the rest.
 */
export class IdleIndexing {
  readonly #indexer: Pick<Indexer, 'step' | 'catchUp'>;
  readonly #state: () => Writing;
  readonly #lookEveryMs: number;
  #timer: NodeJS.Timeout;
  #isClosed = false;
  /** Failures since the index last answered. */
  #failures = 0;
  /** How far the index was when it was last asked, and how many records this process had written before. */
  #known: (Indexed & { readonly written: number }) | undefined;
  #lastLook: { readonly written: number; readonly atMs: number };

  constructor(
    indexer: Pick<Indexer, 'step' | 'catchUp'>,
    state: () => Writing,
    lookEveryMs = 1000,
  ) {
    this.#indexer = indexer;
    this.#state = state;
    this.#lookEveryMs = lookEveryMs;
    this.#lastLook = { written: state().written, atMs: performance.now() };
    this.#timer = this.#after(lookEveryMs);
  }

  /** Records that the index does not have yet; undefined until it was first asked. */
  get lag(): number | undefined {
    return this.#known && this.#known.of - this.#known.size + this.#since(this.#known.written);
  }

  /** The number of records in the index, once it has what the log had when this was called. */
  async catchUp(): Promise<number> {
    const caughtUp = async (): Promise<Indexed> => {
      const size = await this.#indexer.catchUp();
      return { size, of: size };
    };
    return (await this.#ask(caughtUp)).size;
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    let pauseMs = this.#lookEveryMs;
    if (this.#isIdle() && this.lag !== 0) {
      const began = performance.now();
      try {
        const { size, of } = await this.#ask(() => this.#indexer.step(stepRecords));
        pauseMs = size < of ? performance.now() - began : pauseMs;
      } catch {
        // Who asks for events is told.
        this.#failures += 1;
        pauseMs *= 2 ** Math.min(this.#failures, mostDoubled);
      }
    }
    if (!this.#isClosed) {
      this.#timer = this.#after(pauseMs);
    }
  }

  #isIdle(): boolean {
    const { written, queued } = this.#state();
    const last = this.#lastLook;
    this.#lastLook = { written, atMs: performance.now() };
    const seconds = (this.#lastLook.atMs - last.atMs) / 1000;
    return queued === 0 && written - last.written < idleRecords * seconds;
  }

  async #ask(how: () => Promise<Indexed>): Promise<Indexed> {
    const { written } = this.#state();
    const indexed = await how();
    this.#failures = 0;
    this.#known = { ...indexed, written };
    return indexed;
  }

  #since(written: number): number {
    return this.#state().written - written;
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => void this.#look(), ms).unref();
  }
}
