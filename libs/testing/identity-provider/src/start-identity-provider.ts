import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { CertificateAuthority } from '@caregate/certificates';
import type { Issued } from '@caregate/certificates';
import type { JWK } from 'oidc-provider';
import { makeMemory } from './memory.ts';
import { PEOPLE } from './people.ts';
import type { IdentityPerson } from './people.ts';
import { CLIENT_ID, makeProvider, makeSigningKey } from './provider.ts';
import { serveSignInPage } from './sign-in-page.ts';

export interface IdentityProviderOptions {
  /** A free port by default. */
  readonly port?: number;
  /** Serves plain HTTP, for browsers on this computer that don't trust the authority. */
  readonly plainHttp?: boolean;
  /** A new authority by default. */
  readonly authority?: CertificateAuthority;
}

export async function startIdentityProvider({
  port = 0,
  plainHttp = false,
  authority,
}: IdentityProviderOptions = {}): Promise<IdentityProvider> {
  const key = await makeSigningKey();
  const tls = plainHttp ? undefined : await makeTls(authority);
  const provider = new IdentityProvider(key, port, tls);
  await provider.up();
  return provider;
}

interface Tls {
  readonly ca: string;
  readonly issued: Issued;
}

async function makeTls(given: CertificateAuthority | undefined): Promise<Tls> {
  const authority =
    given ?? (await CertificateAuthority.create('Caregate identity provider for tests'));
  const issued = await authority.issue({ names: ['localhost', '127.0.0.1'] });
  return { ca: authority.pem, issued };
}

/** An OpenID provider on loopback with three fictional people. Over HTTPS it has its own certificate authority. */
export class IdentityProvider {
  readonly clientId = CLIENT_ID;
  readonly people: readonly IdentityPerson[] = PEOPLE;
  /** PEM; empty over plain HTTP. */
  readonly caCertificate: string;
  readonly #memory = makeMemory();
  readonly #cookieKey = randomBytes(32).toString('hex');
  readonly #tls: Tls | undefined;
  #keys: readonly JWK[];
  #port: number;
  #server: Server | undefined;
  #handle: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;

  constructor(key: JWK, port: number, tls: Tls | undefined) {
    this.#keys = [key];
    this.#port = port;
    this.#tls = tls;
    this.caCertificate = tls?.ca ?? '';
  }

  get issuer(): string {
    return `${this.#tls === undefined ? 'http' : 'https'}://127.0.0.1:${this.#port}`;
  }

  async rotateKeys(): Promise<void> {
    this.#keys = [await makeSigningKey()];
    this.#handle = this.#handler();
  }

  /** Closes the server, so that connections are refused. */
  async down(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  async up(): Promise<void> {
    if (this.#server !== undefined) return;
    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      this.#handle?.(request, response);
    };
    const server =
      this.#tls === undefined
        ? createHttpServer(listener)
        : createServer(this.#tls.issued, listener);
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
    this.#handle ??= this.#handler();
  }

  async stop(): Promise<void> {
    await this.down();
  }

  #handler(): (request: IncomingMessage, response: ServerResponse) => void {
    const provider = makeProvider({
      issuer: this.issuer,
      keys: this.#keys,
      cookieKey: this.#cookieKey,
      memory: this.#memory,
    });
    const answer = provider.callback();
    return (request, response) => {
      void serveSignInPage(provider, request, response).then((done) => {
        if (!done) void answer(request, response);
      });
    };
  }
}
