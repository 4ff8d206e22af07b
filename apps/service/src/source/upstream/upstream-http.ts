import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';

/** At most; where the upstream says how long it keeps a silent connection (`Keep-Alive`), Node stays below that. */
const IDLE_MS = 30_000;
/** Silence until TCP asks whether the other end is there: axios's own number, or each would undo the other's. */
const TCP_KEEP_ALIVE_MS = 60_000;
/** Connections to one upstream at a time; what is beyond waits within its own deadline. */
const MAX_SOCKETS = 1024;
/** Connections kept when nobody uses them: fewer than the retries that a restart, which ends all of them, may take. */
const MAX_FREE_SOCKETS = 24;

const POOL = {
  keepAlive: true,
  keepAliveMsecs: TCP_KEEP_ALIVE_MS,
  maxSockets: MAX_SOCKETS,
  maxFreeSockets: MAX_FREE_SOCKETS,
  timeout: IDLE_MS,
};

/** Options of Nest's HttpModule: kept connections, no redirect, no proxy that the environment happens to name. */
export class UpstreamHttp {
  readonly httpAgent = new Agent(POOL);
  readonly httpsAgent = new TlsAgent(POOL);
  readonly maxRedirects = 0;
  readonly proxy = false;

  /** Ends the connections that are kept. */
  close(): void {
    this.httpAgent.destroy();
    this.httpsAgent.destroy();
  }
}

/** The little of an axios instance that is used here. */
interface Interceptable {
  readonly interceptors: {
    readonly request: { use(onSend: <C extends { url?: string }>(config: C) => C): unknown };
  };
}

/** Lets nothing leave but to the given addresses (origin and path prefix, no slash at the end). */
export function allowOnly(addresses: readonly string[], axios: Interceptable): void {
  const prefixes = [...new Set(addresses)].map((address) => `${address}/`);
  axios.interceptors.request.use((config) => {
    const { url = '' } = config;
    if (!prefixes.some((prefix) => url.startsWith(prefix))) {
      throw new Error('This address is on no list');
    }
    return config;
  });
}
