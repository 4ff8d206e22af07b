/** Base class of all errors of this client. `message` has the template of the route, never an id, response text or the key. */
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

/** A copy, as callers may share it. Call it in the function that the caller awaits: timers and sockets lack that stack. */
export function withCallerStack(failure: unknown): unknown {
  if (!(failure instanceof HealthDataError)) return failure;
  const error = new Error();
  Object.setPrototypeOf(error, Object.getPrototypeOf(failure) as object);
  Object.defineProperties(error, Object.getOwnPropertyDescriptors(failure));
  // Captured only on failure, so that successful calls have no overhead. Not available in all engines.
  (Error as Partial<typeof Error>).captureStackTrace?.(error, withCallerStack);
  return error;
}
