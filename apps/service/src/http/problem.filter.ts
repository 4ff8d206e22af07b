import { Catch, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasGone, type RequestLog } from './request-log.ts';
import { sendProblem } from '../problem/send-problem.ts';
import { errorForLog, toProblem } from '../problem/to-problem.ts';

/** Every error of every stage, Nest's and Fastify's alike, leaves as a problem document. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  readonly #log: RequestLog;

  constructor(log: RequestLog) {
    this.#log = log;
  }

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.answer(error, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  answer(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const problem = toProblem(error);
    if (problem.status >= 500) {
      const facts = {
        request_id: request.id,
        // The route's pattern, not the address: that holds ids.
        route: request.routeOptions.url,
        error: errorForLog(error),
      };
      this.#log.write({ level: 'error', facts, message: 'request failed' }, hasGone(request.raw));
    }
    if (reply.sent) {
      return;
    }
    void sendProblem(reply, problem, request.id);
  }
}
