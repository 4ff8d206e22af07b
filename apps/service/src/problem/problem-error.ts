import type { SignInRefusal } from '@caregate/domain';
import { PROBLEMS, type ProblemType } from './problems.ts';

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
  /** Such as `allow` or `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Becomes the response. */
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

/** @throws ProblemError 404 if nothing was found */
export function orNotFound<T>(value: T | undefined): T {
  if (value === undefined) {
    throw notFound();
  }
  return value;
}
