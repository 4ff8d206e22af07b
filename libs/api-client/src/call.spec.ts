import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../testing/fake-clock.ts';
import { API_KEY, USER_ID, clientOf, failureOf } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import type { Handler } from '../testing/test-server.ts';
import type { AttemptEnd, AttemptStart } from './attempt.ts';
import { CircuitBreaker } from './resilience/circuit-breaker.ts';
import { NotFoundError } from './errors/api-errors.ts';
import { CircuitOpenError } from './errors/call-errors.ts';

const ROUTE = 'GET /v2/user/resolve/{client_user_id}';
const QUICK = { baseMs: 1, capMs: 2 };
let server: TestServer;

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(() => server.forget());

function withId(
  body: object,
  headers: Record<string, string> = { 'x-request-id': 'r-9' },
): Handler {
  return (_, response) => response.writeHead(500, headers).end(JSON.stringify(body));
}

describe('withResponse', () => {
  it('gives status, headers, request id and text of the same one request', async () => {
    server.text('{"user_id": "u1"}', 200, { 'x-request-id': 'r-1', 'X-Other': API_KEY });
    const answer = await clientOf(server).users.resolve('patient-17').withResponse();
    expect(answer).toMatchObject({
      data: { user_id: 'u1' },
      status: 200,
      requestId: 'r-1',
      text: '{"user_id": "u1"}',
    });
    expect(answer.headers['x-other']).toBe('[API key]');
    expect(server.targets).toHaveLength(1);
  });

  // Jest fails a test that leaves a rejection unhandled.
  it('rejects as the call does and leaves no rejection unhandled', async () => {
    server.json({}, 404);
    const { users } = clientOf(server);
    const error = await failureOf(users.resolve('x').withResponse());
    expect(error).toBeInstanceOf(NotFoundError);
    expect(await failureOf(users.list({ limit: 0 }).withResponse())).toMatchObject({
      argument: 'limit',
    });
    expect(await failureOf(users.resolve('x'))).toBeInstanceOf(NotFoundError);
  });
});

describe('headers of a call', () => {
  it.each([{ 'x-a': 'sesame\r\nx-b: 1' }, { 'x-a': 'sésame' }, { 'sesame: 1': 'x' }])(
    'refuse %p before a request and do not repeat it',
    async (headers) => {
      const error = await failureOf(clientOf(server).users.resolve('x', { headers }));
      expect(error).toMatchObject({ name: 'InvalidArgumentError', argument: 'headers' });
      expect(error.message).not.toMatch(/s.same/);
      expect(server.targets).toEqual([]);
    },
  );
});

describe('hooks', () => {
  it('show each request with route, number, reason, status, duration and request ids', async () => {
    const events: unknown[] = [];
    const answers: [number, string][] = [
      [429, 'r-1'],
      [503, 'r-2'],
      [200, 'r-3'],
    ];
    server.answer = (_, response) => {
      const [status, id] = answers.shift() ?? [500, 'none'];
      response.writeHead(status, { 'x-request-id': id }).end('{"user_id":"u1"}');
    };
    const hooks = {
      onAttemptStart: (event: AttemptStart) => events.push(event),
      onAttemptEnd: ({ durationMs, ...event }: AttemptEnd) => {
        expect(durationMs).toBeGreaterThan(0);
        events.push(event);
      },
    };
    const headers = { 'X-Request-Id': 'mine-7' };
    await clientOf(server, { hooks, retries: QUICK }).users.resolve('patient-17', { headers });
    const base = { operation: 'resolveUser', route: ROUTE, sentRequestId: 'mine-7' };
    const first = { ...base, attempt: 1, retryReason: undefined };
    const second = { ...base, attempt: 2, retryReason: 'rate-limited' };
    const third = { ...base, attempt: 3, retryReason: 'unavailable' };
    expect(events).toEqual([
      first,
      { ...first, status: 429, requestId: 'r-1', failure: 'RateLimitedError' },
      second,
      { ...second, status: 503, requestId: 'r-2', failure: 'ServerError' },
      third,
      { ...third, status: 200, requestId: 'r-3', failure: undefined },
    ]);
  });

  it('never see URL, key or id, whatever fails', async () => {
    const seen: unknown[] = [];
    const hooks = {
      onAttemptStart: (event: unknown) => seen.push(event),
      onAttemptEnd: (event: unknown) => seen.push(event),
    };
    const client = clientOf(server, { hooks, retries: QUICK });
    server.json({ detail: USER_ID }, 404, { 'x-other': USER_ID });
    await failureOf(client.orders.result(USER_ID));
    server.answer = (_, response) => response.destroy();
    await failureOf(client.orders.result(USER_ID));
    expect(seen.length).toBeGreaterThanOrEqual(8);
    const text = JSON.stringify(seen);
    for (const secret of [USER_ID, API_KEY, server.url]) expect(text).not.toContain(secret);
  });

  it.each<[string, Handler, string | undefined]>([
    ['in the header', withId({}), 'r-9'],
    ['in the body alone', withId({ request_id: 'r-10' }, {}), 'r-10'],
    ['in neither', withId({}, {}), undefined],
    ['with no answer', (_, response) => response.destroy(), undefined],
  ])('know the request id of a failure: %s', async (_what, answer, requestId) => {
    const ended: AttemptEnd[] = [];
    const hooks = { onAttemptEnd: (event: AttemptEnd) => ended.push(event) };
    server.answer = answer;
    await failureOf(clientOf(server, { hooks }).users.resolve('x'));
    expect(ended.map((event) => event.requestId)).toEqual([requestId]);
    expect(ended.map((event) => event.sentRequestId)).toEqual([undefined]);
  });

  it('name the deadline of the whole call as the failure of its last request', async () => {
    const failures: unknown[] = [];
    server.answer = () => undefined;
    const hooks = { onAttemptEnd: ({ failure }: AttemptEnd) => failures.push(failure) };
    const client = clientOf(server, { hooks });
    await failureOf(client.users.resolve('x', { timeoutMs: 30 }));
    await failureOf(client.users.resolve('x', { signal: AbortSignal.timeout(30) }));
    expect(failures).toEqual(['TimeoutError', 'AbortError']);
  });

  it('break no call by throwing or rejecting', async () => {
    server.json({ user_id: 'u1' });
    const hooks = {
      onAttemptStart: () => {
        throw new Error('broken log');
      },
      onAttemptEnd: () => Promise.reject(new Error('broken log')),
    };
    const client = clientOf(server, { hooks });
    expect(await client.users.resolve('x')).toEqual({ user_id: 'u1' });
  });
});

describe('the circuit breaker in a client', () => {
  it('opens on failures, refuses without a request, and closes when the service is back', async () => {
    const clock = new FakeClock();
    const circuitBreaker = new CircuitBreaker({ window: 4, minimum: 4, openMs: 40, clock });
    const client = clientOf(server, { circuitBreaker });
    server.json({}, 500);
    for (let i = 0; i < 4; i += 1) await failureOf(client.users.resolve('x'));
    const refused = await failureOf(client.users.resolve('x'));
    expect(refused).toBeInstanceOf(CircuitOpenError);
    expect(refused.message).toBe(`${ROUTE}: not sent: the circuit breaker is open`);
    expect(server.targets).toHaveLength(4);
    server.json({ user_id: 'u1' });
    await clock.advance(40);
    expect(await client.users.resolve('x')).toEqual({ user_id: 'u1' });
    expect(circuitBreaker.state).toBe('closed');
    expect(circuitBreaker.counts).toEqual({ succeeded: 1, failed: 4, refused: 1, opened: 1 });
  });

  it('does not open on refusals that the caller has to mend, nor on aborts', async () => {
    const circuitBreaker = new CircuitBreaker({ window: 2, minimum: 2 });
    const client = clientOf(server, { circuitBreaker });
    for (const status of [401, 404, 422, 429]) {
      server.json({}, status);
      await failureOf(client.users.resolve('x'));
    }
    server.answer = () => undefined;
    for (let i = 0; i < 3; i += 1) {
      await failureOf(client.users.resolve('x', { signal: AbortSignal.timeout(10) }));
    }
    expect(circuitBreaker.state).toBe('closed');
    for (let i = 0; i < 2; i += 1) await failureOf(client.users.resolve('x', { timeoutMs: 10 }));
    expect(circuitBreaker.state).toBe('open');
  });
});
