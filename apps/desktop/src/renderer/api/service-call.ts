import type { ReadAnswer, ReadParams, ReadName } from '../../shared/channels.ts';
import type { Outcome, Problem } from '../../shared/problem.ts';

export class ServiceProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.kind);
    this.name = 'ServiceProblem';
    this.problem = problem;
  }
}

/** Returns the problem of an error. Any other error counts as `serverBroken`. */
export function toProblem(error: unknown): Problem {
  return error instanceof ServiceProblem ? error.problem : { kind: 'serverBroken' };
}

export async function unwrap<T>(answer: Promise<Outcome<T>>): Promise<T> {
  const outcome = await answer;
  if (!outcome.ok) throw new ServiceProblem(outcome.problem);
  return outcome.value;
}

/** Reads from the service through main. Aborting the signal cancels the request. Throws {@link ServiceProblem}. */
export async function callService<R extends ReadName>(
  operation: R,
  params: ReadParams<R>,
  signal?: AbortSignal,
): Promise<ReadAnswer<R>> {
  const call = crypto.randomUUID();
  const cancel = (): void => void window.caregate.cancel({ call });
  if (signal?.aborted === true) throw new ServiceProblem({ kind: 'cancelled' });
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await unwrap(window.caregate.read({ operation, call, params }));
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
