import type { FastifyReply } from 'fastify';
import type { ProblemError } from './problem-error.ts';
import { PROBLEM_MEDIA_TYPE, problemText } from './problem-text.ts';

/**
 * Answers with the problem. Sets what every answer carries itself too, since an answer may be made before any hook has
 * run (an address the router cannot read).
 */
export function sendProblem(
  reply: FastifyReply,
  error: ProblemError,
  requestId: string,
): FastifyReply {
  return reply
    .code(error.status)
    .headers({
      'x-request-id': requestId,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...error.problem.headers,
      'content-type': PROBLEM_MEDIA_TYPE,
    })
    .send(problemText(error.problem, requestId));
}
