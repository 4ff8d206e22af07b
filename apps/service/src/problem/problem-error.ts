import type { ProblemDetails, SignInRefusal } from '@caregate/domain';
import { operationOutcome } from '@caregate/fhir';
import { PROBLEMS, type ProblemType } from './problems.ts';
import type { Disclosure } from '../http/disclosure.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serializeProblemDetails } from '@caregate/domain/serialize';

export interface FieldError {
  readonly parameter: string;
  readonly reason: string;
}

/** The limits of `auth/request-limits.ts`; each has a row in docs/limits.md. */
export type LimitName = 'rate_per_key' | 'concurrency_per_key' | 'rate_per_address';

export interface Problem {
  readonly type: ProblemType;
  /** Never contains ids, URLs or other data of the request. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly reason?: SignInRefusal;
  readonly orderStatus?: string | undefined;
  readonly triesLeft?: number;
  /** Whose data the problem document tells something of. */
  readonly disclosure?: Disclosure;
  readonly limit?: LimitName;
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
      'content-type': problemMediaType(reply.request),
    })
    .send(problemText(error.problem, requestId, reply.request));
}

const sent = new WeakMap<FastifyReply, ProblemType>();

/** For a response that becomes a problem without {@link sendProblem}. */
export function noteProblem(reply: FastifyReply, type: ProblemType): void {
  sent.set(reply, type);
}

export function problemOf(reply: FastifyReply): ProblemType | undefined {
  return sent.get(reply);
}

const FHIR = /^\/fhir\/r4(?:[/?]|$)/u;

/** FHIR has its own errors and credentials. Other spellings of the path are not FHIR. */
export function isFhir(target: string | undefined): boolean {
  return target !== undefined && FHIR.test(target);
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';
export const FHIR_MEDIA_TYPE = 'application/fhir+json; charset=utf-8';

/** Sends an OperationOutcome for FHIR requests. */
export function problemMediaType(request: FastifyRequest): string {
  return isFhir(request.raw.url) ? FHIR_MEDIA_TYPE : PROBLEM_MEDIA_TYPE;
}

/** RFC 9457. `type` is a relative reference that the service answers (`problem-pages.ts`). */
export function problemText(problem: Problem, requestId: string, request?: FastifyRequest): string {
  const details = problemDetails(problem, requestId);
  return isFhir(request?.raw.url)
    ? JSON.stringify(operationOutcome(details))
    : serializeProblemDetails(details);
}

function problemDetails(problem: Problem, requestId: string): ProblemDetails {
  const { status, title, detail } = PROBLEMS[problem.type];
  return {
    type: `/problems/${problem.type}`,
    title,
    status,
    detail: problem.detail ?? detail,
    ...(problem.errors === undefined ? {} : { errors: [...problem.errors] }),
    ...(problem.reason === undefined ? {} : { reason: problem.reason }),
    ...(problem.orderStatus === undefined ? {} : { order_status: problem.orderStatus }),
    ...(problem.triesLeft === undefined ? {} : { tries_left: problem.triesLeft }),
    ...(problem.limit === undefined ? {} : { limit: problem.limit }),
    request_id: requestId,
  };
}
