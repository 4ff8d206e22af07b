import type { Logger } from 'pino';

type Level = 'info' | 'error';

interface Line {
  readonly level: Level;
  readonly facts: object;
  readonly message: string;
}

const EVERY_MS = 1000;

/**
 * The log of requests: a line for each event, but at most one a second, with the count of the others, for all whose
 * sender has closed the connection. It costs a sender nothing to ask and go, so it must not fill our disk.
 */
export class RequestLog {
  readonly #logger: Logger;
  #waiting: Line | undefined;
  #more = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @param isGone whether the sender has closed the connection */
  write(line: Line, isGone: boolean): void {
    if (!isGone) {
      this.#logger[line.level](line.facts, line.message);
      return;
    }
    if (this.#waiting === undefined) {
      this.#waiting = line;
    } else {
      this.#more += 1;
      // An error is the one worth its line.
      this.#waiting = line.level === 'error' ? line : this.#waiting;
    }
    if (this.#pause === undefined) {
      this.#writeAndPause();
    }
  }

  /** Writes what waits. */
  flush(): void {
    if (this.#waiting !== undefined) {
      const { level, facts, message } = this.#waiting;
      this.#logger[level]({ ...facts, sender_gone: true, more: this.#more }, message);
    }
    this.#waiting = undefined;
    this.#more = 0;
  }

  #writeAndPause(): void {
    this.flush();
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      if (this.#waiting !== undefined) {
        this.#writeAndPause();
      }
    }, EVERY_MS).unref();
  }
}
