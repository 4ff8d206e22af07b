import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { groupOf, hasDisconnected, RequestLog } from './request-log.ts';
import { errorForLog, ProblemError, sendProblem, toProblem } from '../problem/problem-error.ts';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** The stores may be closed before the last request ends: that is no fault. */
  isClosing = false;

  constructor(private readonly log: RequestLog) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    if (hasDisconnected(request.raw) && isAborted(error)) {
      // Nobody reads it: the status is for the log, the metrics and the audit log.
      if (!reply.sent) {
        void reply.code(CLIENT_CLOSED_REQUEST).send();
      }
      return;
    }
    const known = toProblem(error);
    const isInterrupted = this.isClosing && known.status === 500;
    const problem = isInterrupted
      ? new ProblemError({ type: 'unavailable', headers: { 'retry-after': '1' } }, { cause: error })
      : known;
    if (problem.status >= 500) {
      const facts = {
        request_id: request.id,
        trace_id: request.trace?.traceId,
        // Not the URL, which contains ids.
        route: request.routeOptions.url,
        error: errorForLog(error),
      };
      this.log.write({ level: 'error', facts, message: 'request failed' }, groupOf(request, error));
    }
    if (!reply.sent) {
      if (problem.problem.disclosure !== undefined) {
        request.disclosure = problem.problem.disclosure;
      }
      void sendProblem(reply, problem, request.id);
    }
  }
}

/** As nginx says it: the client has closed the connection before the answer. */
const CLIENT_CLOSED_REQUEST = 499;

/** Whether work was given up since nobody waits for it, in an error or in what caused it. */
function isAborted(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
  return name === 'AbortError' || (cause !== undefined && isAborted(cause));
}
