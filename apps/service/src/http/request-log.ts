import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';

type Level = 'info' | 'error';

interface Line {
  readonly level: Level;
  readonly facts: object;
  readonly message: string;
}

const EVERY_MS = 1000;

/** The client has closed the connection, or its side of it: Node then discards the response. */
export function hasDisconnected({ socket }: FastifyRequest['raw']): boolean {
  return socket.destroyed || socket.readableEnded;
}

/**
 * One line per request, but at most one per second (with the number of `more`) for requests that are rate-limited or
 * whose client has disconnected: these cost a client nothing and must not fill the disk.
 */
export class RequestLog {
  readonly #logger: Logger;
  #waiting: Line | undefined;
  #more = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** @param isCheap disconnected (`hasDisconnected`) or rate-limited */
  write(line: Line, isCheap: boolean): void {
    if (!isCheap) {
      this.#logger[line.level](line.facts, line.message);
      return;
    }
    if (this.#waiting === undefined) {
      this.#waiting = line;
    } else {
      this.#more += 1;
      // Errors take precedence.
      this.#waiting = line.level === 'error' ? line : this.#waiting;
    }
    if (this.#pause === undefined) {
      this.#writeAndPause();
    }
  }

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
