import type { Transport, TransportRequest, TransportResponse } from '@caregate/api-client';
import { NodeTransport, type NodeTransportOptions } from '@caregate/api-client/node';
import type { HttpService } from '@nestjs/axios';
import type { AxiosAdapter } from 'axios';

/** An object of a class: axios takes it through as it is, and would copy a plain one. */
class Sent {
  readonly request: TransportRequest;

  constructor(request: TransportRequest) {
    this.request = request;
  }
}

/**
 * All that the service sends: by Nest's HttpService, whose axios has a lean adapter over Node's HTTP. No redirect is
 * followed, and no proxy of the environment used.
 */
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

  /** As `fetch`, for a library that sends by one: text alone, and answers of at most a mebibyte. */
  readonly fetch = async (
    url: string,
    init: Omit<TransportRequest, 'url' | 'maxBodyBytes'>,
  ): Promise<Response> => {
    const { status, headers, body } = await this.request({ ...init, url, maxBodyBytes: 2 ** 20 });
    return new Response(body, { status, headers });
  };

  /** Closes idle connections. */
  close(): void {
    this.#node.close();
  }
}

/** Loaded at the first request: axios would be a part of each start. */
async function httpServiceOver(node: NodeTransport): Promise<HttpService> {
  const [{ HttpService }, { default: axios }] = await Promise.all([
    import('@nestjs/axios'),
    import('axios'),
  ]);
  // Headers stay out of axios, which would parse each of them three times: most of what a call would cost.
  const adapter: AxiosAdapter = async (config) => {
    const data = await node.request((config.data as Sent).request);
    return { status: data.status, statusText: '', headers: {}, data, config };
  };
  const instance = axios.create();
  // Less to merge into each request.
  Object.keys(instance.defaults).forEach((name) => Reflect.deleteProperty(instance.defaults, name));
  instance.defaults.adapter = adapter;
  return new HttpService(instance);
}
