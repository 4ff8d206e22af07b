import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Callback {
  readonly url: URL;
  readonly answer: (page: string) => void;
}

export interface Loopback {
  readonly redirectUri: string;
  readonly callback: Promise<Callback>;
  readonly close: () => void;
}

/**
 * Listens on a free port of the loopback interface only, as RFC 8252 (7.3) requires.
 *
 * @throws Error if it can't listen
 */
export async function listenOnce(): Promise<Loopback> {
  let resolveCallback: ((callback: Callback) => void) | undefined;
  const callback = new Promise<Callback>((resolve) => {
    resolveCallback = resolve;
  });
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    // A request for another host name may come from DNS rebinding.
    const isExpectedHost = request.headers.host === new URL(redirectUri).host;
    const url = new URL(request.url ?? '/', redirectUri);
    if (
      !isExpectedHost ||
      resolveCallback === undefined ||
      request.method !== 'GET' ||
      url.pathname !== '/callback'
    ) {
      response.writeHead(404).end();
      return;
    }
    const resolveOnce = resolveCallback;
    resolveCallback = undefined;
    resolveOnce({
      url,
      answer: (page) => {
        response.writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'cache-control': 'no-store',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          'referrer-policy': 'no-referrer',
          connection: 'close',
        });
        response.end(page);
      },
    });
  });
  server.listen({ host: '127.0.0.1', port: 0, exclusive: true });
  await once(server, 'listening');
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  return {
    redirectUri,
    callback,
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}
