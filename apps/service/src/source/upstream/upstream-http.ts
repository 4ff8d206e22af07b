import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';

/** Upper limit; Node closes idle connections earlier if the upstream announces a shorter time (`Keep-Alive`). */
const IDLE_MS = 30_000;
/** Initial delay of TCP keep-alive: the value of axios, since each would override the other's. */
const TCP_KEEP_ALIVE_MS = 60_000;
/** Maximum connections to one upstream; further requests wait within their deadline. */
const MAX_SOCKETS = 1024;
/** Maximum idle connections: fewer than the retry budget, since a restart of the upstream closes all of them. */
const MAX_FREE_SOCKETS = 24;

const POOL = {
  keepAlive: true,
  keepAliveMsecs: TCP_KEEP_ALIVE_MS,
  maxSockets: MAX_SOCKETS,
  maxFreeSockets: MAX_FREE_SOCKETS,
  timeout: IDLE_MS,
};

/** Options of Nest's HttpModule: keep-alive, no redirects, no proxy from the environment. */
export class UpstreamHttp {
  readonly httpAgent = new Agent(POOL);
  readonly httpsAgent = new TlsAgent(POOL);
  readonly maxRedirects = 0;
  readonly proxy = false;

  /** Closes idle connections. */
  close(): void {
    this.httpAgent.destroy();
    this.httpsAgent.destroy();
  }
}

/** The part of an axios instance that is used here. */
interface Interceptable {
  readonly interceptors: {
    readonly request: { use(onSend: <C extends { url?: string }>(config: C) => C): unknown };
  };
}

/** Allows requests only to the given URLs (origin and path prefix, no trailing slash). */
export function allowOnly(addresses: readonly string[], axios: Interceptable): void {
  const prefixes = [...new Set(addresses)].map((address) => `${address}/`);
  axios.interceptors.request.use((config) => {
    const { url = '' } = config;
    if (!prefixes.some((prefix) => url.startsWith(prefix))) {
      throw new Error('The URL is not on the allow-list of upstreams');
    }
    return config;
  });
}
