import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a token of a {@link ForgingProvider} says otherwise. */
export interface TokenChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Seconds from now. */
  readonly issued?: number;
  readonly expires?: number;
}

/** A provider whose tokens say whatever a spec wants, with right signatures; what real ones never do. */
export class ForgingProvider {
  readonly clientId = 'caregate-desktop';
  readonly #server = createServer((request, response) => {
    this.asked += 1;
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        request.url === '/jwks'
          ? { keys: [this.publicJwk] }
          : { issuer: this.issuer, jwks_uri: `${this.issuer}/jwks` },
      ),
    );
  });
  /** Requests so far. */
  asked = 0;
  publicJwk: Readonly<Record<string, unknown>> = {};
  #kid = 0;
  #privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'] | undefined;

  static async start(): Promise<ForgingProvider> {
    const provider = new ForgingProvider();
    await provider.rotate();
    await new Promise<void>((resolve) => {
      provider.#server.listen(0, '127.0.0.1', resolve);
    });
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Another key from now on. */
  async rotate(): Promise<void> {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    this.#kid += 1;
    this.publicJwk = { ...(await exportJWK(publicKey)), kid: `key ${this.#kid}`, alg: 'ES256' };
    this.#privateKey = privateKey;
  }

  /** An ID token of this person and nonce, changed. */
  async token(
    subject: string,
    nonce: string,
    { claims = {}, header = {}, issued = 0, expires = 300 }: TokenChanges = {},
  ): Promise<string> {
    const now = Math.floor(Date.now() / 1000);
    const payload = this.claims(subject, nonce, { claims, issued, expires }, now);
    if (this.#privateKey === undefined) {
      throw new Error('The provider was not started');
    }
    return await new SignJWT(payload)
      .setProtectedHeader({ alg: 'ES256', kid: `key ${this.#kid}`, typ: 'JWT', ...header })
      .sign(this.#privateKey);
  }

  claims(
    subject: string,
    nonce: string,
    { claims = {}, issued = 0, expires = 300 }: TokenChanges = {},
    now = Math.floor(Date.now() / 1000),
  ): JWTPayload {
    const times = { iat: now + issued, exp: now + expires, auth_time: now + issued };
    return { iss: this.issuer, aud: this.clientId, sub: subject, nonce, ...times, ...claims };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
