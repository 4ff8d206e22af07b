import type { IncomingMessage } from 'node:http';
import { headerValues } from '../../http/raw-request.ts';
import { checksumOf, hashOf, randomBase62 } from '../keys/key-format.ts';

/** `cg_sess_<id, 12>_<secret, 43><CRC-32, 6>`, in base 62 as keys are. */
const exactly = /^cg_sess_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})([0-9A-Za-z]{6})$/u;
const checksumLength = 6;

/** `token` is its only copy. */
export interface NewToken {
  readonly token: string;
  readonly tokenId: string;
  readonly secretHash: Buffer;
}

export interface PresentedToken {
  readonly token: string;
  readonly tokenId: string;
  readonly secretHash: Buffer;
}

export function newToken(): NewToken {
  const [tokenId, secret] = [randomBase62(12), randomBase62(43)];
  const body = `cg_sess_${tokenId}_${secret}`;
  return { token: body + checksumOf(body), tokenId, secretHash: hashOf(secret) };
}

export function readToken(token: string): PresentedToken | undefined {
  const match = exactly.exec(token);
  if (match === null) {
    return undefined;
  }
  const [tokenId, secret, checksum] = match.slice(1) as [string, string, string];
  return checksum === checksumOf(token.slice(0, -checksumLength))
    ? { token, tokenId, secretHash: hashOf(secret) }
    : undefined;
}

export interface PresentedSession {
  /** Undefined: malformed. */
  readonly token: PresentedToken | undefined;
  readonly proof: string | undefined;
}

const scheme = /^dpop +/iu;

/** An `authorization` of another scheme is a proxy's. */
export function sessionOfRequest({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): PresentedSession | 'missing' | 'repeated' {
  if (headers.authorization === undefined) {
    return 'missing';
  }
  const authorizations = headerValues(rawHeaders, 'authorization');
  const proofs = headerValues(rawHeaders, 'dpop');
  const [authorization = ''] = authorizations;
  if (!authorizations.some((value) => scheme.test(value))) {
    return 'missing';
  }
  if (authorizations.length > 1 || proofs.length > 1) {
    return 'repeated';
  }
  return { token: readToken(authorization.replace(scheme, '')), proof: proofs[0] };
}

export function proofOfRequest(rawHeaders: readonly string[]): string | undefined {
  const [proof, another] = headerValues(rawHeaders, 'dpop');
  return another === undefined ? proof : undefined;
}
