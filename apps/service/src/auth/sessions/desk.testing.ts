import { generateKeyPairSync, hash, randomUUID, sign, type KeyObject } from 'node:crypto';

export interface ProofChanges {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly sign?: (text: string) => Buffer;
}

/** Acts as the desktop: has a key pair and creates proofs with it. */
export class TestDesk {
  readonly jwk: Readonly<Record<string, unknown>>;
  readonly thumbprint: string;
  readonly #privateKey: KeyObject;
  readonly #isEd25519: boolean;
  readonly now: () => number;

  constructor(
    options: { readonly algorithm?: 'EdDSA' | 'ES256'; readonly now?: () => number } = {},
  ) {
    this.#isEd25519 = (options.algorithm ?? 'EdDSA') === 'EdDSA';
    const { publicKey, privateKey } = this.#isEd25519
      ? generateKeyPairSync('ed25519')
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { crv, kty, x, y } = publicKey.export({ format: 'jwk' });
    this.jwk = y === undefined ? { crv, kty, x } : { crv, kty, x, y };
    this.thumbprint = hash('sha256', JSON.stringify(this.jwk), 'base64url');
    this.#privateKey = privateKey;
    this.now = options.now ?? Date.now;
  }

  proof(
    method: string,
    url: string,
    { token, ...changes }: ProofChanges & { readonly token?: string | undefined } = {},
  ): string {
    const alg = this.#isEd25519 ? 'EdDSA' : 'ES256';
    const header = { typ: 'dpop+jwt', alg, jwk: this.jwk, ...changes.header };
    const claims = {
      htm: method,
      htu: url.split('?')[0],
      iat: Math.floor(this.now() / 1000),
      jti: randomUUID(),
      ...(token === undefined ? {} : { ath: hash('sha256', token, 'base64url') }),
      ...changes.claims,
    };
    const text = `${encoded(header)}.${encoded(claims)}`;
    const signature = changes.sign?.(text) ?? this.#sign(text);
    return `${text}.${signature.toString('base64url')}`;
  }

  nonce(): { readonly random: string; readonly nonce: string } {
    const random = randomUUID();
    return { random, nonce: hash('sha256', `${this.thumbprint}.${random}`, 'base64url') };
  }

  #sign(text: string): Buffer {
    return this.#isEd25519
      ? sign(null, Buffer.from(text), this.#privateKey)
      : sign('sha256', Buffer.from(text), { key: this.#privateKey, dsaEncoding: 'ieee-p1363' });
  }
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
