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

/** RFC 8252, 7.3: loopback only, a free port, exclusively. @throws Error if it can't listen */
export async function listenOnce(): Promise<Loopback> {
  let resolveCallback: ((callback: Callback) => void) | undefined;
  const callback = new Promise<Callback>((resolve) => {
    resolveCallback = resolve;
  });
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    // Another host name means DNS rebinding.
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
