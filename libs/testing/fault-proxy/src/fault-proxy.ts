import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { endOfHead } from './answer.ts';
import { NO_FAULT, type Fault } from './fault.ts';
import { play } from './play.ts';
import { askUpstream } from './upstream.ts';

/** One request that came, whatever became of it. */
export interface Asked {
  /** Such as `/v2/user/?limit=7`. */
  readonly path: string;
  /** All its lines. */
  readonly head: string;
  readonly fault: Fault;
}

export interface ProxyOptions {
  /** `http://` or `https://` address of the upstream. */
  readonly to: string;
  /** Address to listen on; without it any port of 127.0.0.1. */
  readonly port?: number;
  /** Certificate and key in PEM: the proxy then speaks TLS to whoever asks. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/**
 * Passes requests without a body on to an upstream, and answers with the fault that `faultOf` says. Requests on one
 * connection are answered one after the other.
 */
export class FaultProxy {
  /** Every request so far, in the order they came. */
  readonly requests: Asked[] = [];
  /** Connections so far, those without a request too. */
  connections = 0;
  /** The fault of a request that has just come. */
  faultOf: (path: string, head: string) => Fault = () => NO_FAULT;
  /** How long a new connection waits before anything is read of it: with TLS, a handshake as slow. */
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
    // Half-open, so that a side can be shut alone.
    this.#server = createServer({ allowHalfOpen: true, noDelay: true });
    this.#server.on('connection', (socket: Socket) => void this.#accept(socket));
    this.#tls = tls && createSecureContext(tls);
  }

  get url(): string {
    const { port } = this.#server.address() as AddressInfo;
    return this.#tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`;
  }

  /** Cuts every connection and closes the port. */
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

  /** Reads requests off a connection; while one is answered the next one waits. */
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
    const ask = (): ReturnType<typeof askUpstream> => askUpstream(this.#to, head);
    try {
      await play(fault, ask, { socket, reset }, this.#stopping.signal);
    } catch {
      // The upstream is down, or the proxy stops.
      socket.destroy();
    }
  }
}
