import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { errorCode } from '../config/operator-error.ts';

type Level = 'info' | 'error';

interface Line {
  readonly level: Level;
  readonly facts: object;
  readonly message: string;
}

const FIRST_PAUSE_MS = 1000;
/** While it lasts, each pause is twice the one before. */
const LONGEST_PAUSE_MS = 8000;

export function groupOf(request: FastifyRequest, error: unknown): string {
  return hasDisconnected(request.raw) ? CHEAP : `${request.routeOptions.url ?? ''}${kindOf(error)}`;
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) {
    return '';
  }
  return ` ${error.name} ${errorCode(error)}${kindOf(error.cause)}`;
}

/** The client has closed the connection, or its side of it: Node then discards the response. */
export function hasDisconnected({ socket }: FastifyRequest['raw']): boolean {
  return socket.destroyed || socket.readableEnded;
}

interface Group {
  waiting: Line | undefined;
  more: number;
}

/** The group of requests that are rate-limited or whose client has disconnected: they cost a client nothing. */
export const CHEAP = 'cheap';

/** One line per request, but for each group at most one per second, and one in 8 s while it lasts, with the number of `more`. */
export class RequestLog {
  readonly #groups = new Map<string, Group>();

  constructor(private readonly logger: Logger) {}

  /** @param name of a group: few of them, such as a route and what failed */
  write(line: Line, name: string | undefined): void {
    if (name === undefined) {
      this.#write(line);
      return;
    }
    const group = this.#groups.get(name);
    if (group === undefined) {
      this.#write(line, 0);
      this.#pause(name, { waiting: undefined, more: 0 }, FIRST_PAUSE_MS);
    } else if (group.waiting === undefined) {
      group.waiting = line;
    } else {
      group.more += 1;
      group.waiting = line.level === 'error' ? line : group.waiting;
    }
  }

  flush(): void {
    this.#groups.forEach((group) => {
      this.#flush(group);
    });
  }

  #flush(group: Group): void {
    if (group.waiting !== undefined) {
      this.#write(group.waiting, group.more);
    }
    group.waiting = undefined;
    group.more = 0;
  }

  #pause(name: string, group: Group, pauseMs: number): void {
    this.#groups.set(name, group);
    setTimeout(() => {
      if (group.waiting === undefined) {
        this.#groups.delete(name);
      } else {
        this.#flush(group);
        this.#pause(name, group, Math.min(pauseMs * 2, LONGEST_PAUSE_MS));
      }
    }, pauseMs).unref();
  }

  #write({ level, facts, message }: Line, more?: number): void {
    this.logger[level](more === undefined ? facts : { ...facts, more }, message);
  }
}
