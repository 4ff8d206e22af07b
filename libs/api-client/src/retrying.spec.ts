import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../testing/fake-clock.ts';
import { TRANSPORTS, createClient, getFailure } from '../testing/setup.ts';
import { TestServer, until } from '../testing/test-server.ts';
import { AbortError, TimeoutError } from './errors/call-errors.ts';

const USER = JSON.stringify({ user_id: 'u1' });
const QUICK = { baseMs: 1, capMs: 2 };

describe.each(TRANSPORTS)('retries over %s', (_, transport) => {
  let server: TestServer;

  beforeAll(async () => {
    server = await TestServer.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => server.forget());

  /** Makes the first requests fail in these ways. */
  function failFirst(...failures: (typeof server)['answer'][]): void {
    server.answer = (request, response) => {
      const failure = failures.shift();
      if (failure === undefined) response.end(USER);
      else failure(request, response);
    };
  }

  it('a cut connection, before the answer and in its body, is tried again and mends', async () => {
    failFirst(
      (_request, response) => response.destroy(),
      (_request, response) => {
        response.writeHead(200, { 'content-length': '500' });
        response.write('{"user_id":');
        setTimeout(() => response.destroy(), 10);
      },
    );
    const client = createClient(server, { transport: transport(), retries: QUICK });
    expect(await client.users.resolve('patient-17')).toEqual({ user_id: 'u1' });
    expect(server.targets).toHaveLength(3);
  });

  it('a body that stalls for longer than an attempt may take is tried again, its connection let go', async () => {
    failFirst((_request, response) => {
      response.writeHead(200);
      response.write('{"user_id":');
    });
    const clock = new FakeClock();
    const client = createClient(server, {
      transport: transport(),
      retries: { baseMs: 0 },
      attemptTimeoutMs: 80,
      clock,
    });
    const call = client.users.resolve('patient-17');
    await until(() => server.targets.length === 1);
    await clock.advance(80);
    expect(await call).toEqual({ user_id: 'u1' });
    expect(server.targets).toHaveLength(2);
    await until(() => server.dropped === 1);
    expect(server.dropped).toBe(1);
  });

  it('holds the deadline of the whole call over all attempts', async () => {
    server.answer = () => undefined;
    const clock = new FakeClock();
    const sentAt: number[] = [];
    const client = createClient(server, {
      transport: transport(),
      retries: { baseMs: 0, attempts: 50, budgetTokens: 50 },
      attemptTimeoutMs: 40,
      hooks: { onAttemptStart: () => sentAt.push(clock.now()) },
      clock,
    });
    const call = getFailure(client.users.resolve('x', { timeoutMs: 150 }));
    for (const sent of [1, 2, 3, 4]) {
      await until(() => server.targets.length === sent);
      await clock.advance(40);
    }
    const error = await call;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ timeoutMs: 150 });
    await clock.advance(10_000);
    await until(() => server.dropped === 4);
    expect(sentAt).toEqual([0, 40, 80, 120]);
    expect([server.targets.length, server.dropped, clock.timers]).toEqual([4, 4, 0]);
  });

  it('gives up at once when aborted between two attempts, and sends nothing more', async () => {
    server.json({}, 503);
    const slow = { baseMs: 60_000, capMs: 60_000 };
    const clock = new FakeClock();
    const controller = new AbortController();
    const client = createClient(server, {
      transport: transport(),
      retries: slow,
      timeoutMs: 900_000,
      clock,
    });
    const call = getFailure(client.users.resolve('x', { signal: controller.signal }));
    // The timer of the deadline, and the timer of the wait.
    await until(() => server.targets.length === 1 && clock.timers === 2);
    controller.abort('closed');
    const error = await call;
    expect(error).toBeInstanceOf(AbortError);
    expect(error.cause).toBe('closed');
    expect(clock.timers).toBe(0);
    expect(server.targets).toHaveLength(1);
  });
});
