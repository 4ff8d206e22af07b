import axios from 'axios';
import { AxiosTransport } from '../src/axios.ts';
import { HealthDataClient } from '../src/client.ts';
import type { HealthDataClientOptions } from '../src/connect.ts';
import { HealthDataError } from '../src/errors/health-data-error.ts';
import { FetchTransport } from '../src/transport/fetch.transport.ts';
import { NodeTransport } from '../src/transport/node.transport.ts';
import type { Transport } from '../src/transport/transport.ts';
import type { TestServer } from './test-server.ts';

export const API_KEY = 'cgk_test_N0tARealKey-1234567890';
export const USER_ID = '7f6f6c44-36b1-4b4b-9d2c-0d2f1a3b5c7d';

/** Every transport of this package. The axios one has axios's own defaults. */
export const TRANSPORTS: readonly (readonly [string, () => Transport])[] = [
  ['FetchTransport', (): Transport => new FetchTransport()],
  ['AxiosTransport', (): Transport => new AxiosTransport(axios.create())],
  [
    'AxiosTransport on fetch',
    (): Transport => new AxiosTransport(axios.create({ adapter: 'fetch' })),
  ],
  ['NodeTransport', (): Transport => new NodeTransport()],
];

/** Creates a client without retries, unless the options have them. */
export function createClient(
  server: TestServer,
  options: Partial<HealthDataClientOptions> = {},
): HealthDataClient {
  return new HealthDataClient({ baseUrl: server.url, apiKey: API_KEY, retries: false, ...options });
}

/**
 * Returns the error that the call rejects with. Fails if the call resolves, or rejects with an error that isn't of
 * this package.
 */
export async function getFailure(call: Promise<unknown>): Promise<HealthDataError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof HealthDataError) return error;
    throw new Error(`not a HealthDataError: ${String(error)}`, { cause: error });
  }
  throw new Error('expected a failure');
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
