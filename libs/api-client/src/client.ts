import { baseAddress } from './address.ts';
import { callerOf } from './call.ts';
import { checkTimeout } from './deadline.ts';
import { InvalidArgumentError } from './errors/call-errors.ts';
import { Orders } from './orders.ts';
import { Timeseries } from './timeseries.ts';
import { FetchTransport } from './transport/fetch.transport.ts';
import type { Transport } from './transport/transport.ts';
import { Users } from './users.ts';

export interface HealthDataClientOptions {
  /** http or https, with a path prefix if there is one; no query, fragment, user name or password. */
  readonly baseUrl: string;
  /** The team's key. Not readable again from the client. */
  readonly apiKey: string;
  /** `fetch` of the platform unless given. */
  readonly transport?: Transport | undefined;
  /** Milliseconds until a whole answer must be read; 30,000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** Most bytes of an answer's body, after decompression; 32 MiB unless given. */
  readonly maxBodyBytes?: number | undefined;
  /** Request header of the key; `x-service-api-key` unless given. */
  readonly headerName?: string | undefined;
}

/** Typed calls of the health data service. Throws {@link InvalidArgumentError} for options that cannot work. */
export class HealthDataClient {
  readonly users: Users;
  readonly orders: Orders;
  readonly timeseries: Timeseries;

  constructor(options: HealthDataClientOptions) {
    const call = callerOf({
      address: baseAddress(options.baseUrl),
      apiKey: checkedKey(options.apiKey),
      headerName: checkedHeaderName(options.headerName ?? 'x-service-api-key'),
      transport: options.transport ?? new FetchTransport(),
      timeoutMs: checkTimeout(options.timeoutMs ?? 30_000),
      maxBodyBytes: checkedSize(options.maxBodyBytes ?? 32 * 1024 * 1024),
    });
    this.users = new Users(call);
    this.orders = new Orders(call);
    this.timeseries = new Timeseries(call);
  }
}

/** Here and not in the platform, whose complaint about a bad header quotes it. */
function checkedKey(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new InvalidArgumentError('apiKey', 'must be visible ASCII characters, without spaces');
  }
  return apiKey;
}

function checkedHeaderName(name: unknown): string {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    throw new InvalidArgumentError('headerName', 'must be the name of an HTTP header');
  }
  return name.toLowerCase();
}

function checkedSize(bytes: unknown): number {
  if (!Number.isSafeInteger(bytes) || (bytes as number) < 1) {
    throw new InvalidArgumentError('maxBodyBytes', 'must be a whole number of at least 1');
  }
  return bytes as number;
}
