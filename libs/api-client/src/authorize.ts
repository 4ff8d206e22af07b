import type { HttpMethod } from './transport/transport.ts';

/** A request that is about to be sent. */
export interface RequestToAuthorize {
  readonly method: HttpMethod;
  /** Absolute URL with its query, as it will be sent. Contains ids: do not log it. */
  readonly url: string;
}

/**
 * Headers that authorise one request, none of them empty or ending in a space: a session token, and its proof of possession for this method and URL (DPoP, RFC
 * 9449). Called once for each request, retries included, so that a proof is never sent twice. What it
 * throws rejects the call as it is; nothing is sent.
 */
export type Authorize = (
  request: RequestToAuthorize,
) => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;
