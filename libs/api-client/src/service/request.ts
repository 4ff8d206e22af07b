import type { ApiPromise } from '../api-promise.ts';
import type { CallOptions, Connection } from '../call.ts';
import type { Fault } from '../shape.ts';
import type { HttpMethod } from '../transport/transport.ts';

export interface ServiceRequest {
  readonly method: HttpMethod;
  /** Below `baseUrl`, with ids as `{name}` (`/v2/user/{user_id}/devices`): errors and hooks show it as it stands here. */
  readonly path: string;
  readonly ids?: Readonly<Record<string, string>> | undefined;
  /** Names in camel case become those of the service; each value of a list stands under the same name. */
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  /** What is wrong with the parsed body, without quoting it; undefined accepts it, which is the default. */
  readonly check?: Fault | undefined;
  /** A media type, such as `text/csv`: the answer is its text. Default: JSON, or undefined where the status is 204. */
  readonly accept?: string | undefined;
}

/**
 * Asks any address of the service, with the deadline, errors and hooks of all calls; only GET is retried. Rejects with
 * subclasses of HealthDataError. `T` is what `check` has made sure of.
 *
 * @example
 * const answer = await request(connection, {
 *   method: 'GET',
 *   path: '/v2/user/{user_id}/devices',
 *   ids: { user_id: userId },
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
