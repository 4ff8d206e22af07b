import type { Transport, TransportRequest, TransportResponse } from '@caregate/api-client';
import { AxiosTransport, type AxiosLike } from '@caregate/api-client/axios';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';

/** Sends through an axios instance: over its kept connections, or over a new one where the client asks for that. */
export class UpstreamTransport implements Transport {
  readonly #kept: Transport;
  readonly #fresh: Transport;

  constructor(axios: AxiosLike) {
    // Neither keeps a connection.
    const agents = { httpAgent: new Agent(), httpsAgent: new TlsAgent() };
    this.#kept = new AxiosTransport(axios);
    this.#fresh = new AxiosTransport({
      request: (config) => axios.request({ ...config, ...agents }),
    });
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return (request.newConnection === true ? this.#fresh : this.#kept).request(request);
  }
}
