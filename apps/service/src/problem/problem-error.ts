import { PROBLEMS, type ProblemType } from './problems.ts';

/** What is wrong with one parameter; `reason` never repeats what was sent. */
export interface FieldError {
  readonly parameter: string;
  readonly reason: string;
}

export interface Problem {
  readonly type: ProblemType;
  /** Said to whoever called; never holds an id, a URL or anything else of the request or of the data. */
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  /** Sent beside the service's own headers, e.g. `allow` or `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown anywhere while a request is handled, it becomes the answer. */
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

/** One parameter, or several, that cannot be used: 422. */
export function invalidParameters(...errors: FieldError[]): ProblemError {
  return new ProblemError({ type: 'invalid-parameter', errors });
}

/** One wording for what is absent, another team's, or no id at all: 404. */
export function notFound(): ProblemError {
  const detail = 'There is no such record in the data of this team.';
  return new ProblemError({ type: 'not-found', detail });
}

/** @throws ProblemError 404 where nothing was found */
export function orNotFound<T>(value: T | undefined): T {
  if (value === undefined) {
    throw notFound();
  }
  return value;
}
