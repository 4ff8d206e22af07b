import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Socket } from 'node:net';
import type { Principal } from '../access/principal.ts';
import { routeOfRequest } from '../operations/route-of-request.ts';
import { problemOf } from '../problem/send-problem.ts';
import type { Metrics } from './metrics.ts';
import { hasDisconnected, type RequestLog } from '../http/request-log.ts';

interface Parts {
  readonly requestLog: RequestLog;
  readonly metrics: Metrics;
}

/**
 * Logs and measures each request when its response was sent or its client has disconnected. Never logs the URL, which
 * contains ids. Register it after all other hooks on responses.
 */
export function observeRequests(fastify: FastifyInstance, parts: Parts): void {
  const ready = new WeakMap<Socket, Map<FastifyRequest, FastifyReply>>();

  // Fastify does not report responses on closed connections.
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw;
    if (socket.destroyed) {
      observe(parts, request, reply);
    } else {
      const waiting = ready.get(socket) ?? waitingOn(socket);
      waiting.set(request, reply);
    }
    done(null, payload);
  });

  fastify.addHook('onResponse', (request, reply, done) => {
    if (ready.get(request.raw.socket)?.delete(request) === true) {
      observe(parts, request, reply);
    }
    done();
  });

  fastify.addHook('onClose', (_, done) => {
    parts.requestLog.flush();
    done();
  });

  function waitingOn(socket: Socket): Map<FastifyRequest, FastifyReply> {
    const waiting = new Map<FastifyRequest, FastifyReply>();
    ready.set(socket, waiting);
    socket.once('close', () => {
      waiting.forEach((reply, request) => {
        observe(parts, request, reply);
      });
      waiting.clear();
    });
    return waiting;
  }
}

function observe(
  { requestLog, metrics }: Parts,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { operation, pattern } = routeOfRequest(request);
  const status = reply.statusCode;
  const milliseconds = reply.elapsedTime;
  metrics.requestDone(operation, status, milliseconds / 1000, problemOf(reply));
  const facts = {
    operation,
    method: request.method,
    route: pattern ?? null,
    status,
    duration_ms: Math.round(milliseconds * 1000) / 1000,
    request_id: request.id,
    trace_id: request.trace?.traceId,
    team_id: request.principal?.teamId,
    ...idsOf(request.principal),
  };
  const level = status >= 500 ? 'error' : 'info';
  requestLog.write(
    { level, facts, message: 'request' },
    status === 429 || hasDisconnected(request.raw),
  );
}

/** Public ids of the caller. */
function idsOf(principal: Principal | undefined): Readonly<Record<string, string | undefined>> {
  return principal?.kind === 'staff'
    ? {
        staff_id: principal.staffId,
        session_id: principal.sessionId,
        desk_id: principal.deskId,
      }
    : { key_id: principal?.keyId };
}
