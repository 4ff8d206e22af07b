import { HealthDataError } from './health-data-error.ts';

/**
 * The failure as an error of this call alone, with the stack of whoever awaits it: to be called in the async function
 * that such callers await, since what fails in a timer, a socket or a shared request knows nothing of them. A copy:
 * callers may share the failure, and platforms that had it as the reason of an abort write stacks of theirs into it.
 */
export function ownError(failure: unknown): unknown {
  if (!(failure instanceof HealthDataError)) return failure;
  const error = new Error();
  Object.setPrototypeOf(error, Object.getPrototypeOf(failure) as object);
  Object.defineProperties(error, Object.getOwnPropertyDescriptors(failure));
  // Only now, so that calls that succeed pay nothing. Some engines have no such function.
  (Error as Partial<typeof Error>).captureStackTrace?.(error, ownError);
  return error;
}
