import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import fc from '@caregate/seeded';
import { API_KEY, clientOf, failureOf, TRANSPORTS, USER_ID } from '../../testing/setup.ts';
import { TestServer } from '../../testing/test-server.ts';
import { HealthDataClient } from '../client.ts';
import { logHooks } from './log-hooks.ts';
import { toArray } from './to-array.ts';
import { VERSION } from '../transport/user-agent.ts';

let server: TestServer;
const sent: Record<string, unknown>[] = [];

beforeAll(async () => {
  server = await TestServer.start();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.forget();
  sent.length = 0;
  answer([]);
});

/** Answers with these statuses in turn, and then with 200; keeps the headers. */
function answer(statuses: number[]): void {
  server.answer = (request, response) => {
    sent.push(request.headers);
    response.writeHead(statuses.shift() ?? 200, { 'x-request-id': 'r-9' }).end('{"user_id":"u1"}');
  };
}

describe('a key that is rotated', () => {
  it('is asked for before each request, so that a retry has the new one', async () => {
    const keys = ['first', 'second'];
    answer([503]);
    const apiKey = (): Promise<string> => Promise.resolve(keys.shift() ?? 'third');
    const client = clientOf(server, { apiKey, retries: { baseMs: 0 } });
    await client.users.resolve('x');
    await client.users.resolve('x');
    expect(sent.map((headers) => headers['x-service-api-key'])).toEqual([
      ...['first', 'second', 'third'],
    ]);
  });

  it('that cannot be had, or is none, sends nothing', async () => {
    const reason = new Error('the vault is sealed');
    const lost = clientOf(server, { apiKey: () => Promise.reject(reason) });
    await expect(lost.users.resolve('x')).rejects.toBe(reason);
    const broken = clientOf(server, { apiKey: () => 'sesame\r\nx: 1' });
    const failure = await failureOf(broken.users.resolve('x'));
    expect(failure).toMatchObject({ name: 'InvalidArgumentError', argument: 'apiKey' });
    expect(failure.message).not.toContain('sesame');
    expect(sent).toEqual([]);
  });
});

describe.each(TRANSPORTS)('headers of every request over %s', (_name, transport) => {
  it('are the package and its version, and those of the client, unless the call has its own', async () => {
    const headers = { 'X-Clinic': 'north', 'x-desk': '7' };
    const client = clientOf(server, { transport: transport(), headers });
    await client.users.resolve('x', { headers: { 'X-Desk': '8' } });
    await client.users.resolve('x', { headers: { 'user-agent': 'night job' } });
    expect(sent).toEqual([
      expect.objectContaining({
        ...{ 'x-clinic': 'north', 'x-desk': '8', 'x-service-api-key': API_KEY },
        'user-agent': `caregate-api-client/${VERSION}`,
      }),
      expect.objectContaining({ 'x-desk': '7', 'user-agent': 'night job' }),
    ]);
  });
});

it('refuses headers that are none when it is made', () => {
  const options = { baseUrl: server.url, apiKey: 'k', headers: { 'x-clinic': 'n\r\nx: 1' } };
  expect(() => new HealthDataClient(options)).toThrow(/headers must be visible ASCII/);
});

it('says the version that its package.json has', async () => {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  expect(VERSION).toBe((JSON.parse(text) as { version: string }).version);
});

describe('toArray', () => {
  it('has the first of any items, and asks for none beyond', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(20), fc.integer({ min: 1, max: 20 }), async (length, limit) => {
        let asked = 0;
        let ended = false;
        async function* items(): AsyncGenerator<number> {
          try {
            while (asked < length) yield await Promise.resolve((asked += 1));
          } finally {
            ended = true;
          }
        }
        const found = await toArray(items(), { limit });
        expect(found).toEqual(Array.from({ length: Math.min(length, limit) }, (_, at) => at + 1));
        expect([asked, ended]).toEqual([found.length, true]);
      }),
    );
  });

  it('asks the service for no page beyond its limit', async () => {
    const page = { users: [{ user_id: 'a' }, { user_id: 'b' }], total: 9, offset: 0, limit: 2 };
    server.json(page);
    const users = clientOf(server).users.iterate({ pageSize: 2 });
    expect(await toArray(users, { limit: 2 })).toEqual(page.users);
    expect(server.targets).toHaveLength(1);
  });

  it.each([0, NaN, undefined])('refuses the limit %p', async (limit) => {
    const none = clientOf(server).users.iterate();
    expect(await failureOf(toArray(none, { limit: limit as number }))).toMatchObject({
      argument: 'limit',
    });
  });
});

describe('logHooks', () => {
  it('writes a line for each request, failures as warnings, without key or id', async () => {
    const lines: string[] = [];
    const logger = {
      debug: (line: string) => lines.push(`debug ${line}`),
      warn: (line: string) => lines.push(`warn ${line}`),
    };
    answer([503]);
    const hooks = logHooks(logger);
    const client = clientOf(server, { hooks, retries: { baseMs: 0 } });
    await client.users.info(USER_ID);
    await server.stop();
    await failureOf(client.users.info(USER_ID));
    server = await TestServer.start();
    const route = 'GET /v2/user/{user_id}/info/latest';
    const shown = lines.map((line) => line.replace(/\d+ ms/, 'N ms'));
    expect(shown.slice(0, 3)).toEqual([
      `warn ${route}: 503, N ms, request id r-9`,
      `debug ${route}: 200, N ms, attempt 2 (unavailable), request id r-9`,
      `warn ${route}: NetworkError, N ms`,
    ]);
    expect(lines.join()).not.toContain(USER_ID);
    expect(lines.join()).not.toContain(API_KEY);
  });
});
