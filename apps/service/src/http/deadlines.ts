/** A thing that may come too late. */
export abstract class Deadline {
  /** In a list of its own, so that one that is met keeps nothing alive: a `Map` that grows and shrinks does. */
  earlier: Deadline | undefined;
  later: Deadline | undefined;
  dueMs = 0;

  abstract pass(): void;
}

/** Passes what is overdue, with one timer: most is met long before. */
export class Deadlines {
  readonly #withinMs: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(withinMs: number) {
    this.#withinMs = withinMs;
  }

  add(item: Deadline): void {
    item.dueMs = performance.now() + this.#withinMs;
    item.earlier = this.#last;
    if (this.#last === undefined) {
      this.#first = item;
    } else {
      this.#last.later = item;
    }
    this.#last = item;
    this.#timer ??= this.#wait(this.#withinMs);
  }

  met(item: Deadline): void {
    const { earlier, later } = item;
    if (earlier === undefined && this.#first !== item) {
      return;
    }
    if (earlier === undefined) {
      this.#first = later;
    } else {
      earlier.later = later;
    }
    if (later === undefined) {
      this.#last = earlier;
    } else {
      later.earlier = earlier;
    }
    item.earlier = undefined;
    item.later = undefined;
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
    for (let item = this.#first; item !== undefined; item = this.#first) {
      if (item.dueMs > now) {
        this.#timer = this.#wait(item.dueMs - now);
        return;
      }
      this.met(item);
      item.pass();
    }
  }
}
