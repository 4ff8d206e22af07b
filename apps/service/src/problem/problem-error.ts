import type { SignInRefusal } from '@caregate/domain';
import { PROBLEMS, type ProblemType } from './problems.ts';
import type { FastifyReply } from 'fastify';
import { serializeProblemDetails } from '@caregate/domain/serialize';

export interface FieldError {
  readonly parameter: string;
  readonly reason: string;
}

export interface Problem {
  readonly type: ProblemType;
  /** Never contains ids, URLs or other data of the request. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly reason?: SignInRefusal;
  readonly orderStatus?: string | undefined;
  readonly triesLeft?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(PROBLEMS[problem.type].title, options);
    this.name = 'ProblemError';
    this.problem = problem;
  }

  get status(): number {
    return PROBLEMS[this.problem.type].status;
  }
}

export function invalidParameters(...errors: FieldError[]): ProblemError {
  return new ProblemError({ type: 'invalid-parameter', errors });
}

/** The same text for a missing record, one of another team, and an invalid id. */
export function notFound(): ProblemError {
  const detail = 'No such record exists in the data of this team.';
  return new ProblemError({ type: 'not-found', detail });
}

export function orNotFound<T>(value: T | undefined): T {
  if (value === undefined) {
    throw notFound();
  }
  return value;
}

/** Also sets the headers of every response, since no hook has run for a URL that the router cannot parse. */
export function sendProblem(
  reply: FastifyReply,
  error: ProblemError,
  requestId: string,
): FastifyReply {
  noteProblem(reply, error.problem.type);
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

const sent = new WeakMap<FastifyReply, ProblemType>();

/** For a response that becomes a problem without {@link sendProblem}. */
export function noteProblem(reply: FastifyReply, type: ProblemType): void {
  sent.set(reply, type);
}

export function problemOf(reply: FastifyReply): ProblemType | undefined {
  return sent.get(reply);
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** RFC 9457. `type` is a relative reference that the service answers (`problem-pages.ts`). */
export function problemText(problem: Problem, requestId: string): string {
  const { status, title, detail } = PROBLEMS[problem.type];
  return serializeProblemDetails({
    type: `/problems/${problem.type}`,
    title,
    status,
    detail: problem.detail ?? detail,
    ...(problem.errors === undefined ? {} : { errors: [...problem.errors] }),
    ...(problem.reason === undefined ? {} : { reason: problem.reason }),
    ...(problem.orderStatus === undefined ? {} : { order_status: problem.orderStatus }),
    ...(problem.triesLeft === undefined ? {} : { tries_left: problem.triesLeft }),
    request_id: requestId,
  });
}
