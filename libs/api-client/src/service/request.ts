import type { ApiPromise } from '../api-promise.ts';
import type { CallOptions, Connection } from '../call.ts';
import type { ShapeCheck } from '../shape.ts';
import type { HttpMethod } from '../transport/transport.ts';

export interface ServiceRequest {
  readonly method: HttpMethod;
  /**
   * Path below `baseUrl`, with IDs as `{name}` (`/v2/user/{user_id}/devices`). Errors and hooks show it in this form.
   */
  readonly path: string;
  readonly ids?: Readonly<Record<string, string>> | undefined;
  /** Query parameters. Names in camel case become snake case; each item of an array is sent as a repeated parameter. */
  readonly query?: object | undefined;
  /** Request body, sent as JSON. */
  readonly body?: object | undefined;
  /**
   * Returns what is wrong with the parsed body, without quoting it, or undefined to accept it. By default, any body
   * is accepted.
   */
  readonly check?: ShapeCheck | undefined;
  /**
   * A media type such as `text/csv`, to get the response as text. By default, the response is JSON, or undefined for
   * status 204.
   */
  readonly accept?: string | undefined;
}

/**
 * Sends a request to any path of the service, with the deadline, errors and hooks of all calls. Only GET is retried.
 * Rejects with subclasses of HealthDataError. `check` must ensure that the body is a `T`.
 *
 * @example
 * const answer = await request(connection, {
 * method: 'GET',
 * path: '/v2/user/{user_id}/devices',
 * ids: { user_id: userId },
 * });
 */
export function request<T = unknown>(
  connection: Connection,
  { method, path, accept, check = () => undefined, ...parts }: ServiceRequest,
  options?: CallOptions,
): ApiPromise<T> {
  const expected =
    accept === undefined
      ? ({ form: 'any', fault: check } as const)
      : ({ form: 'text', accept } as const);
  return connection<T>({ name: 'request', method, path }, expected, () => parts, options);
}
