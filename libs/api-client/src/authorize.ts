import type { HttpMethod } from './transport/transport.ts';

export interface RequestToAuthorize {
  readonly method: HttpMethod;
  /** Absolute URL with its query, as it will be sent. Contains ids: do not log it. */
  readonly url: string;
}

/**
 * Headers that authorise one request, none empty or ending in a space: a session token and its proof (RFC 9449). Called for
 * each request, retries included, so that no proof is sent twice. What it throws rejects the call; nothing is sent.
 *
 * @example
 * const authorize: Authorize = async ({ method, url }) => ({
 *   authorization: `DPoP ${session}`,
 *   dpop: await signProof(method, url),
 * });
 */
export type Authorize = (
  request: RequestToAuthorize,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
