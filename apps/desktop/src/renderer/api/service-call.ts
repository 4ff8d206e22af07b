import type { OperationName } from '@caregate/domain/operations';
import type { AuditChannel, RequestOf, ResponseOf } from '../../shared/channels.ts';
import type { Outcome, Problem } from '../../shared/problem.ts';

export class ServiceProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.kind);
    this.name = 'ServiceProblem';
    this.problem = problem;
  }
}

/** The problem of an error; any other error counts as `serverBroken`. */
export function problemOf(error: unknown): Problem {
  return error instanceof ServiceProblem ? error.problem : { kind: 'serverBroken' };
}

export async function unwrap<T>(answer: Promise<Outcome<T>>): Promise<T> {
  const outcome = await answer;
  if (!outcome.ok) throw new ServiceProblem(outcome.problem);
  return outcome.value;
}

/** Calls the service through main; aborting the signal cancels the request. Throws {@link ServiceProblem}. */
export async function callService<C extends AuditChannel | OperationName>(
  channel: C,
  request: Omit<RequestOf<C>, 'call'>,
  signal?: AbortSignal,
): Promise<ResponseOf<C>> {
  const call = crypto.randomUUID();
  const cancel = (): void => void window.caregate.cancel({ call });
  if (signal?.aborted === true) throw new ServiceProblem({ kind: 'cancelled' });
  signal?.addEventListener('abort', cancel, { once: true });
  const send = window.caregate[channel] as (request: unknown) => Promise<Outcome<ResponseOf<C>>>;
  try {
    return await unwrap(send({ ...request, call }));
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}
