import { hash, verify } from 'node:crypto';
import { hostOf, isLoopback } from '../../config/parsers.ts';
import { jsonOf, proofKeyOf, type ProofKey } from './proof-key.ts';

const PROOF_SKEW_MS = 60_000;
const MOST_JTI = 128;

/** `full`: too many proofs to remember. */
type Fault =
  | 'form'
  | 'key'
  | 'signature'
  | 'method'
  | 'address'
  | 'clock'
  | 'session'
  | 'replay'
  | 'full';

const sentences: Readonly<Record<Fault, string>> = {
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
  full: 'Too many proofs were used within a minute.',
};

export class ProofError extends Error {
  override readonly name = 'ProofError';
  readonly fault: Fault;

  constructor(fault: Fault) {
    super(sentences[fault]);
    this.fault = fault;
  }
}

export interface ProvedRequest {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** What `ath` is the hash of; undefined before there is a session. */
  readonly token: string | undefined;
  /** Undefined: any key. */
  readonly keys: readonly string[] | undefined;
}

/** RFC 9449, 4.3: one signature check each, without waiting. */
export class Proofs {
  readonly #now: () => number;
  readonly #publicUrl: () => string;
  readonly #replays = new ReplayMemory();

  constructor(parts: { readonly now: () => number; readonly publicUrl: () => string }) {
    this.#now = parts.now;
    this.#publicUrl = parts.publicUrl;
  }

  /** @throws ProofError. Does not use the proof up: see {@link use}. */
  check(proof: string | undefined, requested: ProvedRequest): ProofKey & { readonly jti: string } {
    const [header = '', payload = '', signature = '', ...more] = proof?.split('.') ?? [];
    const key = more.length > 0 ? undefined : proofKeyOf(header);
    const claims = key === undefined ? undefined : jsonOf(payload);
    if (key === undefined || claims === undefined) {
      throw new ProofError('form');
    }
    const { jti, htm, htu, iat, ath } = claims;
    if (typeof jti !== 'string' || jti === '' || jti.length > MOST_JTI || typeof iat !== 'number') {
      throw new ProofError('form');
    }
    if (requested.keys?.includes(key.thumbprint) === false) {
      throw new ProofError('key');
    }
    if (!isSigned(key, `${header}.${payload}`, signature)) {
      throw new ProofError('signature');
    }
    if (htm !== requested.method) {
      throw new ProofError('method');
    }
    if (typeof htu !== 'string' || !isSameAddress(htu, this.#publicUrl() + requested.path)) {
      throw new ProofError('address');
    }
    if (!(Math.abs(this.#now() - iat * 1000) <= PROOF_SKEW_MS)) {
      throw new ProofError('clock');
    }
    if (requested.token !== undefined && ath !== hash('sha256', requested.token, 'base64url')) {
      throw new ProofError('session');
    }
    return { ...key, jti };
  }

  /** Only for enrolled desks: whoever makes up keys must not fill the memory. @throws ProofError `replay`, `full` */
  use({ thumbprint, jti }: { readonly thumbprint: string; readonly jti: string }): void {
    const state = this.#replays.use(`${thumbprint}.${jti}`);
    if (state !== 'new') {
      throw new ProofError(state === 'used' ? 'replay' : 'full');
    }
  }
}

function isSigned({ algorithm, publicKey }: ProofKey, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  if (bytes.length !== 64) {
    return false;
  }
  return algorithm === 'EdDSA'
    ? verify(null, Buffer.from(text), publicKey, bytes)
    : verify('sha256', Buffer.from(text), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes);
}

/** Normalized by RFC 3986, 6.2.2 and 6.2.3, without query and fragment; all names of loopback are the same. */
function isSameAddress(htu: string, expected: string): boolean {
  return htu === expected || (normalized(htu) ?? '') === normalized(expected);
}

function normalized(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null) {
    return undefined;
  }
  const host = isLoopback(hostOf(url)) ? 'localhost' : url.hostname;
  return `${url.protocol}//${host}:${url.port}${url.pathname}`;
}

/** A proof may be dated a minute ahead, and is valid for a minute. */
const KEPT_MS = 121_000;
const MOST = 200_000;

/** Remembers names for two to four minutes; refuses when full, rather than forget. */
export class ReplayMemory {
  readonly #now: () => number;
  readonly #most: number;
  #current = new Set<string>();
  #previous = new Set<string>();
  #sinceMs: number;

  constructor(now: () => number = () => performance.now(), most = MOST) {
    this.#now = now;
    this.#most = most;
    this.#sinceMs = now();
  }

  use(name: string): 'new' | 'used' | 'full' {
    this.#turn();
    if (this.#current.has(name) || this.#previous.has(name)) {
      return 'used';
    }
    if (this.#current.size + this.#previous.size >= this.#most) {
      return 'full';
    }
    this.#current.add(name);
    return 'new';
  }

  #turn(): void {
    const elapsed = this.#now() - this.#sinceMs;
    if (elapsed < KEPT_MS) {
      return;
    }
    this.#previous = elapsed < 2 * KEPT_MS ? this.#current : new Set();
    this.#current = new Set();
    this.#sinceMs = this.#now();
  }
}
