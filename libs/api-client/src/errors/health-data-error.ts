/**
 * Base class of all errors of this client. `message` contains the template of the route, never an ID, the API key or
 * text of the response.
 */
export class HealthDataError extends Error {
  /** Method and path template, such as `GET /v2/user/resolve/{client_user_id}`; absent outside of a call. */
  readonly route: string | undefined;

  constructor(name: string, message: string, route?: string, cause?: unknown) {
    super(
      route === undefined ? message : `${route}: ${message}`,
      cause === undefined ? undefined : { cause },
    );
    // Set explicitly, since minifiers rename classes.
    defineHiddenProperty(this, 'name', name);
    this.route = route;
  }

  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, ...(this as object) };
  }
}

/** Sets a property that console.log, util.inspect and JSON.stringify omit. */
export function defineHiddenProperty(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, configurable: true, writable: true });
}

/**
 * Copies an error, which several callers may share, with the caller's stack. Call it in the function that the caller
 * awaits, since the stacks of timers and sockets don't include the caller.
 */
export function withCallerStack(failure: unknown): unknown {
  if (!(failure instanceof HealthDataError)) return failure;
  const error = new Error();
  Object.setPrototypeOf(error, Object.getPrototypeOf(failure) as object);
  Object.defineProperties(error, Object.getOwnPropertyDescriptors(failure));
  // Captured only on failure, so that successful calls have no overhead. Some engines don't support it.
  (Error as Partial<typeof Error>).captureStackTrace?.(error, withCallerStack);
  return error;
}
