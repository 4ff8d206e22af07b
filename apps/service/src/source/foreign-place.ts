import { invalidParameters, type ProblemError } from '../problem/problem-error.ts';

/** A cursor of ours whose place means nothing to the source that is asked: the team's data is read elsewhere now. */
export function foreignPlace(): ProblemError {
  return invalidParameters({
    parameter: 'next_cursor',
    reason: 'is no longer good; begin again without it',
  });
}
