import type { Transport, TransportRequest, TransportResponse } from '@caregate/api-client';
import { NetworkError } from '@caregate/api-client';
import { AxiosTransport, type AxiosLike } from '@caregate/api-client/axios';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';

/**
 * Sends through an axios instance. What a kept connection lost, because the upstream had ended it in the meantime, is
 * sent once more over a connection of its own: another kept one may have ended as well. All requests are reads, so that
 * sending one again is safe, as RFC 9110 9.2.2 has it.
 */
export class UpstreamTransport implements Transport {
  readonly #kept: Transport;
  readonly #own: Transport;

  constructor(axios: AxiosLike) {
    const agents = { httpAgent: new Agent(), httpsAgent: new TlsAgent() };
    this.#kept = new AxiosTransport(axios);
    this.#own = new AxiosTransport({
      request: (config) => axios.request({ ...config, ...agents }),
    });
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    try {
      return await this.#kept.request(request);
    } catch (error) {
      if (!new NetworkError('', error).onKeptConnection || request.signal.aborted) {
        throw error;
      }
      return await this.#own.request(request);
    }
  }
}
