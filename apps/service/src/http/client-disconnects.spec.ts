import { afterEach, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { bodiesIn } from '../audit/records.testing.ts';
import { Metrics } from '../health/metrics.ts';
import { testService, type TestService } from '../testing/service.testing.ts';
import { until } from '../testing/until.testing.ts';
import { ProblemFilter } from './problem.filter.ts';

const limit = 100;
const envelopes = [...sampleEnvelopes({ users: 2 })];
let service: TestService;
afterEach(async () => {
  await service.close();
});

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly status?: number;
  readonly more?: number;
}
const readLines = (): LogLine[] => service.log.map((line) => JSON.parse(line) as LogLine);
const readMetrics = (): Promise<string> => service.app.get(Metrics, { strict: false }).formatText();

async function countByStatus(): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const counts = /_duration_seconds_count\{operation="[^"]*",status="(\d+)"\} (\d+)$/gmu;
  for (const [, status = '', count] of (await readMetrics()).matchAll(counts)) {
    found[status] = (found[status] ?? 0) + Number(count);
  }
  return found;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Sends a text over connections that end in the given way. Returns once all received requests are counted. */
async function sendAndLeave(
  connections: number,
  how: string,
  text: string,
  atLeast = 0,
): Promise<{ statuses: Record<string, number>; begun: number; seconds: number }> {
  let begun = 0;
  const server = service.app.getHttpServer();
  server.on('request', () => (begun += 1));
  const from = performance.now();
  const client = fileURLToPath(new URL('disconnecting-client.testing.ts', import.meta.url));
  const words = [client, String(service.port), String(connections), how, text];
  const child = spawn(process.execPath, words, { stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([0, null]);
  let statuses: Record<string, number> = {};
  await until(async () => {
    statuses = await countByStatus();
    const open = await promisify(server.getConnections.bind(server))();
    return open === 0 && sum(Object.values(statuses)) === begun && begun >= atLeast;
  });
  return { statuses, begun, seconds: (performance.now() - from) / 1000 };
}

const requestText = (key: string, path = '/v2/user?limit=1'): string =>
  `GET ${path} HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${key}\r\n\r\n`;

describe('a client that disconnects', () => {
  it.each([
    ['closed', 1],
    ['reset while it is answered', 40],
  ])(
    'is counted for its key and logged once a second, when %s with %i requests on each connection',
    async (how, pipelined) => {
      service = await testService(envelopes, { config: { rateLimitPerKey: limit } });
      const text = requestText(await service.key(sampleTeamId)).repeat(pipelined);
      const { statuses, begun, seconds } = await sendAndLeave(240 / pipelined, how, text);
      const { 200: answered = 0, 429: refused = 0, ...others } = statuses;
      expect([others, answered + refused]).toEqual([{}, begun]);
      const allowed = limit + Math.ceil((seconds / 60) * limit);
      expect(answered).toBeLessThanOrEqual(allowed);
      const records = bodiesIn(service.folder).filter(({ actor_type: type }) => type === 'key');
      expect(new Set(records.map(({ client_ip: ip }) => ip))).toEqual(
        new Set(records.length > 0 ? ['127.0.0.1'] : []),
      );
      const lines = readLines();
      expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
      const shared = lines.filter(({ more }) => more !== undefined);
      expect(shared.length).toBeLessThanOrEqual(1 + Math.ceil(seconds));
      expect(lines.length - shared.length).toBeLessThanOrEqual(allowed);
    },
  );

  it('is counted as 499 where its answer is given up, and is no fault', async () => {
    let isBegun = false;
    service = await testService(envelopes, {
      source: {
        listUsers: async (_team, _query, call) => {
          isBegun = true;
          await once(call!.signal, 'abort');
          call!.signal.throwIfAborted();
          throw new Error('not aborted');
        },
      },
    });
    const sent = request({
      ...{ port: service.port, host: '127.0.0.1', path: '/v2/user?limit=1' },
      headers: { 'x-service-api-key': await service.key(sampleTeamId) },
    });
    sent.on('error', () => undefined).end();
    await until(() => isBegun);
    sent.destroy();
    await until(() => readLines().some(({ msg }) => msg === 'request'));
    expect(readLines().filter(({ level }) => level >= 50)).toEqual([]);
    expect(readLines().find(({ msg }) => msg === 'request')).toMatchObject({ status: 499 });
    const text = await readMetrics();
    expect(text).toMatch(/_count\{operation="listUsers",status="499"\} 1$/mu);
    expect(text).not.toMatch(/status="5\d\d"/u);
    expect(bodiesIn(service.folder)).toContainEqual(
      expect.objectContaining({
        ...{ operation: 'listUsers', decision: 'failed', reason_code: 'disconnected' },
        ...{ http_status: 499, patients: [] },
      }),
    );
  });
});

describe('a service that is stopped during a request', () => {
  it('answers 503, not 500, where the request fails since it stops', async () => {
    let fail: ((error: Error) => void) | undefined;
    service = await testService(envelopes, {
      source: { listUsers: () => new Promise<never>((_, reject) => (fail = reject)) },
    });
    const answer = service.get('/v2/user?limit=1', await service.key(sampleTeamId));
    await until(() => fail !== undefined);
    const closing = service.app.close();
    await until(() => service.app.get(ProblemFilter, { strict: false }).isClosing);
    fail?.(new Error('The database connection is not open'));
    const { status, headers } = await answer;
    expect([status, headers['retry-after']]).toEqual([503, '1']);
    await closing;
    expect(readLines().filter((line) => line.status === 500)).toEqual([]);
  });
});
