import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { validateProblemDetails } from '@caregate/domain/validate';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  exchange,
  kill,
  newFolder,
  openSocket,
  removeFolder,
  start,
  statuses,
} from './caregate.testing.ts';
import type { Running } from './caregate.testing.ts';

let folder: string;
let demo: Running;
let base: string;
let key: string;

beforeAll(async () => {
  folder = newFolder();
  demo = await start(['demo', '--users', '9'], folder);
  base = demo.ready.base_url;
  key = demo.ready.keys['integration']!;
});

afterAll(async () => {
  await demo.end();
  kill(demo);
  removeFolder(folder);
});

/** A request of these lines; `connection: close` ends the exchange where the service would go on. */
const request = (...lines: string[]): string =>
  ['GET /v2/user HTTP/1.1', ...lines, 'connection: close', '', ''].join('\r\n');

/** The problem document of an answer, held to the domain's shape. */
function problemOf(answer: string): Record<string, unknown> {
  const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
  expect(validateProblemDetails(body).ok).toBe(true);
  expect(answer).toMatch(/^content-type: application\/problem\+json/imu);
  return body;
}

describe('on a bare socket, the service', () => {
  it('answers a plain request', async () => {
    const answer = await exchange(base, request('host: a', `x-service-api-key: ${key}`));
    expect(statuses(answer)).toEqual([200]);
  });

  it.each([
    ['the same key twice', () => [`x-service-api-key: ${key}`, `X-Service-Api-Key: ${key}`]],
    ['two keys', () => [`x-service-api-key: ${key}`, 'x-service-api-key: other']],
  ])('refuses %s with 400', async (_, keyLines) => {
    const answer = await exchange(base, request('host: a', ...keyLines()));
    expect(statuses(answer)).toEqual([400]);
    expect(problemOf(answer)['type']).toBe('/problems/malformed-request');
  });

  it.each([
    ['content-length with transfer-encoding', ['content-length: 4', 'transfer-encoding: chunked']],
    ['transfer-encoding with content-length', ['transfer-encoding: chunked', 'content-length: 4']],
    ['two lengths', ['content-length: 4', 'content-length: 5']],
    ['a header folded over two lines', ['x-note: one', ' two']],
    ['a space before the colon', ['x-note : one']],
    ['a NUL in a header', ['x-note: o\0ne']],
  ])('refuses %s with 400, and reads no second request out of it', async (_, lines) => {
    const smuggled = `GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n`;
    const head = request('host: a', `x-service-api-key: ${key}`, ...lines);
    const answer = await exchange(base, `${head}0\r\n\r\n${smuggled}`);
    expect(statuses(answer)).toEqual([400]);
    problemOf(answer);
  });

  it('refuses bare line feeds with 400', async () => {
    const answer = await exchange(base, request('host: a').replaceAll('\r\n', '\n'));
    expect(statuses(answer)).toEqual([400]);
    problemOf(answer);
  });

  it.each([
    ['no host', []],
    ['two hosts', ['host: a', 'host: b']],
  ])('refuses %s with 400', async (_, lines) => {
    const answer = await exchange(base, request(...lines, `x-service-api-key: ${key}`));
    expect(statuses(answer)).toEqual([400]);
    problemOf(answer);
  });

  it('refuses headers of 17 KB with 431', async () => {
    const answer = await exchange(base, request('host: a', `x-note: ${'n'.repeat(17 * 1024)}`));
    expect(statuses(answer)).toEqual([431]);
    expect(problemOf(answer)['type']).toBe('/problems/headers-too-large');
  });

  it('refuses a body on a read with 400', async () => {
    const answer = await exchange(base, `${request('host: a', 'content-length: 2')}{}`);
    expect(statuses(answer)).toEqual([400]);
    problemOf(answer);
  });

  it('refuses what is no HTTP', async () => {
    const answer = await exchange(base, '\u0016\u0003\u0001 hello\r\n\r\n');
    expect(statuses(answer)).toEqual([400]);
  });

  it('serves others while a client sends a byte a second, and gives that one up', async () => {
    const slow = await openSocket(base);
    let answer = '';
    slow.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
    const closing = once(slow, 'close');
    const bytes = request('host: a', `x-service-api-key: ${key}`);
    let served = 0;
    for (let at = 0; at < bytes.length && !slow.closed; at += 1) {
      slow.write(bytes.charAt(at), 'latin1');
      const other = await fetch(`${base}/v2/user?limit=1`, {
        headers: { 'x-service-api-key': key },
      });
      expect(other.status).toBe(200);
      await other.arrayBuffer();
      served += 1;
      await Promise.race([closing, sleep(1000)]);
    }
    expect(slow.closed).toBe(true);
    expect(served).toBeGreaterThan(1);
    expect(statuses(answer)).toEqual([408]);
  });
});
