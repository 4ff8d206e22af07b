/**
 * Base class of all errors of this client. `message` contains the template of the route, but never an id, text of a
 * response or the API key.
 */
export class HealthDataError extends Error {
  /** Such as `GET /v2/user/resolve/{client_user_id}`; absent outside of a call. */
  readonly route: string | undefined;

  constructor(name: string, message: string, route?: string, cause?: unknown) {
    super(
      route === undefined ? message : `${route}: ${message}`,
      cause === undefined ? undefined : { cause },
    );
    // Set explicitly: minifiers rename classes.
    hidden(this, 'name', name);
    this.route = route;
  }

  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

/** Sets a property that console.log, util.inspect and JSON.stringify omit. */
export function hidden(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}

/**
 * A copy of the error with the stack of the caller. Call it in the async function that the caller awaits: errors of
 * timers, sockets and shared requests do not have that stack. A copy, since several callers may share the error, and
 * platforms overwrite the stack of an abort reason.
 */
export function withCallerStack(failure: unknown): unknown {
  if (!(failure instanceof HealthDataError)) return failure;
  const error = new Error();
  Object.setPrototypeOf(error, Object.getPrototypeOf(failure) as object);
  Object.defineProperties(error, Object.getOwnPropertyDescriptors(failure));
  // Captured only on failure, so that successful calls have no overhead. Not available in all engines.
  (Error as Partial<typeof Error>).captureStackTrace?.(error, withCallerStack);
  return error;
}
