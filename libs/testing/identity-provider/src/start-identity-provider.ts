import { hash, randomBytes, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CertificateAuthority } from '@caregate/certificates';
import type { Issued } from '@caregate/certificates';
import type { JWK } from 'oidc-provider';
import { makeMemory } from './memory.ts';
import { PEOPLE } from './people.ts';
import type { IdentityPerson } from './people.ts';
import { CLIENT_ID, makeProvider, makeSigningKey } from './provider.ts';
import { serveSignInPage } from './sign-in-page.ts';

export interface IdentityProviderOptions {
  /** Default: a free one. */
  readonly port?: number;
  /** Serves the browser pages over plain HTTP on loopback, since browsers do not trust the authority. */
  readonly plainPages?: boolean;
  /** Default: one of its own. */
  readonly authority?: CertificateAuthority;
}

export async function startIdentityProvider(
  options: IdentityProviderOptions = {},
): Promise<IdentityProvider> {
  const [authority, key] = await Promise.all([
    options.authority ?? CertificateAuthority.create('Caregate identity provider for tests'),
    makeSigningKey(),
  ]);
  const issued = await authority.issue({ names: ['localhost', '127.0.0.1'] });
  const provider = new IdentityProvider(authority.pem, issued, key, options);
  await provider.up();
  return provider;
}

/** A real OpenID provider on loopback, with three people and its own certificate authority. */
export class IdentityProvider {
  readonly clientId = CLIENT_ID;
  readonly people: readonly IdentityPerson[] = PEOPLE;
  /** PEM, also in `caFile` until `stop`. */
  readonly caCertificate: string;
  readonly caFile: string;
  /** `sha256/<base64>` of the server's certificate. */
  readonly fingerprint: string;
  readonly #folder = mkdtempSync(join(tmpdir(), 'caregate-identity-'));
  readonly #memory = makeMemory();
  readonly #cookieKey = randomBytes(32).toString('hex');
  readonly #issued: Issued;
  readonly #plainPages: boolean;
  #keys: readonly JWK[];
  #port: number;
  #pagesPort = 0;
  #servers: readonly Server[] = [];
  #handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;

  constructor(ca: string, issued: Issued, key: JWK, options: IdentityProviderOptions) {
    this.#issued = issued;
    this.#keys = [key];
    this.#port = options.port ?? 0;
    this.#plainPages = options.plainPages ?? false;
    this.caCertificate = ca;
    const digest = hash('sha256', new X509Certificate(issued.cert).raw, 'base64');
    this.fingerprint = `sha256/${digest}`;
    this.caFile = join(this.#folder, 'ca.pem');
    writeFileSync(this.caFile, ca);
  }

  get issuer(): string {
    return `https://127.0.0.1:${this.#port}`;
  }

  /** Replaces the signing key; earlier tokens no longer verify. */
  async rotateKeys(): Promise<void> {
    this.#keys = [await makeSigningKey()];
    this.#handle = this.#handler();
  }

  /** Refuses connections. */
  async down(): Promise<void> {
    const servers = this.#servers;
    this.#servers = [];
    await Promise.all(
      servers.map(async (server) => {
        const closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
        await closed;
      }),
    );
  }

  /** Listens again on the same address. */
  async up(): Promise<void> {
    if (this.#servers.length > 0) return;
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      this.#handle?.(request, response);
    };
    const { cert, key } = this.#issued;
    const server = createServer({ cert, key }, listener);
    this.#port = await listen(server, this.#port);
    this.#servers = [server];
    if (this.#plainPages) {
      const pages = createHttpServer(listener);
      this.#pagesPort = await listen(pages, this.#pagesPort);
      this.#servers = [server, pages];
    }
    this.#handle ??= this.#handler();
  }

  async stop(): Promise<void> {
    await this.down();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #handler(): (request: IncomingMessage, response: ServerResponse) => void {
    const provider = makeProvider({
      issuer: this.issuer,
      keys: this.#keys,
      cookieKey: this.#cookieKey,
      memory: this.#memory,
    });
    if (this.#plainPages) {
      const pages = `http://127.0.0.1:${this.#pagesPort}/auth`;
      provider.use(async (ctx, next) => {
        await next();
        if (ctx.path === '/.well-known/openid-configuration') {
          ctx.body = { ...(ctx.body as object), authorization_endpoint: pages };
        }
      });
    }
    const answer = provider.callback();
    return (request, response) => {
      void serveSignInPage(provider, request, response).then((done) => {
        if (!done) void answer(request, response);
      });
    };
  }
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
