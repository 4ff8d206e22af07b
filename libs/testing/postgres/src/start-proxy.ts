import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy in front of a server, with which a test decides what passes. */
export interface PostgresProxy {
  /** The server's URL with the proxy's port. */
  readonly url: string;
  /** Closes all connections and resolves when they have ended. */
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of a server on a free port of 127.0.0.1.
 *
 * @param join called with both ends of each connection; only what it forwards reaches the other end
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

export interface ForgetfulProxy extends PostgresProxy {
  /** Disconnects the current clients without telling the server. */
  forget(): void;
  /**
   * Disconnects the next client that sends this text, after the server has answered. Resolves just before the client
   * is disconnected.
   */
  forgetAnswerTo(text: string): Promise<void>;
}

/** Starts a proxy that drops connections as a firewall does: the client is disconnected, and the server isn't told. */
export async function forgetfulProxy(target: string): Promise<ForgetfulProxy> {
  const clients = new Set<Socket>();
  let awaited: { readonly text: string; readonly forgot: () => void } | undefined;
  const proxy = await startProxy(target, (client, upstream) => {
    clients.add(client);
    let isForgotten = false;
    client.on('data', (part: Buffer) => {
      isForgotten ||= awaited !== undefined && part.includes(awaited.text);
      upstream.write(part);
    });
    upstream.on('data', (part: Buffer) => {
      if (isForgotten) {
        awaited?.forgot();
        awaited = undefined;
        client.destroy();
      } else if (!client.destroyed) {
        client.write(part);
      }
    });
    client.on('close', () => clients.delete(client));
  });
  return {
    ...proxy,
    forget: () => {
      clients.forEach((client) => client.destroy());
    },
    forgetAnswerTo: (text) =>
      new Promise((resolve) => {
        awaited = { text, forgot: resolve };
      }),
  };
}
