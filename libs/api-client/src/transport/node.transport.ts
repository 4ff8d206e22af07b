import * as http from 'node:http';
import * as https from 'node:https';
import { pipeline, type Readable } from 'node:stream';
import { rootCertificates } from 'node:tls';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { InvalidArgumentError } from '../errors/call-errors.ts';
import {
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
 * `node:http` and `node:https` with pool size, certificates, proxy. Throws {@link InvalidArgumentError} for a wrong proxy.
 *
 * @example
 * const transport = new NodeTransport({ proxy: 'http://proxy.example:3128' });
 * const client = new HealthDataClient({ baseUrl, apiKey, transport });
 */
export class NodeTransport implements Transport {
  readonly #pooled: Agents;
  /** For a retry after a kept-alive connection was closed: the others may be closed, too. */
  readonly #fresh: Agents;
  /** For http servers, whose absolute URL is sent to the proxy. */
  readonly #proxy: URL | undefined;

  constructor(options: NodeTransportOptions = {}) {
    const { keepAlive = true, maxSockets = 50, maxFreeSockets = 10, idleMs = 4000 } = options;
    this.#proxy = options.proxy === undefined ? undefined : proxyUrl(options.proxy);
    const pool = { maxSockets, timeout: idleMs, ...authorities(options.ca) };
    this.#pooled = agents({ ...pool, keepAlive, maxFreeSockets }, this.#proxy);
    this.#fresh = agents({ ...pool, keepAlive: false }, this.#proxy);
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request);
      const { signal } = request;
      // Node's own `signal` also watches the whole stream, at twice the cost.
      const abort = (): void => {
        outgoing.destroy(new Error('The request was aborted', { cause: signal.reason }));
      };
      signal.addEventListener('abort', abort, { once: true });
      outgoing.on('close', () => {
        signal.removeEventListener('abort', abort);
      });
      if (signal.aborted) abort();
      outgoing.on('error', (error) => {
        // As axios has it; the request itself contains the key.
        const { reusedSocket } = outgoing;
        reject(Object.assign(error, { request: { reusedSocket } }));
      });
      outgoing.on('response', (response) => {
        read(response, request.maxBodyBytes).then(resolve, reject);
      });
      outgoing.end(request.body);
    });
  }

  /**
   * Closes all connections, those in use as well. A program that ends need not call it.
   *
   * @example
   * transport.close();
   */
  close(): void {
    for (const { plain, secure } of [this.#pooled, this.#fresh]) {
      plain.destroy();
      secure.destroy();
    }
  }

  #open({ method, url, headers, newConnection }: TransportRequest): http.ClientRequest {
    const options = { method, headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' } };
    const { plain: agent, secure } = newConnection === true ? this.#fresh : this.#pooled;
    if (url.startsWith('https:')) return https.request(url, { ...options, agent: secure });
    const proxy = this.#proxy;
    if (proxy === undefined) return http.request(url, { ...options, agent });
    const send = proxy.protocol === 'https:' ? https.request : http.request;
    const { host } = new URL(url);
    const authorized = { ...options.headers, host, ...proxyAuthorization(proxy) };
    return send(proxy, { ...options, agent, path: url, headers: authorized });
  }
}

interface Agents {
  readonly plain: http.Agent;
  readonly secure: https.Agent;
}

function agents(pool: https.AgentOptions, proxy: URL | undefined): Agents {
  return {
    plain: proxy?.protocol === 'https:' ? new https.Agent(pool) : new http.Agent(pool),
    secure: proxy === undefined ? new https.Agent(pool) : new ProxiedHttpsAgent(proxy, pool),
  };
}

/** Empty if none are added: Node then trusts its own and those of `NODE_EXTRA_CA_CERTS`. */
function authorities(added: NodeTransportOptions['ca']): { readonly ca?: string[] } {
  return added === undefined ? {} : { ca: [...rootCertificates, ...[added].flat()] };
}

async function read(response: http.IncomingMessage, maxBytes: number): Promise<TransportResponse> {
  const status = response.statusCode ?? 0;
  const chunks = await chunksOf(response, maxBytes).finally(() => {
    // For a rejected body; after a complete body the connection is already back in the pool.
    if (!response.complete) response.destroy();
  });
  const [only] = chunks;
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  const body = decodeUtf8(bytes, status);
  // Node has joined all but one already.
  const { 'set-cookie': cookies, ...headers } = response.headers;
  if (cookies !== undefined) Object.assign(headers, { 'set-cookie': cookies.join(', ') });
  return { status, headers: headers as Record<string, string>, body };
}

/** Events are cheaper than iterating for small responses. */
function chunksOf(response: http.IncomingMessage, maxBytes: number): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stream = decompressed(response);
    stream
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
        chunks.push(chunk);
        if (length > maxBytes) {
          reject(new BodyError('too-large', response.statusCode));
          stream.destroy();
        }
      })
      .on('end', () => {
        resolve(chunks);
      })
      .on('error', reject)
      .on('close', () => {
        if (!response.complete) reject(new Error('The response ended early'));
      });
  });
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
