import type { Transport, TransportRequest, TransportResponse } from '@caregate/api-client';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { AxiosTransport, type AxiosLike } from '@caregate/api-client/axios';
import { Agent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';

const PROBE_EVERY_MS = 50;
const PROBE_TIMEOUT_MS = 1000;
/** Requests that wait; each is small, and the rest fails at once. */
const MOST_WAITING = 2000;

/**
 * Waits while an upstream refuses connections, as it does while it restarts: nothing was sent, so nothing is repeated,
 * and one probe knocks for all who wait. Whoever comes later than `patienceMs` after the first refusal waits no more.
 */
export class UpstreamGate implements Transport {
  readonly #inner: Transport;
  readonly #address: { readonly host: string; readonly port: number };
  readonly #patienceMs: number;
  readonly #now: () => number;
  #refusedSince: number | undefined;
  #waiting = 0;
  #probe: Promise<boolean> | undefined;

  constructor(
    inner: Transport,
    baseUrl: string,
    patienceMs: number,
    now = (): number => performance.now(),
  ) {
    const { hostname, port, protocol } = new URL(baseUrl);
    this.#inner = inner;
    this.#address = {
      // An IPv6 address stands in brackets in a URL, and nowhere else.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
    };
    this.#patienceMs = patienceMs;
    this.#now = now;
  }

  async request(request: TransportRequest): Promise<TransportResponse> {
    for (;;) {
      try {
        const response = await this.#inner.request(request);
        this.#refusedSince = undefined;
        return response;
      } catch (error) {
        if (!isRefusal(error) || !(await this.#opens(request.signal))) {
          throw error;
        }
      }
    }
  }

  /** Whether the upstream takes connections again before patience or the request ends. */
  async #opens(signal: AbortSignal): Promise<boolean> {
    this.#refusedSince ??= this.#now();
    if (this.#isTooLate() || this.#waiting >= MOST_WAITING || signal.aborted) {
      return false;
    }
    this.#waiting += 1;
    let giveUp = (): void => undefined;
    const gone = new Promise<false>((resolve) => {
      giveUp = () => {
        resolve(false);
      };
    });
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      this.#probe ??= this.#knock().finally(() => (this.#probe = undefined));
      return await Promise.race([this.#probe, gone]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      this.#waiting -= 1;
    }
  }

  async #knock(): Promise<boolean> {
    while (this.#waiting > 0 && !this.#isTooLate()) {
      if (await isListening(this.#address)) {
        this.#refusedSince = undefined;
        return true;
      }
      await delay(PROBE_EVERY_MS);
    }
    return false;
  }

  #isTooLate(): boolean {
    const since = this.#refusedSince;
    return since !== undefined && this.#now() - since > this.#patienceMs;
  }
}

function isRefusal(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ECONNREFUSED';
}

function isListening(address: { host: string; port: number }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ ...address, timeout: PROBE_TIMEOUT_MS });
    const end = (listens: boolean): void => {
      socket.destroy();
      resolve(listens);
    };
    socket
      .on('connect', () => {
        end(true);
      })
      .on('timeout', () => {
        end(false);
      })
      .on('error', () => {
        end(false);
      });
  });
}

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
