import type { Transport, TransportRequest, TransportResponse } from '@caregate/api-client';
import { OutgoingHttp } from '../../http/outgoing/outgoing-http.ts';

const POOL = {
  /** Further requests wait within their deadline. */
  maxSockets: 1024,
  /** Fewer than the retry budget, since a restart of the upstream closes all of them. */
  maxFreeSockets: 24,
  /** Extra ones during a busy second. */
  spareMs: 1000,
  /** Upper limit; Node closes idle connections earlier if the upstream announces a shorter time (`Keep-Alive`). */
  idleMs: 30_000,
  /** Most answers do not say whose they are. */
  requireEcho: true,
};

/** Allow-list of upstreams; no redirects, no proxy. */
export class UpstreamHttp implements Transport {
  readonly #prefixes: readonly string[];
  readonly #http = new OutgoingHttp(POOL);

  /** @param addresses origin and path prefix, no trailing slash */
  constructor(addresses: readonly string[]) {
    this.#prefixes = [...new Set(addresses)].map((address) => `${address}/`);
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    if (!this.#prefixes.some((prefix) => request.url.startsWith(prefix))) {
      throw new Error('The URL is not on the allow-list of upstreams');
    }
    return await this.#http.request(request);
  }

  close(): void {
    this.#http.close();
  }
}
