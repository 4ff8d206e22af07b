import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

type Level = 'info' | 'error';

interface Line {
  readonly level: Level;
  readonly facts: object;
  readonly message: string;
}

const EVERY_MS = 1000;

/** Whether the sender of a request has closed the connection, or its side of it: Node then drops the answer. */
export function hasGone({ socket }: FastifyRequest['raw']): boolean {
  return socket.destroyed || socket.readableEnded;
}

/**
 * The log of requests: a line for each event, but at most one a second, with how many more there were, for all whose
 * sender has closed the connection or is refused by a limit. Neither costs a sender anything, so it must not fill our
 * disk.
 */
export class RequestLog {
  readonly #logger: Logger;
  #waiting: Line | undefined;
  #more = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @param isCheap whether the sender has gone (`hasGone`) or was refused by a limit */
  write(line: Line, isCheap: boolean): void {
    if (!isCheap) {
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
      this.#logger[level]({ ...facts, more: this.#more }, message);
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
