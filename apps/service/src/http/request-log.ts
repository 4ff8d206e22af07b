import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { getOperation } from '../auth/operation.decorator.ts';
import type { Principal } from '../auth/caller.ts';
import { RequestLimits } from '../auth/request-limits.ts';
import { getErrorCode } from '@caregate/data-store/errors';
import { Metrics } from '../health/metrics.ts';

type Level = 'info' | 'error';

interface Line {
  readonly level: Level;
  readonly facts: object;
  readonly message: string;
}

const FIRST_PAUSE_MS = 1000;
/** Longest pause in milliseconds between two lines of a group. Each pause is twice as long as the previous one. */
const LONGEST_PAUSE_MS = 8000;

export function chooseLogGroup(request: FastifyRequest, error: unknown): string {
  return hasDisconnected(request.raw)
    ? CHEAP
    : `${request.routeOptions.url ?? ''}${describeKind(error)}`;
}

function describeKind(error: unknown): string {
  if (!(error instanceof Error)) {
    return '';
  }
  return ` ${error.name} ${getErrorCode(error)}${describeKind(error.cause)}`;
}

/** Whether the client has closed the connection or its side of it. Node then discards the response. */
export function hasDisconnected({ socket }: FastifyRequest['raw']): boolean {
  return socket.destroyed || socket.readableEnded;
}

interface Group {
  waiting: Line | undefined;
  more: number;
}

/** Group of requests that are rate-limited or whose client has disconnected. A client can send any number of them. */
const CHEAP = 'cheap';

/**
 * Logs one line for each request. Of a group of similar requests, it logs at most one a second, later one in 8
 * seconds, with the number of omitted ones in `more`.
 */
export class RequestLog {
  readonly #groups = new Map<string, Group>();

  constructor(private readonly logger: Logger) {}

  /** @param name name of a group; there must be few of them, such as a route with its failure */
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

/**
 * Counts and logs each request once, after its response was sent or aborted. Never logs the URL, which contains IDs.
 */
@Injectable()
export class RequestObserver {
  /** Arrays instead of Maps: a Map that grows and shrinks keeps removed entries in memory. */
  readonly #sending = new WeakMap<Socket, FastifyReply[]>();

  constructor(
    private readonly requestLog: RequestLog,
    private readonly metrics: Metrics,
    private readonly requestLimits: RequestLimits,
  ) {}

  /** The last step before the response, needed because Fastify doesn't report responses on closed connections. */
  onSend(reply: FastifyReply): void {
    const { socket } = reply.request.raw;
    reply.request.endTurn?.();
    if (socket.destroyed) {
      this.#observe(reply);
      return;
    }
    const sending = this.#sending.get(socket) ?? this.#trackSocket(socket);
    if (!sending.includes(reply)) {
      sending.push(reply);
    }
  }

  onResponse(reply: FastifyReply): void {
    const sending = this.#sending.get(reply.request.raw.socket);
    const at = sending?.indexOf(reply) ?? -1;
    if (at >= 0) {
      sending?.splice(at, 1);
      this.#observe(reply);
    }
  }

  #trackSocket(socket: Socket): FastifyReply[] {
    const sending: FastifyReply[] = [];
    this.#sending.set(socket, sending);
    socket.once('close', () => {
      sending.splice(0).forEach((reply) => {
        this.#observe(reply);
      });
    });
    return sending;
  }

  #observe(reply: FastifyReply): void {
    const { request } = reply;
    this.requestLimits.end(request);
    const operation = getOperation(request);
    const status = reply.statusCode;
    const milliseconds = reply.elapsedTime;
    this.metrics.recordRequest(operation, status, milliseconds / 1000, request.problem);
    const level = status >= 500 ? 'error' : 'info';
    const facts = {
      operation,
      method: request.method,
      route: request.is404 ? null : (request.routeOptions.url ?? null),
      status,
      duration_ms: Math.round(milliseconds * 1000) / 1000,
      request_id: request.id,
      ...(request.trace !== undefined && { trace_id: request.trace.traceId }),
      ...describeCaller(request.principal),
    };
    this.requestLog.write(
      { level, facts, message: 'request' },
      chooseResponseGroup(status, request),
    );
  }
}

/** Groups requests that were refused before authentication or aborted, and failures of the same route. */
function chooseResponseGroup(status: number, request: FastifyRequest): string | undefined {
  const isRefused = status === 429 || (status === 503 && request.caller === undefined);
  if (isRefused || hasDisconnected(request.raw)) {
    return CHEAP;
  }
  return status >= 500 ? `${getOperation(request)} ${status}` : undefined;
}

function describeCaller(principal: Principal | undefined): object {
  if (principal === undefined) {
    return {};
  }
  const { teamId: team_id } = principal;
  return principal.kind === 'staff'
    ? {
        team_id,
        staff_id: principal.staffId,
        session_id: principal.sessionId,
        desk_id: principal.deskId,
      }
    : { team_id, key_id: principal.keyId };
}
