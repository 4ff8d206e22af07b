import type { Transport, TransportRequest, TransportResponse } from '@caregate/api-client';
import { NodeTransport, type NodeTransportOptions } from '@caregate/api-client/node';
import type { HttpService } from '@nestjs/axios';
import type { AxiosAdapter } from 'axios';

/** axios would copy a plain object. */
class Sent {
  readonly request: TransportRequest;

  constructor(request: TransportRequest) {
    this.request = request;
  }
}

/** Everything the service sends. Follows no redirect and uses no proxy of the environment. */
export class OutgoingHttp implements Transport {
  readonly #node: NodeTransport;
  #service: Promise<HttpService> | undefined;

  constructor(options: NodeTransportOptions) {
    this.#node = new NodeTransport(options);
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    this.#service ??= httpServiceOver(this.#node);
    const { axiosRef } = await this.#service;
    const { url, method, signal } = request;
    const data = new Sent(request);
    return (await axiosRef.request<TransportResponse>({ url, method, signal, data })).data;
  }

  /** For libraries: text only, at most 1 MiB. */
  readonly fetch = async (
    url: string,
    init: Omit<TransportRequest, 'url' | 'maxBodyBytes'>,
  ): Promise<Response> => {
    const { status, headers, body } = await this.request({ ...init, url, maxBodyBytes: 2 ** 20 });
    return new Response(body, { status, headers });
  };

  close(): void {
    this.#node.close();
  }
}

/** Lazy: axios would slow down each start. */
async function httpServiceOver(node: NodeTransport): Promise<HttpService> {
  const [{ HttpService }, { default: axios }] = await Promise.all([
    import('@nestjs/axios'),
    import('axios'),
  ]);
  // Headers bypass axios, which would parse each three times.
  const adapter: AxiosAdapter = async (config) => {
    const data = await node.request((config.data as Sent).request);
    return { status: data.status, statusText: '', headers: {}, data, config };
  };
  const instance = axios.create();
  // Less to merge per request.
  Object.keys(instance.defaults).forEach((name) => Reflect.deleteProperty(instance.defaults, name));
  instance.defaults.adapter = adapter;
  return new HttpService(instance);
}
