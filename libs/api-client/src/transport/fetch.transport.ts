import { BodyError, decodeUtf8 } from './transport.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport.ts';

export type FetchFunction = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The default transport: `fetch` of the platform, or the given function (such as Electron's `net.fetch`).
 *
 * @example
 * const transport = new FetchTransport((url, init) => fetch(url, init));
 * const client = new HealthDataClient({ baseUrl, apiKey, transport });
 */
export class FetchTransport implements Transport {
  readonly #fetch: FetchFunction;

  constructor(fetch: FetchFunction = (url, init) => globalThis.fetch(url, init)) {
    this.#fetch = fetch;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    const send = this.#fetch;
    const response = await send(request.url, {
      method: request.method,
      headers: request.headers,
      body: request.body ?? null,
      signal: request.signal,
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
    const bytes = await readBody(response, request.maxBodyBytes);
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: decodeUtf8(bytes, response.status),
    };
  }
}

async function readBody(response: Response, maxBytes: number): Promise<Uint8Array> {
  if (response.body === null) return new Uint8Array();
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes) {
      // Not awaited, since a stalled peer must not delay the error.
      reader.cancel().catch(() => undefined);
      throw new BodyError('too-large', response.status);
    }
    chunks.push(value);
  }
  return joinChunks(chunks, length);
}

function joinChunks(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}
