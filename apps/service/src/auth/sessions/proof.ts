import {
  calculateJwkThumbprint,
  decodeProtectedHeader,
  EmbeddedJWK,
  errors,
  jwtVerify,
} from 'jose';
import type { JWTPayload } from 'jose';
import { hash } from 'node:crypto';
import { formatHost, isLoopback } from '../../config/parsers.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { buildChallenge, PROOF_ALGORITHMS } from './session-problems.ts';

const SKEW_MS = 60_000;
const MAX_JTI_LENGTH = 128;

const SENTENCES = {
  form: 'The header DPoP must be sent once, with a proof as RFC 9449 describes it, signed with EdDSA (Ed25519) or ES256.',
  key: 'The proof is signed with another key than that of the desk.',
  signature: 'The signature of the proof does not match its key.',
  method: 'The proof is for another method than that of this request.',
  address:
    "The proof is for another address than this service's: its htu must be CAREGATE_PUBLIC_URL and the path.",
  clock:
    'The clock of the desk differs from that of this service by more than a minute. Set it right.',
  session: 'The proof is for another session, or for another key of the desk.',
  replay: 'This proof was used before. Each request needs a new one.',
} as const;

export class ProofError extends ProblemError {
  /** Why a proof was refused. `full` means that there are too many proofs to remember. */
  readonly fault: keyof typeof SENTENCES | 'full';

  constructor(fault: ProofError['fault']) {
    super(
      fault === 'full'
        ? { type: 'too-many-requests', headers: { 'retry-after': '60' } }
        : {
            type: 'invalid-proof',
            detail: SENTENCES[fault],
            headers: buildChallenge('invalid_dpop_proof'),
          },
    );
    this.fault = fault;
  }
}

export interface ProvedRequest {
  readonly method: string;
  /** Path of the request as it was sent, without the query. */
  readonly path: string;
  /** The token whose hash must be in `ath`; undefined before there is a session. */
  readonly token?: string | undefined;
  /** Thumbprints of the keys that may sign; undefined allows any key. */
  readonly keys?: readonly string[] | undefined;
}

export interface Proof {
  /** Thumbprint of the signing key (RFC 7638, base64url of SHA-256). */
  readonly thumbprint: string;
  readonly jti: string;
}

/** Verifies proofs of a desk's key (DPoP, RFC 9449, 4.3). */
export class Proofs {
  readonly #used = new UsedProofs();

  constructor(
    private readonly now: () => number,
    private readonly publicUrl: () => string,
  ) {}

  /** Verifies a proof, but doesn't mark it as used; see {@link use}. @throws ProofError */
  async check(proof: string | undefined, requested: ProvedRequest): Promise<Proof> {
    const thumbprint = await readThumbprint(proof);
    if (proof === undefined || thumbprint === undefined) {
      throw new ProofError('form');
    }
    // Check this first, since it doesn't need to verify a signature.
    if (requested.keys?.includes(thumbprint) === false) {
      throw new ProofError('key');
    }
    const { jti, htm, htu, iat, ath } = await verifySignature(proof);
    const hasForm = typeof jti === 'string' && jti !== '' && jti.length <= MAX_JTI_LENGTH;
    if (!hasForm || typeof iat !== 'number') {
      throw new ProofError('form');
    }
    if (htm !== requested.method) {
      throw new ProofError('method');
    }
    if (typeof htu !== 'string' || !isSameAddress(htu, this.publicUrl() + requested.path)) {
      throw new ProofError('address');
    }
    if (!(Math.abs(this.now() - iat * 1000) <= SKEW_MS)) {
      throw new ProofError('clock');
    }
    if (requested.token !== undefined && ath !== hash('sha256', requested.token, 'base64url')) {
      throw new ProofError('session');
    }
    return { thumbprint, jti };
  }

  /**
   * Marks a proof as used. Call it for enrolled desks only, since others could fill the memory with proofs of
   * invented keys. @throws ProofError `replay`, `full`
   */
  use({ thumbprint, jti }: Proof): void {
    const fault = this.#used.add(`${thumbprint}.${jti}`);
    if (fault !== undefined) {
      throw new ProofError(fault);
    }
  }
}

async function readThumbprint(proof = ''): Promise<string | undefined> {
  try {
    const { jwk } = decodeProtectedHeader(proof);
    return jwk && (await calculateJwkThumbprint(jwk, 'sha256'));
  } catch {
    return undefined;
  }
}

/** Verifies the signature with the public key in the header. @throws ProofError */
async function verifySignature(proof: string): Promise<JWTPayload> {
  try {
    const accepted = { typ: 'dpop+jwt', algorithms: PROOF_ALGORITHMS };
    return (await jwtVerify(proof, EmbeddedJWK, accepted)).payload;
  } catch (error) {
    throw new ProofError(
      error instanceof errors.JWSSignatureVerificationFailed ? 'signature' : 'form',
    );
  }
}

/**
 * Compares two URLs after normalization by RFC 3986, 6.2.2 and 6.2.3, without query and fragment. All names of
 * loopback are equal.
 */
function isSameAddress(htu: string, expected: string): boolean {
  return htu === expected || (normalizeUrl(htu) ?? '') === normalizeUrl(expected);
}

function normalizeUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) {
    return undefined;
  }
  const host = isLoopback(formatHost(url)) ? 'localhost' : url.hostname;
  return `${url.protocol}//${host}:${url.port}${url.pathname}`;
}

/** A proof may be dated up to a minute ahead and is valid for a minute, so this is two minutes with a margin. */
const REMEMBERED_MS = 121_000;
const MAX_REMEMBERED = 200_000;

/** Remembers proofs for two minutes. If it is full, it refuses new ones instead of forgetting. */
export class UsedProofs {
  /** The time when each proof may be forgotten, oldest first. */
  readonly #names = new Map<string, number>();

  constructor(
    private readonly now: () => number = () => performance.now(),
    private readonly max = MAX_REMEMBERED,
  ) {}

  /** @returns why it was not added, or undefined */
  add(name: string): 'replay' | 'full' | undefined {
    const now = this.now();
    for (const [oldest, until] of this.#names) {
      if (until > now) {
        break;
      }
      this.#names.delete(oldest);
    }
    if (this.#names.has(name)) {
      return 'replay';
    }
    if (this.#names.size >= this.max) {
      return 'full';
    }
    this.#names.set(name, now + REMEMBERED_MS);
    return undefined;
  }
}
