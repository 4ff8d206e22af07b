import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { CertificateAuthority, type Issued } from '@caregate/certificates';
import { NO_INSURANCE } from '@caregate/domain';
import { fakeSignIn } from './fake-sign-in.testing.ts';
import { json } from './json.testing.ts';

export { json };

export type Responder = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeService {
  readonly address: string;
  /** The number of requests except those of the sign-in. */
  count(): number;
  /** Sets the response to all further requests. */
  respondWith(how: Responder): void;
  stop(): Promise<void>;
  /** Starts the service again at the same address. */
  again(): Promise<void>;
}

/** A fake service with its own provider, which signs in one user without a page. The test sets its responses. */
export async function startFake({ tls = false } = {}): Promise<FakeService> {
  let how: Responder = emptyTeam;
  let count = 0;
  const listener: RequestListener = (request, response) => {
    const path = request.url?.replace(/\?.*/u, '') ?? '';
    if (/^\/(?:oidc|access\/(?:sign-in|desks|sessions|sessions\/.*))(?:\/|$)/u.test(path)) {
      signIn(request, response);
      return;
    }
    count += 1;
    how(request, response);
  };
  const server: Server = tls
    ? createTlsServer(await untrusted(), listener)
    : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const address = `${tls ? 'https' : 'http'}://127.0.0.1:${String(port)}`;
  const signIn = fakeSignIn(address);
  return {
    address,
    count: () => count,
    respondWith: (next) => {
      how = next;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    again: async () => {
      // Another connection may have taken the port for a while.
      for (let tries = 1; ; tries += 1) {
        try {
          server.listen(port, '127.0.0.1');
          await once(server, 'listening');
          return;
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || tries > 600) throw error;
          await sleep(100);
        }
      }
    },
  };
}

/** A certificate that no computer trusts. */
async function untrusted(): Promise<Issued> {
  return (await CertificateAuthority.create()).issue({ names: ['127.0.0.1'] });
}

/** A team without patients, which is enough for a sign-in. Desk events are accepted. */
export const emptyTeam: Responder = (request, response) => {
  if (request.url === '/audit/desk-events') json(response, 201, { record_id: 'f'.repeat(32) });
  else json(response, 200, { users: [], total: 0, offset: 0, limit: 1 });
};

/** Answers desk events by `record`, with the status that it returns, and all other requests by `others`. */
export function recordingBy(
  record: (body: Record<string, unknown>, answer: (status: number) => void) => void,
  others: Responder,
): Responder {
  return (request, response) => {
    if (request.url !== '/audit/desk-events') {
      others(request, response);
      return;
    }
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString()));
    request.on('end', () => {
      record(JSON.parse(body) as Record<string, unknown>, (status) => {
        json(response, status, status === 201 ? { record_id: 'f'.repeat(32) } : { title: 'No' });
      });
    });
  };
}

/** A user as in the interface document. */
export function userOf(clientUserId: string): Record<string, unknown> {
  return {
    user_id: '11111111-1111-4111-8111-111111111111',
    team_id: '22222222-2222-4222-8222-222222222222',
    client_user_id: clientUserId,
    created_on: '2026-01-01T00:00:00Z',
    connected_sources: [],
    fallback_time_zone: {
      id: 'Europe/Berlin',
      source_slug: 'manual',
      updated_at: '2026-01-01T00:00:00Z',
    },
  };
}

/** Answers a request for insurance with this primary one. There is no secondary insurance. */
export function primaryOnly(
  request: IncomingMessage,
  response: ServerResponse,
  insurance: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (request.url?.includes('=false') === true) {
    json(response, 404, { type: NO_INSURANCE, title: 'No such insurance', status: 404 }, headers);
  } else json(response, 200, insurance, headers);
}
