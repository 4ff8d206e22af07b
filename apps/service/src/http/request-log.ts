import type { FastifyRequest } from 'fastify';
import { pino, type Logger } from 'pino';

type Level = 'info' | 'error';

interface Line {
  readonly level: Level;
  /** JSON, as `"name":value,`. */
  readonly facts: string;
  readonly message: string;
}

const EVERY_MS = 1000;

/** The client has closed the connection, or its side of it: Node then discards the response. */
export function hasDisconnected({ socket }: FastifyRequest['raw']): boolean {
  return socket.destroyed || socket.readableEnded;
}

/** The facts of a line. */
export function factsText(facts: object): string {
  const text = JSON.stringify(facts).slice(1, -1);
  return text === '' ? '' : `${text},`;
}

/**
 * One line per request, but at most one per second (with the number of `more`) for requests that are rate-limited or
 * whose client has disconnected: these cost a client nothing and must not fill the disk.
 */
export class RequestLog {
  readonly #logger: PinoParts;
  #waiting: Line | undefined;
  #more = 0;
  #pause: NodeJS.Timeout | undefined;

  constructor(logger: Logger) {
    this.#logger = logger as unknown as PinoParts;
  }

  /** @param isCheap disconnected (`hasDisconnected`) or rate-limited */
  write(line: Line, isCheap: boolean): void {
    if (!isCheap) {
      this.#write(line);
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
      this.#write({ level, facts: `${facts}"more":${this.#more},`, message });
    }
    this.#waiting = undefined;
    this.#more = 0;
  }

  /** As pino writes it, which would look at each fact. */
  #write({ level, facts, message }: Line): void {
    const logger = this.#logger;
    if (logger.isLevelEnabled(level)) {
      const begin = logger[symbols.lsCacheSym][logger.levels.values[level]] ?? '{"level":null';
      logger[symbols.streamSym].write(
        `${begin}${logger[symbols.timeSym]()}${logger[symbols.chindingsSym]},${facts}"msg":"${message}"}\n`,
      );
    }
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

// The types of pino have only some of its symbols.
const symbols = pino.symbols as unknown as {
  readonly lsCacheSym: unique symbol;
  readonly timeSym: unique symbol;
  readonly chindingsSym: unique symbol;
  readonly streamSym: unique symbol;
};

/** What pino itself makes a line of. */
interface PinoParts {
  readonly levels: { readonly values: Readonly<Record<Level, number>> };
  isLevelEnabled(level: Level): boolean;
  readonly [symbols.lsCacheSym]: Readonly<Record<number, string>>;
  readonly [symbols.timeSym]: () => string;
  readonly [symbols.chindingsSym]: string;
  readonly [symbols.streamSym]: { write(line: string): void };
}
