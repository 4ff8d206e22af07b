import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { chooseLogGroup, hasDisconnected, RequestLog } from './request-log.ts';
import {
  describeErrorForLog,
  ProblemError,
  sendProblem,
  toProblem,
} from '../problem/problem-error.ts';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  /** During a shutdown, stores may be closed before the last request ends, which is not logged as a fault. */
  isClosing = false;

  constructor(private readonly log: RequestLog) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    if (hasDisconnected(request.raw) && isAborted(error)) {
      // The client has disconnected. The status is for the log, metrics and audit log only.
      if (!reply.sent) {
        void reply.code(CLIENT_CLOSED_REQUEST).send();
      }
      return;
    }
    const converted = toProblem(error);
    const isInterrupted = this.isClosing && converted.status === 500;
    const problem = isInterrupted
      ? new ProblemError({ type: 'unavailable', headers: { 'retry-after': '1' } }, { cause: error })
      : converted;
    if (problem.status >= 500) {
      const facts = {
        request_id: request.id,
        trace_id: request.trace?.traceId,
        // Log the route, not the URL, which contains IDs.
        route: request.routeOptions.url,
        error: describeErrorForLog(error),
      };
      this.log.write(
        { level: 'error', facts, message: 'request failed' },
        chooseLogGroup(request, error),
      );
    }
    if (!reply.sent) {
      if (problem.problem.disclosure !== undefined) {
        request.disclosure = problem.problem.disclosure;
      }
      void sendProblem(reply, problem, request.id);
    }
  }
}

/** The status that nginx uses if the client closed the connection before the response. */
const CLIENT_CLOSED_REQUEST = 499;

/** Whether an error, or one of its causes, says that the work was aborted because the client has disconnected. */
function isAborted(error: unknown): boolean {
  const { name, cause } = (error ?? {}) as { readonly name?: unknown; readonly cause?: unknown };
  return name === 'AbortError' || (cause !== undefined && isAborted(cause));
}
