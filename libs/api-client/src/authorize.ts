import type { HttpMethod } from './transport/transport.ts';

export interface RequestToAuthorize {
  readonly method: HttpMethod;
  /** Absolute URL with the query, as it will be sent. It contains IDs, so don't log it. */
  readonly url: string;
}

/**
 * Returns the headers that authorize one request, such as a session token and its proof (RFC 9449). Values must not
 * be empty or end with a space. Called for each request, including retries, so that no proof is sent twice. If it
 * throws, nothing is sent and the call rejects with that error.
 *
 * @example
 * const authorize: Authorize = async ({ method, url }) => ({
 * authorization: `DPoP ${session}`,
 * dpop: await signProof(method, url),
 * });
 */
export type Authorize = (
  request: RequestToAuthorize,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
