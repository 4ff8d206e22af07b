import * as http from 'node:http';
import * as https from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect } from 'node:tls';

const TUNNEL_TIMEOUT_MS = 30_000;

type ConnectionCallback = (error: Error | null, socket: Duplex) => void;
type Target = https.RequestOptions & { servername?: string };

/** Connects to https servers through a proxy tunnel (HTTP CONNECT), with TLS to the server itself. */
export class ProxiedHttpsAgent extends https.Agent {
  readonly #proxy: URL;
  readonly #authorities: Pick<https.AgentOptions, 'ca'>;

  constructor(proxy: URL, pool: https.AgentOptions) {
    super(pool);
    this.#proxy = proxy;
    this.#authorities = pool.ca === undefined ? {} : { ca: pool.ca };
  }

  override createConnection(options: Target, callback: ConnectionCallback): undefined {
    const host = options.host ?? '';
    const authority = `${host.includes(':') ? `[${host}]` : host}:${String(options.port ?? 443)}`;
    const send = this.#proxy.protocol === 'https:' ? https.request : http.request;
    const tunnel = send(this.#proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...buildProxyAuthorization(this.#proxy) },
      agent: false,
      ...this.#authorities,
      timeout: TUNNEL_TIMEOUT_MS,
    });
    const fail = (error: Error): void => {
      // There is no socket on failure, which the type doesn't allow for.
      callback(error, undefined as unknown as Duplex);
    };
    tunnel.on('error', fail);
    tunnel.on('timeout', () => tunnel.destroy(createProxyError('ERR_PROXY_TIMEOUT')));
    tunnel.on('connect', (response: http.IncomingMessage, socket: Socket) => {
      tunnel.off('error', fail);
      socket.setTimeout(0);
      if (response.statusCode !== 200) {
        socket.destroy();
        fail(
          createProxyError(response.statusCode === 407 ? 'ERR_PROXY_AUTHORIZATION' : 'ERR_PROXY'),
        );
        return;
      }
      const { servername } = options;
      callback(
        null,
        connect({ ...this.#authorities, host, socket, ...(servername ? { servername } : {}) }),
      );
    });
    tunnel.end();
    return undefined;
  }
}

export function buildProxyAuthorization(proxy: URL): Record<string, string> {
  if (proxy.username === '' && proxy.password === '') return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function createProxyError(code: string): Error {
  return Object.assign(new Error('the proxy opened no tunnel'), { code });
}
