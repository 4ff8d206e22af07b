/** Calls `late` for overdue items, with one timer: most are done long before. */
export class Deadlines<Item> {
  readonly #withinMs: number;
  readonly #late: (item: Item) => void;
  /** In order of due time. */
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
    // A pending response keeps its connection, and so the process.
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
