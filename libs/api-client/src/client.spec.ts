import { describe, expect, it, jest } from '@jest/globals';
import { inspect } from 'node:util';
import { API_KEY, getFailure } from '../testing/setup.ts';
import { HealthDataClient } from './client.ts';
import type { HealthDataClientOptions } from './connect.ts';
import { InvalidArgumentError, InvalidResponseError, TimeoutError } from './errors/call-errors.ts';
import { FetchTransport } from './transport/fetch.transport.ts';
import type { FetchFunction } from './transport/fetch.transport.ts';
import { BodyError } from './transport/transport.ts';
import type { Transport, TransportResponse } from './transport/transport.ts';

const OPTIONS = { baseUrl: 'https://health.example', apiKey: API_KEY, retries: false } as const;

function refusalOf(options: Partial<Record<keyof HealthDataClientOptions, unknown>>): Error {
  try {
    new HealthDataClient({ ...OPTIONS, ...options } as HealthDataClientOptions);
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a refusal');
}

describe('HealthDataClient', () => {
  it.each([
    ['baseUrl', 'health.example'],
    ['baseUrl', ''],
    ['baseUrl', undefined],
    ['baseUrl', 'ftp://health.example'],
    ['baseUrl', 'https://who:sesame@health.example'],
    ['baseUrl', 'https://health.example/?sesame'],
    ['baseUrl', 'https://health.example/?'],
    ['baseUrl', 'https://health.example/#sesame'],
    ['apiKey', ''],
    ['apiKey', undefined],
    ['apiKey', 'sesame\r\nx-other: 1'],
    ['apiKey', 'sésame'],
    ['headerName', ''],
    ['headerName', 'sesame: x'],
    ['timeoutMs', 0],
    ['timeoutMs', Infinity],
    ['maxBodyBytes', 0],
    ['attemptTimeoutMs', 0],
    ['attemptTimeoutMs', NaN],
  ])('refuses %s %p and does not repeat it', (name, value) => {
    const error = refusalOf({ [name]: value });
    expect(error).toBeInstanceOf(InvalidArgumentError);
    expect(error).toMatchObject({ argument: name });
    expect(inspect(error)).not.toContain('sesame');
  });

  it('says that the API key is missing', async () => {
    for (const apiKey of [undefined, null, '']) {
      expect(refusalOf({ apiKey }).message).toBe('API key is missing');
    }
    expect(refusalOf({ apiKey: 'two words' }).message).toBe('API key must be visible ASCII');
    const apiKey = (): string => process.env['A_KEY_THAT_NOBODY_SET'] as string;
    const client = new HealthDataClient({ ...OPTIONS, apiKey });
    expect((await getFailure(client.users.list())).message).toBe('API key is missing');
  });

  it('never shows the key, however it is inspected', () => {
    const client = new HealthDataClient(OPTIONS);
    expect(inspect(client, { depth: null, showHidden: true, getters: true })).not.toContain(
      API_KEY,
    );
    expect(JSON.stringify(client)).not.toContain(API_KEY);
  });

  it('holds its deadline and its cap over a transport that minds neither', async () => {
    const never: Transport = { request: () => new Promise(() => undefined) };
    const slow = new HealthDataClient({ ...OPTIONS, transport: never, timeoutMs: 20 });
    expect(await getFailure(slow.users.list())).toBeInstanceOf(TimeoutError);
    const answer: TransportResponse = { status: 200, headers: {}, body: ' '.repeat(50) };
    const large: Transport = { request: () => Promise.resolve(answer) };
    const capped = new HealthDataClient({ ...OPTIONS, transport: large, maxBodyBytes: 49 });
    expect(await getFailure(capped.users.list())).toBeInstanceOf(InvalidResponseError);
  });

  it('aborts the signal of a transport that refused a body, so that it lets the connection go', async () => {
    const signals: AbortSignal[] = [];
    const refusing: Transport = {
      request: ({ signal }) => {
        signals.push(signal);
        return Promise.reject(new BodyError('too-large', 503));
      },
    };
    const client = new HealthDataClient({ ...OPTIONS, transport: refusing });
    expect(await getFailure(client.users.list())).toMatchObject({
      name: 'ServerError',
      status: 503,
    });
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  it('keeps the key out of an error that a transport wrote it into', async () => {
    const leaky: Transport = {
      request: (request) =>
        Promise.reject(
          Object.assign(new Error(inspect(request)), { config: request, code: request.url }),
        ),
    };
    const client = new HealthDataClient({ ...OPTIONS, transport: leaky });
    const error = await getFailure(client.users.resolve('patient-17'));
    const shown = inspect(error, { depth: null, showHidden: true });
    expect(shown).not.toContain(API_KEY);
    expect(shown).not.toContain('patient-17');
  });

  it('takes the fetch that is given, without cookies, caches or a referrer', async () => {
    const fetch = jest.fn<FetchFunction>(() =>
      Promise.resolve(new Response('{"users":[],"total":0,"offset":0,"limit":1}')),
    );
    const client = new HealthDataClient({ ...OPTIONS, transport: new FetchTransport(fetch) });
    await client.users.list();
    expect(fetch).toHaveBeenCalledWith(
      'https://health.example/v2/user/',
      expect.objectContaining({
        redirect: 'manual',
        credentials: 'omit',
        cache: 'no-store',
        referrerPolicy: 'no-referrer',
      }),
    );
  });
});
