import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';

/** Milliseconds that a proxy may take to open a tunnel. */
const TUNNEL_TIMEOUT_MS = 30_000;

type Created = (error: Error | null, socket: Duplex) => void;
type Target = https.RequestOptions & { servername?: string };

/** Reaches https servers through a proxy's tunnel (HTTP CONNECT), in which TLS with the server itself is spoken. */
export class ProxiedHttpsAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #ca: readonly string[];

  constructor(proxy: URL, ca: readonly string[], pool: https.AgentOptions) {
    super(pool);
    this.#proxy = proxy;
    this.#ca = ca;
  }

  override createConnection(options: Target, callback: Created): undefined {
    const host = options.host ?? '';
    const authority = `${host.includes(':') ? `[${host}]` : host}:${String(options.port ?? 443)}`;
    const send = this.#proxy.protocol === 'https:' ? https.request : http.request;
    const tunnel = send(this.#proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(this.#proxy) },
      agent: false,
      ca: [...this.#ca],
      timeout: TUNNEL_TIMEOUT_MS,
    });
    const fail = (error: Error): void => {
      // No socket goes with a failure, which the type does not know.
      callback(error, undefined as unknown as Duplex);
    };
    tunnel.on('error', fail);
    tunnel.on('timeout', () => tunnel.destroy(proxyError('ERR_PROXY_TIMEOUT')));
    tunnel.on('connect', (response: http.IncomingMessage, socket: Socket) => {
      tunnel.off('error', fail);
      socket.setTimeout(0);
      if (response.statusCode !== 200) {
        socket.destroy();
        fail(proxyError(response.statusCode === 407 ? 'ERR_PROXY_AUTHORIZATION' : 'ERR_PROXY'));
        return;
      }
      const { servername } = options;
      callback(
        null,
        connect({ ca: [...this.#ca], host, socket, ...(servername ? { servername } : {}) }),
      );
    });
    tunnel.end();
    return undefined;
  }
}

/** The header that the proxy's user name and password make, if it has any. */
export function proxyAuthorization(proxy: URL): Record<string, string> {
  if (proxy.username === '' && proxy.password === '') return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function proxyError(code: string): Error {
  return Object.assign(new Error('the proxy opened no tunnel'), { code });
}
