import type { Indexed, Indexer } from './indexer.ts';

/** Below this rate there is time for the index. */
const idleRecords = 100;
/** Takes some ten milliseconds. */
const stepRecords = 1000;
/** Pauses double with each failure, up to this often. */
const mostDoubled = 6;

/** Records written and queued by the process. */
interface Writing {
  readonly written: number;
  readonly queued: number;
}

/** Keeps the index of a log up to date in small steps while few records come. */
export class IdleIndexing {
  readonly #indexer: Pick<Indexer, 'step' | 'catchUp'>;
  readonly #state: () => Writing;
  readonly #lookEveryMs: number;
  #timer: NodeJS.Timeout;
  #isClosed = false;
  #failures = 0;
  /** State at the last answer, and records written by then. */
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

  /** Records that are not indexed yet; undefined until the first answer. */
  get lag(): number | undefined {
    return this.#known && this.#known.of - this.#known.size + this.#since(this.#known.written);
  }

  /** Resolves with the size of the index once it has all that the log has now. */
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
        // A caller of `catchUp` gets the error.
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
