import {
  normalizeHeaders,
  BodyError,
  decodeUtf8,
  type HttpMethod,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport/transport.ts';

export { BodyError } from './transport/transport.ts';
export type {
  BodyFault,
  Transport,
  TransportRequest,
  TransportResponse,
} from './transport/transport.ts';

/** The part of an axios instance that this package uses, so that compiling it doesn't need axios. */
export interface AxiosLike {
  request(config: AxiosLikeConfig): Promise<{ status: number; headers: unknown; data: unknown }>;
}

export interface AxiosLikeConfig {
  method: HttpMethod;
  data: string | undefined;
  url: string;
  headers: Record<string, string | false>;
  signal: AbortSignal;
  allowAbsoluteUrls: boolean;
  responseType: 'arraybuffer';
  transformRequest: ((data: unknown) => unknown)[];
  transformResponse: ((data: unknown) => unknown)[];
  validateStatus: (status: number) => boolean;
  maxRedirects: number;
  maxContentLength: number;
  timeout: number;
  fetchOptions: { redirect: 'manual' };
}

/**
 * Sends requests through an axios instance with its interceptors, agents and proxy. The client's deadline and size
 * limit apply; the instance's `timeout` and `validateStatus` are ignored.
 *
 * @example
 * const transport = new AxiosTransport(axios.create());
 * const client = new HealthDataClient({ baseUrl, apiKey, transport });
 */
export class AxiosTransport implements Transport {
  readonly #axios: AxiosLike;

  constructor(axios: AxiosLike) {
    this.#axios = axios;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const response = await this.#send(request);
    return {
      status: response.status,
      headers: normalizeHeaders(response.headers),
      body: decodeUtf8(toBytes(response.data), response.status),
    };
  }

  async #send(
    request: TransportRequest,
  ): Promise<{ status: number; headers: unknown; data: unknown }> {
    try {
      return await this.#axios.request({
        method: request.method,
        url: request.url,
        // Otherwise, axios sends an empty body as a form.
        headers: { 'content-type': false, ...request.headers },
        data: request.body,
        signal: request.signal,
        allowAbsoluteUrls: true,
        responseType: 'arraybuffer',
        // Every interceptor, even one that does nothing, makes axios parse all headers again.
        transformRequest: [],
        transformResponse: [],
        validateStatus: () => true,
        maxRedirects: 0,
        maxContentLength: request.maxBodyBytes,
        timeout: 0,
        // Older versions of axios's fetch adapter ignore maxRedirects.
        fetchOptions: { redirect: 'manual' },
      });
    } catch (error) {
      // axios has no error code for this, only a message.
      if (String((error as Error | undefined)?.message).startsWith('maxContentLength')) {
        throw new BodyError('too-large');
      }
      throw error;
    }
  }
}

function toBytes(data: unknown): Uint8Array {
  if (ArrayBuffer.isView(data))
    return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  if (data === undefined || data === null || data === '') return new Uint8Array();
  // `instanceof` fails for an ArrayBuffer of another realm.
  if (Object.prototype.toString.call(data) === '[object ArrayBuffer]') {
    return new Uint8Array(data as ArrayBuffer);
  }
  throw new TypeError('the axios instance answered with something other than bytes');
}
