import type { ProblemDetails, SignInRefusal } from '@caregate/domain';
import { buildOperationOutcome } from '@caregate/fhir';
import { SourceError } from '@caregate/data-store';
import { classifyDatabaseError, isBusy, isUnanswered } from '@caregate/data-store/database';
import { PROBLEMS, getProblemType, type ProblemType } from './problems.ts';
import type { Disclosure } from '../common/answer.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serializeProblemDetails } from '@caregate/domain/serialize';

export interface FieldError {
  readonly parameter: string;
  readonly reason: string;
}

/** The limits of `auth/request-limits.ts`. docs/configuration.md lists them. */
export type LimitName = 'rate_per_key' | 'concurrency_per_key' | 'rate_per_address';

export interface Problem {
  readonly type: ProblemType;
  /** Explains this problem. Never contains IDs, URLs or other data of the request. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly reason?: SignInRefusal;
  readonly orderStatus?: string | undefined;
  readonly triesLeft?: number;
  /** The patients about whom the problem document reveals something. */
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

export function createInvalidParameterError(...errors: FieldError[]): ProblemError {
  return new ProblemError({ type: 'invalid-parameter', errors });
}

/** Has the same text for a missing record, a record of another team, and an invalid ID. */
export function createNotFoundError(): ProblemError {
  const detail = 'No such record exists in the data of this team.';
  return new ProblemError({ type: 'not-found', detail });
}

export function requireFound<T>(value: T | undefined): T {
  if (value === undefined) {
    throw createNotFoundError();
  }
  return value;
}

/** Also sets the headers that all responses have, since no hook runs for a URL that the router can't parse. */
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
      'content-type': getProblemMediaType(reply.request),
    })
    .send(formatProblem(error.problem, requestId, reply.request));
}

declare module 'fastify' {
  interface FastifyRequest {
    problem?: ProblemType;
  }
}

/** Stores the type of a problem response that was not sent by {@link sendProblem}. */
export function noteProblem(reply: FastifyReply, type: ProblemType): void {
  reply.request.problem = type;
}

const FHIR = /^\/fhir\/r4(?:[/?]|$)/u;

/** FHIR has its own format of errors and credentials. Other spellings of the path don't count as FHIR. */
export function isFhir(target: string | undefined): boolean {
  return target !== undefined && FHIR.test(target);
}

export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';
export const FHIR_MEDIA_TYPE = 'application/fhir+json; charset=utf-8';

export function getProblemMediaType(request: FastifyRequest): string {
  return isFhir(request.raw.url) ? FHIR_MEDIA_TYPE : PROBLEM_MEDIA_TYPE;
}

/** Formats a problem document (RFC 9457). `type` is a relative URL of a page about it (`renderProblemPage`). */
export function formatProblem(
  problem: Problem,
  requestId: string,
  request?: FastifyRequest,
): string {
  const details = buildProblemDetails(problem, requestId);
  return isFhir(request?.raw.url)
    ? JSON.stringify(buildOperationOutcome(details))
    : serializeProblemDetails(details);
}

function buildProblemDetails(problem: Problem, requestId: string): ProblemDetails {
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

/** Only a {@link ProblemError} has a specific detail, since messages of other errors may contain request data. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) {
    return error;
  }
  if (error instanceof SourceError) {
    return convertSourceError(error);
  }
  if (isUnanswered(error) || isBusy(error)) {
    return new ProblemError(
      { type: 'unavailable', headers: { 'retry-after': '1' } },
      { cause: error },
    );
  }
  const status = readStatus(error);
  const type = status === undefined ? 'internal' : getProblemType(status);
  return new ProblemError({ type }, { cause: error });
}

function convertSourceError(error: SourceError): ProblemError {
  const { kind, detail, retryAfterSeconds } = error;
  if (kind === 'stale-cursor') {
    const reason = 'is no longer valid; start again without it';
    return createInvalidParameterError({ parameter: 'next_cursor', reason });
  }
  return new ProblemError(
    {
      type: kind,
      ...(detail !== undefined && { detail }),
      ...(retryAfterSeconds !== undefined && {
        headers: { 'retry-after': String(retryAfterSeconds) },
      }),
    },
    { cause: error.cause },
  );
}

function readStatus(error: unknown): number | undefined {
  if (typeof error !== 'object' || error === null) {
    return undefined;
  }
  if ('getStatus' in error && typeof error.getStatus === 'function') {
    const status: unknown = (error as { getStatus: () => unknown }).getStatus();
    return typeof status === 'number' ? status : undefined;
  }
  return 'statusCode' in error && typeof error.statusCode === 'number'
    ? error.statusCode
    : undefined;
}

/** Describes an error for the log without its message, which may contain data. */
export function describeErrorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return { name: typeof error };
  }
  const code: unknown = 'code' in error ? error.code : undefined;
  const kind = classifyDatabaseError(error);
  return {
    name: error.name,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(kind === undefined ? {} : { class: kind }),
    at: (error.stack ?? '').split('\n').filter((line) => /^ {4}at /.test(line)),
    ...(error.cause === undefined ? {} : { cause: describeErrorForLog(error.cause) }),
  };
}
