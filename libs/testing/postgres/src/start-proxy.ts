import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server on which a test decides what comes through. */
export interface PostgresProxy {
  /** As the server's, at the proxy's port. */
  readonly url: string;
  /** Resolves when every connection has ended; those that are open are cut. */
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of a server, on a free port of 127.0.0.1.
 *
 * @param join called with the two ends of each connection: nothing passes between them but what it passes on
 */
export async function startProxy(
  target: string,
  join: (client: Socket, server: Socket) => void,
): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target);
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname);
    for (const end of [client, server]) {
      open.add(end);
      end.on('error', () => undefined).on('close', () => open.delete(end));
    }
    server.on('close', () => client.destroy());
    join(client, server);
  });
  await new Promise<void>((resolve) => {
    proxy.listen(0, '127.0.0.1', resolve);
  });
  const url = new URL(target);
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    close: async () => {
      open.forEach((end) => end.destroy());
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
