import type { Transport, TransportRequest, TransportResponse } from '@caregate/api-client';
import { UPSTREAM_CONNECTIONS } from '@caregate/data-store';
import { OutgoingHttp } from '../http/outgoing/outgoing-http.ts';

/** Allow-list of upstreams; no redirects, no proxy. */
export class UpstreamHttp implements Transport {
  readonly #prefixes: readonly string[];
  readonly #http = new OutgoingHttp(UPSTREAM_CONNECTIONS);

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
