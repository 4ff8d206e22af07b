import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { InvalidArgumentError } from '../errors/call-errors.ts';
import {
  headersOf,
  BodyError,
  decodeUtf8,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from './transport.ts';
import { ProxiedHttpsAgent, proxyAuthorization } from './proxied-agent.ts';

export interface NodeTransportOptions {
  /** Keep connections open for the next request; default true. */
  readonly keepAlive?: boolean | undefined;
  /** Maximum number of connections; further requests wait within their deadline; default 50. */
  readonly maxSockets?: number | undefined;
  /** Maximum number of idle connections; default 10. */
  readonly maxFreeSockets?: number | undefined;
  /** Milliseconds after which an idle connection is closed; default 4,000, below the 5 seconds of most servers. */
  readonly idleMs?: number | undefined;
  /** Additional trusted certificates in PEM, such as that of a company proxy. */
  readonly ca?: string | readonly string[] | undefined;
  /** `http://proxy.example:3128`, with user name and password if required. */
  readonly proxy?: string | undefined;
}

/**
 * Sends with `node:http` and `node:https` and its own connection pool, for options that `fetch` does not have: pool
 * size, company certificates, a proxy. Throws {@link InvalidArgumentError} for an invalid proxy URL.
 */
export class NodeTransport implements Transport {
  readonly #plain: http.Agent;
  readonly #secure: https.Agent;
  /** For http servers, whose absolute URL is sent to the proxy. */
  readonly #proxy: URL | undefined;

  constructor(options: NodeTransportOptions = {}) {
    const { keepAlive = true, maxSockets = 50, maxFreeSockets = 10, idleMs = 4000 } = options;
    const pool = { keepAlive, maxSockets, maxFreeSockets, timeout: idleMs };
    const ca = [...rootCertificates, ...[options.ca ?? []].flat()];
    this.#proxy = options.proxy === undefined ? undefined : proxyUrl(options.proxy);
    this.#plain =
      this.#proxy?.protocol === 'https:' ? new https.Agent({ ...pool, ca }) : new http.Agent(pool);
    this.#secure =
      this.#proxy === undefined
        ? new https.Agent({ ...pool, ca })
        : new ProxiedHttpsAgent(this.#proxy, ca, pool);
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request);
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        read(response, request.maxBodyBytes).then(resolve, reject);
      });
      outgoing.end(request.body);
    });
  }

  /** Closes the kept-alive connections. */
  close(): void {
    this.#plain.destroy();
    this.#secure.destroy();
  }

  #open({ method, url, headers, signal }: TransportRequest): http.ClientRequest {
    const options = {
      method,
      headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' },
      signal,
    };
    if (url.startsWith('https:')) return https.request(url, { ...options, agent: this.#secure });
    const agent = this.#plain;
    const proxy = this.#proxy;
    if (proxy === undefined) return http.request(url, { ...options, agent });
    const send = proxy.protocol === 'https:' ? https.request : http.request;
    const { host } = new URL(url);
    const authorized = { ...options.headers, host, ...proxyAuthorization(proxy) };
    return send(proxy, { ...options, agent, path: url, headers: authorized });
  }
}

async function read(response: http.IncomingMessage, maxBytes: number): Promise<TransportResponse> {
  const status = response.statusCode ?? 0;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of decompressed(response) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new BodyError('too-large', status);
      chunks.push(chunk);
    }
  } finally {
    // For a rejected body; after a complete body the connection is already back in the pool.
    if (!response.complete) response.destroy();
  }
  const body = decodeUtf8(Buffer.concat(chunks, length), status);
  return { status, headers: headersOf(response.headers), body };
}

function decompressed(response: http.IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.toLowerCase();
  switch (encoding ?? '') {
    case 'gzip':
    case 'x-gzip':
      return pipeline(response, createGunzip(), () => undefined);
    case 'deflate':
      return pipeline(response, createInflate(), () => undefined);
    case 'br':
      return pipeline(response, createBrotliDecompress(), () => undefined);
    default:
      return response;
  }
}

/** The error does not contain the URL: it may include a password. */
function proxyUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError('proxy', 'must be an http:// or https:// URL');
  }
  return url;
}
