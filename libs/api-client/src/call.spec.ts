import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../testing/fake-clock.ts';
import { API_KEY, USER_ID, createClient, getFailure } from '../testing/setup.ts';
import { TestServer, until } from '../testing/test-server.ts';
import type { Handler } from '../testing/test-server.ts';
import type { AttemptEnd, AttemptStart } from './attempt.ts';
import type { Logger } from './logger.ts';
import type { Transport } from './transport/transport.ts';
import { CircuitBreaker } from './resilience/circuit-breaker.ts';
import { NotFoundError } from './errors/api-errors.ts';
import { AbortError, CircuitOpenError, TimeoutError } from './errors/call-errors.ts';

const ROUTE = 'GET /v2/user/resolve/{client_user_id}';
const QUICK = { baseMs: 1, capMs: 2 };
const server = await TestServer.forSpec();

describe('withResponse', () => {
  it('gives status, headers, request id and text of the same one request', async () => {
    server.text('{"user_id": "u1"}', 200, { 'x-request-id': 'r-1', 'X-Other': API_KEY });
    const answer = await createClient(server).users.resolve('patient-17').withResponse();
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
    const { users } = createClient(server);
    const error = await getFailure(users.resolve('x').withResponse());
    expect(error).toBeInstanceOf(NotFoundError);
    expect(await getFailure(users.list({ limit: 0 }).withResponse())).toMatchObject({
      argument: 'limit',
    });
    expect(await getFailure(users.resolve('x'))).toBeInstanceOf(NotFoundError);
  });
});

describe('headers of a call', () => {
  it.each([{ 'x-a': 'sesame\r\nx-b: 1' }, { 'x-a': 'sésame' }, { 'sesame: 1': 'x' }])(
    'refuse %p before a request and do not repeat it',
    async (headers) => {
      const error = await getFailure(createClient(server).users.resolve('x', { headers }));
      expect(error).toMatchObject({ name: 'InvalidArgumentError', argument: 'headers' });
      expect(error.message).not.toMatch(/s.same/);
      expect(server.targets).toEqual([]);
    },
  );
});

describe('retries of a call', () => {
  const unavailable: Handler = (_, response) => response.writeHead(503).end();

  it('hold the deadline of the call over all attempts, and let each connection go', async () => {
    server.answer = (_, response) => response.writeHead(200).write('{"user_id":');
    const clock = new FakeClock();
    const sentAt: number[] = [];
    const { users } = createClient(server, {
      ...{ clock, attemptTimeoutMs: 40, retries: { baseMs: 0, attempts: 50, budgetTokens: 50 } },
      hooks: { onAttemptStart: () => sentAt.push(clock.now()) },
    });
    const call = getFailure(users.resolve('x', { timeoutMs: 150 }));
    for (const sent of [1, 2, 3, 4]) {
      await until(() => server.targets.length === sent);
      await clock.advance(40);
    }
    const error = await call;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ timeoutMs: 150 });
    await clock.advance(10_000);
    await until(() => server.dropped === 4);
    expect([sentAt, clock.timers]).toEqual([[0, 40, 80, 120], 0]);
  });

  it('end when the call is aborted between two attempts, and send nothing more', async () => {
    server.answer = unavailable;
    const clock = new FakeClock();
    const controller = new AbortController();
    const retries = { baseMs: 60_000, capMs: 60_000 };
    const { users } = createClient(server, { retries, timeoutMs: 900_000, clock });
    const call = getFailure(users.resolve('x', { signal: controller.signal }));
    // The timer of the deadline, and the timer of the wait.
    await until(() => server.targets.length === 1 && clock.timers === 2);
    controller.abort('closed');
    const error = await call;
    expect(error).toBeInstanceOf(AbortError);
    expect([error.cause, clock.timers, server.targets.length]).toEqual(['closed', 0, 1]);
  });

  it('count instead of those of the client, for this call alone', async () => {
    server.answer = unavailable;
    const { users } = createClient(server, { retries: QUICK });
    const sent: number[] = [];
    for (const retries of [{ attempts: 2 }, false, undefined, { attempts: undefined }] as const) {
      await server.forget();
      expect(await getFailure(users.resolve('x', { retries }))).toMatchObject({ status: 503 });
      sent.push(server.targets.length);
    }
    expect(sent).toEqual([2, 1, 3, 3]);
  });

  it.each([{ attempts: 0 }, { baseMs: -1 }, { capMs: NaN }])(
    'refuse %p before a request',
    async (retries) => {
      const error = await getFailure(createClient(server).users.resolve('x', { retries }));
      expect(error).toMatchObject({ argument: `retries.${Object.keys(retries)[0]!}` });
      expect(server.targets).toEqual([]);
    },
  );
});

/** Creates a logger that collects lines with their level. */
function keeping(lines: string[], details: object[] = []): Logger {
  const at = (level: keyof Logger) => (message: string, detail: object) => {
    lines.push(`${level} ${message}`);
    details.push(detail);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

describe('logger', () => {
  it('gets each request and answer at debug, and a failure that is retried at warn', async () => {
    const statuses = [503, 200];
    server.answer = (_, response) => {
      response.writeHead(statuses.shift() ?? 500, { 'x-request-id': 'r-1' }).end('{"user_id":"u"}');
    };
    const lines: string[] = [];
    const details: object[] = [];
    const logger = keeping(lines, details);
    await createClient(server, { logger, retries: QUICK }).users.resolve('patient-17');
    expect(lines).toEqual([
      `debug ${ROUTE}: sent`,
      `warn ${ROUTE}: responded with status 503`,
      `debug ${ROUTE}: sent`,
      `debug ${ROUTE}: responded with status 200`,
    ]);
    expect(details[1]).toMatchObject({
      ...{ operation: 'resolveUser', route: ROUTE, attempt: 1, status: 503, requestId: 'r-1' },
      ...{ failure: 'ServerError', durationMs: expect.any(Number) },
    });
    expect(details[2]).toMatchObject({ attempt: 2, retryReason: 'unavailable' });
  });

  it('gets a refusal at info, and a call that failed at error', async () => {
    const lines: string[] = [];
    const { users } = createClient(server, { logger: keeping(lines) });
    server.json({}, 404);
    await getFailure(users.resolve('x'));
    server.json({}, 500);
    await getFailure(users.resolve('x'));
    await getFailure(users.list({ limit: 0 }));
    await getFailure(users.resolve('x', { signal: AbortSignal.abort() }));
    expect(lines.filter((line) => !line.startsWith('debug'))).toEqual([
      `info ${ROUTE}: responded with status 404`,
      `warn ${ROUTE}: responded with status 500`,
      `error ${ROUTE}: responded with status 500`,
      'error GET /v2/user/: limit must be a whole number, 1 to 500',
    ]);
  });

  it('never sees URL, key, id or body, whatever happens', async () => {
    const lines: string[] = [];
    const details: object[] = [];
    const logger = keeping(lines, details);
    const client = createClient(server, { logger, retries: QUICK });
    server.json({ user_id: USER_ID, detail: API_KEY }, 200, { 'x-other': USER_ID });
    await client.users.resolve('patient-17');
    await client.users.info(USER_ID);
    server.json({ title: USER_ID, detail: API_KEY }, 422);
    await getFailure(client.orders.list({ patientName: 'Okonkwo' }));
    await getFailure(client.people.search('Okonkwo'));
    server.text('<p>Okonkwo</p>', 200, {});
    await getFailure(client.orders.result(USER_ID));
    await getFailure(client.orders.result(`${USER_ID}\ud800`));
    const failing: Transport = { request: ({ url }) => Promise.reject(new Error(url)) };
    const cut = createClient(server, { logger, transport: failing });
    await getFailure(cut.users.resolve('patient-17'));
    expect(lines.length).toBeGreaterThan(10);
    const seen = JSON.stringify([lines, details]);
    for (const secret of [API_KEY, USER_ID, server.url, 'patient-17', 'Okonkwo']) {
      expect(seen).not.toContain(secret);
    }
  });
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
    await createClient(server, { hooks, retries: QUICK }).users.resolve('patient-17', { headers });
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

  it('break no call by throwing or rejecting', async () => {
    server.json({ user_id: 'u1' });
    const hooks = {
      onAttemptStart: () => {
        throw new Error('broken log');
      },
      onAttemptEnd: () => Promise.reject(new Error('broken log')),
    };
    const client = createClient(server, { hooks });
    expect(await client.users.resolve('x')).toEqual({ user_id: 'u1' });
  });
});

describe('the circuit breaker in a client', () => {
  it('opens on failures, refuses without a request, and closes when the service is back', async () => {
    const clock = new FakeClock();
    const circuitBreaker = new CircuitBreaker({ window: 4, minimum: 4, openMs: 40, clock });
    const client = createClient(server, { circuitBreaker });
    server.json({}, 500);
    for (let i = 0; i < 4; i += 1) await getFailure(client.users.resolve('x'));
    const refused = await getFailure(client.users.resolve('x'));
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
    const client = createClient(server, { circuitBreaker });
    for (const status of [401, 404, 422, 429]) {
      server.json({}, status);
      await getFailure(client.users.resolve('x'));
    }
    server.answer = () => undefined;
    for (let i = 0; i < 3; i += 1) {
      await getFailure(client.users.resolve('x', { signal: AbortSignal.timeout(10) }));
    }
    expect(circuitBreaker.state).toBe('closed');
    for (let i = 0; i < 2; i += 1) await getFailure(client.users.resolve('x', { timeoutMs: 10 }));
    expect(circuitBreaker.state).toBe('open');
  });
});
