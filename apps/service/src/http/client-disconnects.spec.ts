import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Limits } from '../config/limits.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { Metrics } from '../health/metrics.ts';
import { testService, type TestService } from '../testing/service.testing.ts';
import { bodiesIn } from '../audit/record/records.testing.ts';

const limit = 100;
const envelopes = [...sampleEnvelopes({ users: 2 })];

const departures = ['closed', 'reset', 'half-closed', 'reset while it is answered'];

async function answered(service: TestService): Promise<Record<string, number>> {
  const text = await service.app.get(Metrics, { strict: false }).text();
  const found: Record<string, number> = {};
  const counts =
    /^caregate_request_duration_seconds_count\{operation="[^"]*",status="(\d+)"\} (\d+)$/gmu;
  for (const [, status = '', count] of text.matchAll(counts)) {
    found[status] = (found[status] ?? 0) + Number(count);
  }
  return found;
}

async function settled(
  service: TestService,
  begun: () => number,
  atLeast: number,
): Promise<Record<string, number>> {
  const server = service.app.getHttpServer();
  for (;;) {
    const open = await promisify(server.getConnections.bind(server))();
    const tally = await answered(service);
    if (
      open === 0 &&
      Object.values(tally).reduce((sum, count) => sum + count, 0) === begun() &&
      begun() >= atLeast
    ) {
      return tally;
    }
    await sleep(5);
  }
}

interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly route?: string | null;
  readonly more?: number;
}

async function withService(
  config: Partial<ServiceConfig>,
  body: (service: TestService, key: string) => Promise<void>,
  limits: Partial<Limits> = {},
): Promise<void> {
  const service = await testService(envelopes, { config, limits });
  try {
    await body(service, await service.key(sampleTeamId));
  } finally {
    await service.close();
  }
}

const request = (path: string, headers: Record<string, string> = {}): string =>
  [
    `GET ${path} HTTP/1.1`,
    'host: a',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

interface Outcome {
  readonly statuses: Record<string, number>;
  readonly begun: number;
  readonly lines: LogLine[];
  readonly seconds: number;
  readonly records: { readonly client_ip: string; readonly key_id: string }[];
}

async function outcomeOf(
  service: TestService,
  {
    connections,
    text,
    how,
    atLeast = 0,
  }: {
    connections: number;
    text: string;
    how: string;
    /** Requests that surely arrive. */ atLeast?: number;
  },
): Promise<Outcome> {
  let begun = 0;
  service.app.getHttpServer().on('request', () => (begun += 1));
  const from = performance.now();
  const child = fileURLToPath(new URL('disconnecting-client.testing.ts', import.meta.url));
  const sending = [child, String(service.port), String(connections), how, text];
  const [code] = (await once(spawn(process.execPath, sending, { stdio: 'inherit' }), 'exit')) as [
    number,
  ];
  expect(code).toBe(0);
  const statuses = await settled(service, () => begun, atLeast);
  const seconds = (performance.now() - from) / 1000;
  const lines = service.log.map((line) => JSON.parse(line) as LogLine);
  const records = bodiesIn(service.folder)
    .filter(({ actor_type }) => actor_type === 'key')
    .map(({ client_ip, key_id }) => ({ client_ip, key_id })) as Outcome['records'];
  return { statuses, begun, lines, seconds, records };
}

describe.each(departures)('a sender whose connection is %s', (how) => {
  it('is counted for its key, and costs a line a second, by one request on each or many', async () => {
    for (const pipelined of [1, 40]) {
      await withService({ rateLimitPerKey: limit }, async (service, key) => {
        const text = request('/v2/user?limit=1', { 'x-service-api-key': key }).repeat(pipelined);
        const connections = Math.ceil(240 / pipelined);
        const { statuses, begun, lines, seconds, records } = await outcomeOf(service, {
          connections,
          text,
          how,
        });
        expect(Object.keys(statuses).filter((status) => !['200', '429'].includes(status))).toEqual(
          [],
        );
        const refilled = Math.ceil((seconds / 60) * limit);
        expect(statuses['200'] ?? 0).toBeLessThanOrEqual(limit + refilled);
        expect((statuses['200'] ?? 0) + (statuses['429'] ?? 0)).toBe(begun);
        expect(records.map(({ client_ip }) => client_ip)).toEqual(
          Array<string>(records.length).fill('127.0.0.1'),
        );
        expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
        const shared = lines.filter(({ more }) => more !== undefined);
        expect(shared.length).toBeLessThanOrEqual(1 + Math.ceil(seconds));
        expect(lines.length - shared.length).toBeLessThanOrEqual(limit + refilled);
      });
    }
  });
});

const text = (key: string, more: Record<string, string> = {}): string =>
  request('/v2/user?limit=1', { 'x-service-api-key': key, ...more });

describe('requests whose sender does not wait', () => {
  it('count for their key too', async () => {
    await withService({ rateLimitPerKey: 1 }, async (service, key) => {
      const { statuses, begun } = await outcomeOf(service, {
        connections: 50,
        atLeast: 50,
        text: text(key),
        how: 'closed',
      });
      expect(begun).toBe(50);
      expect(statuses['200']).toBe(1);
      expect(statuses['429']).toBe(49);
    });
  });

  it('are answered, counted and logged where they stop mid-body and leave behind other requests', async () => {
    await withService({}, async (service, key) => {
      const get = request('/v2/user?limit=2', { 'x-service-api-key': key });
      const post = `POST /access/break-glass HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${key}\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{`;
      const { begun, statuses } = await outcomeOf(service, {
        ...{ connections: 1, atLeast: 41, how: 'closed', text: get.repeat(40) + post },
      });
      expect(Object.values(statuses).reduce((sum, count) => sum + count, 0)).toBe(begun);
    });
  });

  it('cost a line a second also where they stop in the middle of a body', async () => {
    await withService({}, async (service, key) => {
      const headers = ['host: a', `x-service-api-key: ${key}`, 'content-type: application/json'];
      const head = `POST /access/break-glass HTTP/1.1\r\n${headers.join('\r\n')}`;
      const { lines, seconds, begun } = await outcomeOf(service, {
        connections: 200,
        atLeast: 200,
        text: `${head}\r\ncontent-length: 500\r\n\r\n{"reason":"x`,
        how: 'closed',
      });
      expect(begun).toBe(200);
      expect(lines.filter(({ level }) => level >= 50).length).toBeLessThanOrEqual(
        1 + Math.ceil(seconds),
      );
      expect(lines.length).toBeLessThanOrEqual(1 + Math.ceil(seconds));
    });
  });

  it('are told by their number: nothing is left out of the count', async () => {
    await withService({}, async (service, key) => {
      const { begun } = await outcomeOf(service, {
        connections: 100,
        atLeast: 100,
        text: text(key),
        how: 'closed',
      });
      await service.app.close();
      const lines = service.log.map((line) => JSON.parse(line) as LogLine);
      const told = lines
        .filter(({ msg }) => msg === 'request')
        .reduce((sum, { more }) => sum + 1 + (more ?? 0), 0);
      expect(told).toBe(begun);
    });
  });
});
