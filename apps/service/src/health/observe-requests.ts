import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Principal } from '../auth/principal.ts';
import { operationOf } from '../auth/operation.decorator.ts';
import { problemOf } from '../problem/problem-error.ts';
import { RequestLimits } from '../auth/request-limits.ts';
import { Metrics } from './metrics.ts';
import { CHEAP, hasDisconnected, RequestLog } from '../http/request-log.ts';

/** Counts and logs each request once, when its answer was sent or given up. Never logs the URL, which contains ids. */
@Injectable()
export class RequestObserver {
  /** Arrays: a `Map` that grows and shrinks keeps what was in it alive. */
  readonly #sending = new WeakMap<Socket, FastifyReply[]>();

  constructor(
    private readonly requestLog: RequestLog,
    private readonly metrics: Metrics,
    private readonly requestLimits: RequestLimits,
  ) {}

  /** The last step before the response: Fastify does not report those on closed connections. */
  sending(reply: FastifyReply): void {
    const { socket } = reply.request.raw;
    if (socket.destroyed) {
      this.#observe(reply);
      return;
    }
    const sending = this.#sending.get(socket) ?? this.#sendingOn(socket);
    if (!sending.includes(reply)) {
      sending.push(reply);
    }
  }

  sent(reply: FastifyReply): void {
    const sending = this.#sending.get(reply.request.raw.socket);
    const at = sending?.indexOf(reply) ?? -1;
    if (at >= 0) {
      sending?.splice(at, 1);
      this.#observe(reply);
    }
  }

  #sendingOn(socket: Socket): FastifyReply[] {
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
    const operation = operationOf(request);
    const status = reply.statusCode;
    const milliseconds = reply.elapsedTime;
    this.metrics.requestDone(operation, status, milliseconds / 1000, problemOf(reply));
    const level = status >= 500 ? 'error' : 'info';
    const facts = {
      operation,
      method: request.method,
      route: request.is404 ? null : (request.routeOptions.url ?? null),
      status,
      duration_ms: Math.round(milliseconds * 1000) / 1000,
      request_id: request.id,
      ...(request.trace !== undefined && { trace_id: request.trace.traceId }),
      ...callerFacts(request.principal),
    };
    this.requestLog.write({ level, facts, message: 'request' }, groupOfAnswer(status, request));
  }
}

/** Refused before anybody was authenticated, or not waited for; or one of many failures of a route. */
function groupOfAnswer(status: number, request: FastifyRequest): string | undefined {
  const isRefused = status === 429 || (status === 503 && request.caller === undefined);
  if (isRefused || hasDisconnected(request.raw)) {
    return CHEAP;
  }
  return status >= 500 ? `${operationOf(request)} ${status}` : undefined;
}

function callerFacts(principal: Principal | undefined): object {
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
