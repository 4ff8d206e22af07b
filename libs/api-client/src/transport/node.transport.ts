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
import { ProxiedHttpsAgent, buildProxyAuthorization } from './proxied-agent.ts';

export interface NodeTransportOptions {
  /** Whether to keep connections open for further requests; true by default. */
  readonly keepAlive?: boolean | undefined;
  /** Maximum number of connections; 50 by default. Further requests wait within their deadline. */
  readonly maxSockets?: number | undefined;
  /** Maximum number of idle connections; 10 by default. */
  readonly maxFreeSockets?: number | undefined;
  /**
   * Milliseconds after which an idle connection is closed; 4,000 by default, which is less than the 5 seconds of most
   * servers.
   */
  readonly idleMs?: number | undefined;
  /** Additional trusted certificates in PEM, such as that of a company proxy. */
  readonly ca?: string | readonly string[] | undefined;
  /** URL of a proxy such as `http://proxy.example:3128`, with user name and password if required. */
  readonly proxy?: string | undefined;
}

/**
 * Uses `node:http` and `node:https` with a connection pool, certificates and proxy. Throws {@link
 * InvalidArgumentError} for an invalid proxy.
 *
 * @example
 * const transport = new NodeTransport({ proxy: 'http://proxy.example:3128' });
 * const client = new HealthDataClient({ baseUrl, apiKey, transport });
 */
export class NodeTransport implements Transport {
  readonly #pooled: Agents;
  /** New connections for retries after a kept-alive connection was closed, since the pooled ones may be closed, too. */
  readonly #unpooled: Agents;
  /** Proxy for http servers. The absolute URL is sent to it. */
  readonly #proxy: URL | undefined;

  constructor(options: NodeTransportOptions = {}) {
    const { keepAlive = true, maxSockets = 50, maxFreeSockets = 10, idleMs = 4000 } = options;
    this.#proxy = options.proxy === undefined ? undefined : parseProxyUrl(options.proxy);
    const pool = { maxSockets, timeout: idleMs, ...buildCaOptions(options.ca) };
    this.#pooled = createAgents({ ...pool, keepAlive, maxFreeSockets }, this.#proxy);
    this.#unpooled = createAgents({ ...pool, keepAlive: false }, this.#proxy);
  }

  request(request: TransportRequest): Promise<TransportResponse> {
    return new Promise((resolve, reject) => {
      const outgoing = this.#open(request);
      const { signal } = request;
      // Node's own `signal` option also watches the whole stream, at twice the cost.
      const abort = (): void => {
        outgoing.destroy(new Error('The request was aborted', { cause: signal.reason }));
      };
      signal.addEventListener('abort', abort, { once: true });
      outgoing.on('close', () => {
        signal.removeEventListener('abort', abort);
      });
      if (signal.aborted) abort();
      outgoing.on('error', (error) => {
        // Attaches the part of the request that axios's errors also have. The request itself contains the API key.
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
   * Closes all connections, including those in use. It needn't be called at the end of a program.
   *
   * @example
   * transport.close();
   */
  close(): void {
    for (const { plain, secure } of [this.#pooled, this.#unpooled]) {
      plain.destroy();
      secure.destroy();
    }
  }

  #open({ method, url, headers, newConnection }: TransportRequest): http.ClientRequest {
    const options = { method, headers: { ...headers, 'accept-encoding': 'gzip, deflate, br' } };
    const { plain: agent, secure } = newConnection === true ? this.#unpooled : this.#pooled;
    if (url.startsWith('https:')) return https.request(url, { ...options, agent: secure });
    const proxy = this.#proxy;
    if (proxy === undefined) return http.request(url, { ...options, agent });
    const send = proxy.protocol === 'https:' ? https.request : http.request;
    const { host } = new URL(url);
    const authorized = { ...options.headers, host, ...buildProxyAuthorization(proxy) };
    return send(proxy, { ...options, agent, path: url, headers: authorized });
  }
}

interface Agents {
  readonly plain: http.Agent;
  readonly secure: https.Agent;
}

function createAgents(pool: https.AgentOptions, proxy: URL | undefined): Agents {
  return {
    plain: proxy?.protocol === 'https:' ? new https.Agent(pool) : new http.Agent(pool),
    secure: proxy === undefined ? new https.Agent(pool) : new ProxiedHttpsAgent(proxy, pool),
  };
}

/**
 * Returns the certificate options. Without added certificates, Node trusts its own and those of
 * `NODE_EXTRA_CA_CERTS`.
 */
function buildCaOptions(added: NodeTransportOptions['ca']): { readonly ca?: string[] } {
  return added === undefined ? {} : { ca: [...rootCertificates, ...[added].flat()] };
}

async function read(response: http.IncomingMessage, maxBytes: number): Promise<TransportResponse> {
  const status = response.statusCode ?? 0;
  const chunks = await readChunks(response, maxBytes).finally(() => {
    // Closes the connection of a rejected body. After a complete body, the connection is already back in the pool.
    if (!response.complete) response.destroy();
  });
  const [only] = chunks;
  const bytes = only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks);
  const body = decodeUtf8(bytes, status);
  // Node joins all repeated headers except this one.
  const { 'set-cookie': cookies, ...headers } = response.headers;
  if (cookies !== undefined) Object.assign(headers, { 'set-cookie': cookies.join(', ') });
  return { status, headers: headers as Record<string, string>, body };
}

/** Reads the body by events, which are faster than async iteration for small responses. */
function readChunks(response: http.IncomingMessage, maxBytes: number): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stream = decompress(response);
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

function decompress(response: http.IncomingMessage): Readable {
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

/** Parses the proxy's URL. The error doesn't quote it, since it may have a password. */
function parseProxyUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InvalidArgumentError('proxy', 'must be an http:// or https:// URL');
  }
  return url;
}
