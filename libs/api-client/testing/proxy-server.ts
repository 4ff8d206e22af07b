import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

export interface ProxyServer {
  readonly url: string;
  /** The requests it received, such as `CONNECT localhost:443` or `GET http://…`. */
  readonly requests: string[];
  readonly authorizations: (string | undefined)[];
  /** Status of the response to CONNECT; 200 opens the tunnel. */
  status: number;
  stop(): Promise<void>;
}

/** Starts a proxy for http and https on a free port. */
export async function startProxy(): Promise<ProxyServer> {
  const open = new Set<Duplex>();
  const server = createServer((request, response) => {
    proxy.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    proxy.authorizations.push(request.headers['proxy-authorization']);
    const onward = send(request.url ?? '', { headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.end();
  });
  server.on('connect', (request, socket: Duplex) => {
    proxy.requests.push(`CONNECT ${request.url ?? ''}`);
    proxy.authorizations.push(request.headers['proxy-authorization']);
    open.add(socket);
    socket.on('error', () => undefined);
    if (proxy.status !== 200) {
      socket.end(`HTTP/1.1 ${proxy.status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url ?? ''}`);
    const onward = connect(Number(port), hostname, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    open.add(onward);
    onward.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: ProxyServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    authorizations: [],
    status: 200,
    stop: async () => {
      for (const socket of open) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
