import { describe, expect, it, jest } from '@jest/globals';
import { inspect } from 'node:util';
import { failureOf, USER_ID } from '../testing/setup.ts';
import type { Authorize } from './authorize.ts';
import { HealthDataClient } from './client.ts';
import { InvalidArgumentError } from './errors/call-errors.ts';
import { CircuitBreaker } from './resilience/circuit-breaker.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
import { VERSION } from './transport/user-agent.ts';

const baseUrl = 'https://health.example/prefix';

/** Answers with these, in turn, and keeps what was sent. */
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

  it('that gives what is no header sends nothing, and it is not repeated', async () => {
    const transport = transportOf(user);
    const authorize: Authorize = () => ({ authorization: 'DPoP sesame\r\nx-other: 1' });
    const failure = await failureOf(
      new HealthDataClient({ baseUrl, authorize, transport }).users.resolve('patient-17'),
    );
    expect(failure).toMatchObject({ name: 'InvalidArgumentError', argument: 'headers' });
    expect(inspect(failure)).not.toContain('sesame');
    expect(transport.sent).toEqual([]);
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
    const failure = await failureOf(client.users.resolve('patient-17'));
    const shown = inspect(failure, { depth: null, showHidden: true });
    expect(failure.name).toBe('UnauthorizedError');
    for (const secret of secrets) expect(shown).not.toContain(secret);
  });

  it('is needed where there is no key', () => {
    expect(() => new HealthDataClient({ baseUrl })).toThrow(InvalidArgumentError);
  });
});
