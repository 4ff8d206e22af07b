import type { Transport, TransportRequest, TransportResponse } from '@caregate/api-client';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const PROBE_EVERY_MS = 50;
const PROBE_TIMEOUT_MS = 1000;
/** Maximum number of waiting requests; further ones fail immediately. */
const MOST_WAITING = 2000;

/** Waits while an upstream refuses connections: nothing was sent, so nothing is repeated. One probe serves all requests. */
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
      // IPv6 addresses are in brackets only in URLs.
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
