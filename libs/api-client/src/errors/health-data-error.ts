/**
 * What every failure of this client is. `message` names the route by its template and never holds an id, an answer's
 * text or the API key.
 */
export class HealthDataError extends Error {
  /** Such as `GET /v2/user/resolve/{client_user_id}`; absent when no call was at hand. */
  readonly route: string | undefined;

  constructor(name: string, message: string, route?: string, cause?: unknown) {
    super(
      route === undefined ? message : `${route}: ${message}`,
      cause === undefined ? undefined : { cause },
    );
    // By hand and not from the class: minifiers rename classes.
    hidden(this, 'name', name);
    this.route = route;
  }

  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...Object.fromEntries(Object.entries(this)) };
  }
}

/** Sets a property that console.log, util.inspect and JSON.stringify leave out. */
export function hidden(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}

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
