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

export interface ForgetfulProxy extends PostgresProxy {
  /** Cuts off the clients of now. */
  forget(): void;
  /** Cuts off the next client that sends this text when the server has answered. Resolves just before the client knows. */
  forgetAnswerTo(text: string): Promise<void>;
}

/** A way to the server that forgets connections as a firewall does: the client is cut off, and the server hears nothing. */
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
