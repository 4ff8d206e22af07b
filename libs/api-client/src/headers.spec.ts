import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { API_KEY, clientOf, failureOf, TRANSPORTS } from '../testing/setup.ts';
import { TestServer } from '../testing/test-server.ts';
import { HealthDataClient } from './client.ts';
import { VERSION } from './transport/user-agent.ts';

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
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  expect(VERSION).toBe((JSON.parse(text) as { version: string }).version);
});
