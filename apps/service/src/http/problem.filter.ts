import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { factsText, groupOf, type RequestLog } from './request-log.ts';
import { sendProblem } from '../problem/problem-error.ts';
import { errorForLog, toProblem } from '../problem/to-problem.ts';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #log: RequestLog;

  constructor(log: RequestLog) {
    this.#log = log;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const [request, reply] = [http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>()];
    const problem = toProblem(error);
    if (problem.status >= 500) {
      const facts = {
        request_id: request.id,
        trace_id: request.trace?.traceId,
        // Not the URL, which contains ids.
        route: request.routeOptions.url,
        error: errorForLog(error),
      };
      this.#log.write(
        { level: 'error', facts: factsText(facts), message: 'request failed' },
        groupOf(request, error),
      );
    }
    if (!reply.sent) {
      void sendProblem(reply, problem, request.id);
    }
  }
}
