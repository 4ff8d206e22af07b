/** Calls what is late. One timer for all that wait: most are met long before. */
export class Deadlines<Item> {
  readonly #withinMs: number;
  readonly #late: (item: Item) => void;
  /** When each is due, in the order in which they were added. */
  readonly #due = new Map<Item, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(withinMs: number, late: (item: Item) => void) {
    this.#withinMs = withinMs;
    this.#late = late;
  }

  add(item: Item): void {
    this.#due.set(item, performance.now() + this.#withinMs);
    this.#timer ??= this.#wait(this.#withinMs);
  }

  met(item: Item): void {
    this.#due.delete(item);
  }

  #wait(ms: number): NodeJS.Timeout {
    // A response that waits has an open connection, which keeps the process running.
    return setTimeout(() => {
      this.#check();
    }, ms).unref();
  }

  #check(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const [item, due] of this.#due) {
      if (due > now) {
        this.#timer = this.#wait(due - now);
        return;
      }
      this.#due.delete(item);
      this.#late(item);
    }
  }
}
