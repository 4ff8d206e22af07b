import { createHash, createPrivateKey, generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

/** The members are in the order that RFC 7638 requires. */
interface PublicJwk {
  readonly crv: string;
  readonly kty: string;
  readonly x: string;
  readonly y?: string;
}

/** The key pair with which the desk signs its requests. The private key is exported only to be encrypted. */
export class DeskKey {
  /** The JWK thumbprint of RFC 7638: SHA-256, encoded as base64url. */
  readonly thumbprint: string;
  readonly #private: KeyObject;
  readonly #jwk: PublicJwk;

  /** Throws unless the key is a private Ed25519 or P-256 key. */
  constructor(jwk: JsonWebKey) {
    const { crv, kty, x, y } = jwk;
    const isSupported = (kty === 'OKP' && crv === 'Ed25519') || (kty === 'EC' && crv === 'P-256');
    if (!isSupported || x === undefined) throw new TypeError('Not a key of a desk.');
    this.#private = createPrivateKey({ key: jwk, format: 'jwk' });
    this.#jwk = { crv, kty, x, ...(y !== undefined && { y }) };
    this.thumbprint = sha256(JSON.stringify(this.#jwk));
  }

  /** Prefers Ed25519, which is cheapest to verify. Without it, P-256 is used. */
  static generate(): DeskKey {
    let pair: { readonly privateKey: KeyObject };
    try {
      pair = generateKeyPairSync('ed25519');
    } catch {
      pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    }
    return new DeskKey(pair.privateKey.export({ format: 'jwk' }));
  }

  /** Creates a DPoP proof (RFC 9449) for one request. With a session token, the proof is bound to it. */
  createProof(method: string, url: string, token?: string): string {
    const { origin, pathname } = new URL(url);
    const isEdwards = this.#jwk.kty === 'OKP';
    const header = { typ: 'dpop+jwt', alg: isEdwards ? 'EdDSA' : 'ES256', jwk: this.#jwk };
    const claims = {
      htm: method,
      htu: origin + pathname,
      iat: Math.floor(Date.now() / 1000),
      jti: randomUUID(),
      ...(token !== undefined && { ath: sha256(token) }),
    };
    const signingInput = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = isEdwards
      ? sign(null, Buffer.from(signingInput), this.#private)
      : sign('sha256', Buffer.from(signingInput), {
          key: this.#private,
          dsaEncoding: 'ieee-p1363',
        });
    return `${signingInput}.${signature.toString('base64url')}`;
  }

  /** Computes the nonce of an ID token that only this desk can use. */
  computeNonce(random: string): string {
    return sha256(`${this.thumbprint}.${random}`);
  }

  exportJwk(): JsonWebKey {
    return this.#private.export({ format: 'jwk' });
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
