import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { endOfHead } from './raw-response.ts';
import { NO_FAULT, type Fault } from './fault.ts';
import { injectFault } from './inject-fault.ts';
import { requestUpstream } from './upstream.ts';

/** A request that the proxy received. */
export interface ReceivedRequest {
  /** Such as `/v2/user/?limit=7`. */
  readonly path: string;
  /** All header lines. */
  readonly head: string;
  readonly fault: Fault;
}

export interface ProxyOptions {
  /** `http://` or `https://` URL of the upstream. */
  readonly to: string;
  /** Port to listen on at 127.0.0.1; default: any free port. */
  readonly port?: number;
  /** Certificate and key in PEM: serve TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/**
 * Forwards requests without a body to an upstream, and injects the fault given by `faultOf` into the response. Requests
 * on one connection are handled sequentially.
 */
export class FaultProxy {
  /** All requests so far, in order. */
  readonly requests: ReceivedRequest[] = [];
  /** Number of connections so far, including those without a request. */
  connections = 0;
  /** Returns the fault for a new request. */
  faultOf: (path: string, head: string) => Fault = () => NO_FAULT;
  /** Delay before a new connection is read; with TLS, of the handshake. */
  handshakeMs = 0;

  readonly #to: URL;
  readonly #server: Server;
  readonly #tls: SecureContext | undefined;
  readonly #sockets = new Set<Socket>();
  readonly #stopping = new AbortController();

  static async start({ to, port, tls }: ProxyOptions): Promise<FaultProxy> {
    const proxy = new FaultProxy(new URL(to), tls);
    proxy.#server.listen(port ?? 0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  private constructor(to: URL, tls: ProxyOptions['tls']) {
    this.#to = to;
    // Half-open, so that one side can be closed.
    this.#server = createServer({ allowHalfOpen: true, noDelay: true });
    this.#server.on('connection', (socket: Socket) => void this.#accept(socket));
    this.#tls = tls && createSecureContext(tls);
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return this.#tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  }

  /** Closes all connections and the port. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#sockets.forEach((socket) => socket.destroy());
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #accept(socket: Socket): Promise<void> {
    this.connections += 1;
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    if (this.handshakeMs > 0) {
      await wait(this.handshakeMs, undefined, { signal: this.#stopping.signal }).catch(
        () => undefined,
      );
    }
    const secureContext = this.#tls;
    const spoken =
      secureContext === undefined
        ? socket
        : new TLSSocket(socket, { isServer: true, secureContext });
    this.#serve(spoken, () => {
      socket.resetAndDestroy();
    });
  }

  /** Reads requests of a connection, one at a time. */
  #serve(socket: Socket, reset: () => void): void {
    let unread = Buffer.alloc(0);
    let answering = Promise.resolve();
    socket.on('error', () => socket.destroy());
    socket.on('end', () => {
      socket.end();
    });
    socket.on('data', (chunk: Buffer) => {
      unread = Buffer.concat([unread, chunk]);
      for (let end = endOfHead(unread); end !== undefined; end = endOfHead(unread)) {
        const head = unread.toString('latin1', 0, end);
        unread = unread.subarray(end);
        answering = answering.then(() => this.#answer(head, socket, reset));
      }
    });
  }

  async #answer(head: string, socket: Socket, reset: () => void): Promise<void> {
    const path = head.split(' ', 2)[1] ?? '';
    const fault = this.faultOf(path, head);
    this.requests.push({ path, head, fault });
    const ask = (): ReturnType<typeof requestUpstream> => requestUpstream(this.#to, head);
    try {
      await injectFault(fault, ask, { socket, reset }, this.#stopping.signal);
    } catch {
      // The upstream is down, or the proxy is stopping.
      socket.destroy();
    }
  }
}
