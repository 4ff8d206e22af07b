import { describe, expect, it, jest } from '@jest/globals';
import { inspect } from 'node:util';
import { getFailure, USER_ID } from '../testing/setup.ts';
import type { Authorize } from './authorize.ts';
import { HealthDataClient } from './client.ts';
import { CircuitBreaker } from './resilience/circuit-breaker.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
import { VERSION } from './transport/user-agent.ts';

const baseUrl = 'https://health.example/prefix';

/** Creates a transport with these responses, in turn. It collects the requests. */
function transportOf(...answers: Partial<TransportResponse>[]): Transport & {
  readonly sent: TransportRequest[];
} {
  const sent: TransportRequest[] = [];
  return {
    sent,
    request: (request) => {
      sent.push(request);
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      return Promise.resolve({ status: 200, headers: {}, body: '{}', ...answer });
    },
  };
}

const user = { status: 200, body: JSON.stringify({ user_id: USER_ID }) };

describe('authorize', () => {
  it('is asked for each request by its method and whole address, a retry included', async () => {
    const transport = transportOf({ status: 503 }, user);
    const authorize = jest.fn<Authorize>(({ method, url }) =>
      Promise.resolve({
        Authorization: 'DPoP t0ken',
        dpop: `${method} ${url} ${transport.sent.length}`,
      }),
    );
    const client = new HealthDataClient({ baseUrl, authorize, transport, retries: { baseMs: 0 } });
    await client.users.resolve('patient-17', { headers: { 'x-request-id': 'r', dpop: 'mine' } });
    const address = `${baseUrl}/v2/user/resolve/patient-17`;
    expect(transport.sent.map(({ headers }) => headers)).toEqual(
      [0, 1].map((count) => ({
        accept: 'application/json',
        authorization: 'DPoP t0ken',
        dpop: `GET ${address} ${count}`,
        'user-agent': `caregate-api-client/${VERSION}`,
        'x-request-id': 'r',
      })),
    );
    expect(transport.sent.map(({ url }) => url)).toEqual([address, address]);
  });

  it('that throws sends and retries nothing, and rejects the call with what it threw', async () => {
    const reason = new Error('the session is over');
    const transport = transportOf(user);
    const authorize = jest.fn<Authorize>(() => Promise.reject(reason));
    const circuitBreaker = new CircuitBreaker({ minimum: 1 });
    const client = new HealthDataClient({ baseUrl, authorize, transport, circuitBreaker });
    await expect(client.users.resolve('patient-17')).rejects.toBe(reason);
    expect([authorize.mock.calls.length, transport.sent.length]).toEqual([1, 0]);
    expect(circuitBreaker.counts).toMatchObject({ succeeded: 0, failed: 0 });
  });

  it('leaves none of its secrets in an error of a server that echoes them', async () => {
    const secrets = ['cg_sess_abc_s3cret', 'eyJ.proof.sig'] as const;
    const transport = transportOf({
      status: 401,
      headers: { 'x-echo': `DPoP ${secrets[0]}` },
      body: JSON.stringify({ title: secrets[0], detail: `of ${secrets[1]}` }),
    });
    const client = new HealthDataClient({
      ...{ baseUrl, transport },
      authorize: () => ({ authorization: `DPoP ${secrets[0]}`, dpop: secrets[1] }),
    });
    const failure = await getFailure(client.users.resolve('patient-17'));
    const shown = inspect(failure, { depth: null, showHidden: true });
    expect(failure.name).toBe('UnauthorizedError');
    for (const secret of secrets) expect(shown).not.toContain(secret);
  });
});

describe('a key that is rotated', () => {
  it('is asked for before each request, so that a retry has the new one', async () => {
    const keys = ['first', 'second'];
    const transport = transportOf({ status: 503 }, user);
    const apiKey = (): Promise<string> => Promise.resolve(keys.shift() ?? 'third');
    const client = new HealthDataClient({ baseUrl, apiKey, transport, retries: { baseMs: 0 } });
    await client.users.resolve('x');
    await client.users.resolve('x');
    expect(transport.sent.map(({ headers }) => headers['x-service-api-key'])).toEqual([
      ...['first', 'second', 'third'],
    ]);
  });
});

describe('headers of every request', () => {
  it('are the package and its version, and those of the client, unless the call has its own', async () => {
    const transport = transportOf(user);
    const headers = { 'X-Clinic': 'north', 'x-desk': '7' };
    const client = new HealthDataClient({ baseUrl, apiKey: 'k', headers, transport });
    const own = { 'X-Desk': '8', Accept: 'text/html', 'X-Service-Api-Key': 'other' };
    await client.users.resolve('x', { headers: own });
    await client.users.resolve('x', { headers: { 'user-agent': 'night job' } });
    const always = { accept: 'application/json', 'x-clinic': 'north', 'x-service-api-key': 'k' };
    expect(transport.sent.map((request) => request.headers)).toEqual([
      { ...always, 'x-desk': '8', 'user-agent': `caregate-api-client/${VERSION}` },
      { ...always, 'x-desk': '7', 'user-agent': 'night job' },
    ]);
  });

  it('are refused when the client is made where they are none', () => {
    const options = { baseUrl, apiKey: 'k', headers: { 'x-clinic': 'n\r\nx: 1' } };
    expect(() => new HealthDataClient(options)).toThrow(/headers must be visible ASCII/);
  });
});
