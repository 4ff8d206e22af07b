import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Principal } from '../access/principal.ts';
import { routeOfRequest, type RequestedRoute } from '../operations/operations.ts';
import { problemOf } from '../problem/problem-error.ts';
import type { RequestLimits } from '../access/limits/request-limits.ts';
import type { Metrics } from './metrics.ts';
import { CHEAP, factsText, hasDisconnected, type RequestLog } from '../http/request-log.ts';

interface Parts {
  readonly requestLog: RequestLog;
  readonly metrics: Metrics;
  readonly requestLimits: RequestLimits;
}

/** Never logs the URL, which contains ids. */
export class RequestObserver {
  readonly #parts: Parts;
  /** Arrays: a `Map` that grows and shrinks keeps what was in it alive. */
  readonly #sending = new WeakMap<Socket, FastifyReply[]>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The last step before the response: Fastify does not report those on closed connections. */
  sending(reply: FastifyReply): void {
    const { socket } = reply.request.raw;
    if (socket.destroyed) {
      observe(this.#parts, reply);
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
      observe(this.#parts, reply);
    }
  }

  #sendingOn(socket: Socket): FastifyReply[] {
    const sending: FastifyReply[] = [];
    this.#sending.set(socket, sending);
    socket.once('close', () => {
      sending.splice(0).forEach((reply) => {
        observe(this.#parts, reply);
      });
    });
    return sending;
  }
}

function observe({ requestLog, metrics, requestLimits }: Parts, reply: FastifyReply): void {
  const { request } = reply;
  requestLimits.end(request);
  const { operation } = routeOfRequest(request);
  const status = reply.statusCode;
  const milliseconds = reply.elapsedTime;
  metrics.requestDone(operation, status, milliseconds / 1000, problemOf(reply));
  const level = status >= 500 ? 'error' : 'info';
  const facts = `${routeText(request)}"status":${status},"duration_ms":${Math.round(milliseconds * 1000) / 1000},"request_id":"${request.id}",${traceText(request)}${callerText(request.principal)}`;
  requestLog.write({ level, facts, message: 'request' }, groupOfAnswer(status, request));
}

/** Refused before anybody was authenticated, or not waited for; or one of many failures of a route. */
function groupOfAnswer(status: number, request: FastifyRequest): string | undefined {
  const isRefused = status === 429 || (status === 503 && request.caller === undefined);
  if (isRefused || hasDisconnected(request.raw)) {
    return CHEAP;
  }
  return status >= 500 ? `${routeOfRequest(request).operation} ${status}` : undefined;
}

const routeTexts = new WeakMap<RequestedRoute, string>();

function routeText(request: FastifyRequest): string {
  const requested = routeOfRequest(request);
  const { operation, pattern } = requested;
  const known = routeTexts.get(requested);
  const text = known ?? factsText({ operation, method: request.method, route: pattern ?? null });
  if (known === undefined && pattern !== undefined) {
    routeTexts.set(requested, text);
  }
  return text;
}

function traceText({ trace }: FastifyRequest): string {
  return trace === undefined ? '' : `"trace_id":"${trace.traceId}",`;
}

function callerText(principal: Principal | undefined): string {
  if (principal === undefined) {
    return '';
  }
  return principal.kind === 'staff'
    ? factsText({
        team_id: principal.teamId,
        staff_id: principal.staffId,
        session_id: principal.sessionId,
        desk_id: principal.deskId,
      })
    : `"team_id":"${principal.teamId}","key_id":"${principal.keyId}",`;
}
