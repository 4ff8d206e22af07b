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
