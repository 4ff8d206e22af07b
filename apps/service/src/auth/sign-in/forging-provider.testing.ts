import { afterAll } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TokenChanges {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  /** Time of issue in seconds from now. */
  readonly issued?: number;
  readonly expires?: number;
}

const KID = 'key 1';

/** An identity provider that signs tokens which no real provider would. */
export class ForgingProvider {
  readonly clientId = 'caregate-desktop';
  readonly #server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify(
        request.url === '/jwks'
          ? { keys: [this.publicJwk] }
          : { issuer: this.nameOfItself ?? this.issuer, jwks_uri: `${this.issuer}/jwks` },
      ),
    );
  });
  /** Replaces the issuer in its configuration. */
  nameOfItself: string | undefined;
  publicJwk: Readonly<Record<string, unknown>> = {};
  #privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey'] | undefined;

  /** Starts a provider for all tests of a spec file. */
  static async forSpec(): Promise<ForgingProvider> {
    const provider = await ForgingProvider.start();
    afterAll(() => provider.stop());
    return provider;
  }

  static async start(): Promise<ForgingProvider> {
    const provider = new ForgingProvider();
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    provider.publicJwk = { ...(await exportJWK(publicKey)), kid: KID, alg: 'ES256' };
    provider.#privateKey = privateKey;
    await new Promise<void>((resolve) => {
      provider.#server.listen(0, '127.0.0.1', resolve);
    });
    return provider;
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

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
      .setProtectedHeader({ alg: 'ES256', kid: KID, typ: 'JWT', ...header })
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
