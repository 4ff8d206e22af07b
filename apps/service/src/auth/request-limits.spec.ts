import { describe, expect, it, jest } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type { FastifyRequest } from 'fastify';
import { createConnection } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Limits } from '../config/limits.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import type { HealthDataSource } from '@caregate/data-store';
import { Metrics } from '../health/metrics.ts';
import { type Answer, testService, type TestService } from '../testing/service.testing.ts';
import { until } from '../testing/until.testing.ts';
import { bodiesIn } from '../audit/records.testing.ts';
import { formatSecret, createSecret, parseSecret } from './key-format.ts';
import type { Principal } from './caller.ts';
import { RequestLimits, TokenBuckets } from './request-limits.ts';

const envelopes = [...sampleEnvelopes({ users: 2 })];

async function withService(
  options: {
    config?: Partial<ServiceConfig>;
    limits?: Partial<Limits>;
    source?: Partial<HealthDataSource>;
  },
  body: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await testService(envelopes, options);
  try {
    await body(service);
  } finally {
    await service.close();
  }
}

async function statuses(
  service: TestService,
  count: number,
  key?: string,
  headers: Record<string, string> = {},
): Promise<number[]> {
  const found: number[] = [];
  for (let index = 0; index < count; index++) {
    found.push((await service.get('/v2/user', key, headers)).status);
  }
  return found;
}

function expectRefusal(answer: Answer, limit: string, setting: string): void {
  expect(answer.status).toBe(429);
  expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/u);
  expect(answer.json()).toMatchObject({
    ...{ type: '/problems/too-many-requests', title: 'Too many requests', status: 429, limit },
    detail: expect.stringContaining(setting),
  });
  const seconds = Number(answer.headers['retry-after']);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(seconds).toBeLessThanOrEqual(60);
}

describe('token buckets', () => {
  it('hold a minute of tokens for each name and refill evenly', () => {
    const buckets = new TokenBuckets(60);
    const take = (count: number, nowMs: number): number[] =>
      Array.from({ length: count }, () => buckets.take('a', nowMs));
    expect(take(61, 0)).toEqual([...Array<number>(60).fill(0), 1]);
    expect(buckets.take('b', 0)).toBe(0);
    expect(take(3, 2000)).toEqual([0, 0, 1]);
    expect(take(61, 1e9)).toEqual([...Array<number>(60).fill(0), 1]);
  });
});

describe('the rate limit of a key', () => {
  it('answers 429 that names the setting, also after a step of the wall clock, and is recorded', async () => {
    await withService({ config: { rateLimitPerKey: 2 } }, async (service) => {
      const key = await service.key(sampleTeamId);
      expect(await statuses(service, 3, key)).toEqual([200, 200, 429]);
      const { now } = Date;
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
      const answer = await service.get('/v2/user', key);
      clock.mockRestore();
      expectRefusal(answer, 'rate_per_key', 'CAREGATE_RATE_LIMIT_PER_KEY');
      expect(await statuses(service, 1, await service.key(sampleTeamId))).toEqual([200]);
      await service.app.close();
      const refusals = bodiesIn(service.folder).filter(({ http_status }) => http_status === 429);
      expect(refusals).toMatchObject([
        {
          operation: 'listUsers',
          decision: 'denied',
          reason_code: 'rate_limited',
          record_count: 2,
        },
      ]);
    });
  });

  it('cannot be used up with only the key ID', async () => {
    await withService({ config: { rateLimitPerKey: 1 } }, async (service) => {
      const key = await service.key(sampleTeamId);
      const forged = formatSecret({ ...createSecret('live'), id: parseSecret(key)!.id });
      expect(await statuses(service, 2, forged)).toEqual([401, 401]);
      expect(await statuses(service, 1, key)).toEqual([200]);
    });
  });
});

describe('the limit of concurrent requests of a key', () => {
  /** A data source whose reads wait until `release` is called. */
  function slowSource(): { source: Partial<HealthDataSource>; release: () => void } {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const source: Partial<HealthDataSource> = {
      findUserByClientId: async () => {
        await released;
        return undefined;
      },
    };
    return { source, release };
  }

  it('answers 429 that names the setting, until an answer was sent or its client has disconnected', async () => {
    const { source, release } = slowSource();
    await withService({ config: { concurrencyPerKey: 2 }, source }, async (service) => {
      const [key, other] = [await service.key(sampleTeamId), await service.key(otherTeamId)];
      const disconnecting = await service.key(sampleTeamId);
      const slow = [1, 2].map(() => service.get('/v2/user/resolve/x', key));
      let refused = await service.get('/v2/user', key);
      await until(async () => (refused = await service.get('/v2/user', key)).status === 429);
      expectRefusal(refused, 'concurrency_per_key', 'CAREGATE_CONCURRENCY_PER_KEY');
      expect(await statuses(service, 2, other)).toEqual([200, 200]);
      // The second request is behind the first on its connection.
      const text = `GET /v2/user/resolve/x HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${disconnecting}\r\n\r\n`;
      const socket = createConnection(service.port, '127.0.0.1').on('error', () => undefined);
      socket.write(text.repeat(2));
      const getStatus = async () => (await service.get('/v2/user', disconnecting)).status;
      await until(async () => (await getStatus()) === 429);
      socket.destroy();
      release();
      expect((await Promise.all(slow)).map(({ status }) => status)).toEqual([404, 404]);
      expect(await statuses(service, 3, key)).toEqual([200, 200, 200]);
      await until(async () => (await getStatus()) === 200);
      expect(await statuses(service, 3, disconnecting)).toEqual([200, 200, 200]);
    });
  });
});

describe('lists of one key', () => {
  async function readLists(lists: number, isAnotherActive: boolean): Promise<number> {
    let reading = 0;
    let most = 0;
    let isReadingOther = !isAnotherActive;
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const source: Partial<HealthDataSource> = {
      findUserByClientId: () => {
        isReadingOther = true;
        return released.then(() => undefined);
      },
      listUsers: async () => {
        reading += 1;
        most = Math.max(most, reading);
        // Lets the other requests begin.
        for (let turn = 0; turn < 50; turn += 1) {
          await setImmediate();
        }
        reading -= 1;
        return { body: '{"users":[],"total":0,"offset":0,"limit":100}', ids: [], total: 0 };
      },
    };
    await withService({ source }, async (service) => {
      const [key, other] = [await service.key(sampleTeamId), await service.key(otherTeamId)];
      const read = isAnotherActive ? service.get('/v2/user/resolve/x', other) : undefined;
      await until(() => Promise.resolve(isReadingOther));
      const cut = createConnection(service.port, '127.0.0.1').on('error', () => undefined);
      cut.write(`GET /v2/user HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${key}\r\n\r\n`);
      await until(() => Promise.resolve(most > 0));
      cut.destroy();
      const answers = Array.from({ length: lists }, () => service.get('/v2/user', key));
      expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(
        Array<number>(lists).fill(200),
      );
      release();
      await read;
    });
    return most;
  }

  it('are read one after another while another key is active, also behind one that was cut off', async () => {
    expect(await readLists(8, true)).toBe(1);
  });

  it('pause as long as they took while another key is active', async () => {
    jest.useFakeTimers();
    const limits = new RequestLimits({
      ...{ rateLimitPerKey: 10, concurrencyPerKey: 10, requestsPerAddress: 10 },
    });
    const request = (keyId: string): FastifyRequest => {
      const counted = {} as FastifyRequest;
      limits.begin(counted, { kind: 'key', keyId } as Principal);
      return counted;
    };
    const [first, cut, last] = [request('busy'), request('busy'), request('busy')];
    request('another');
    const started: string[] = [];
    const turns = Object.entries({ first, cut, last }).map(([name, one]) =>
      limits.waitForListTurn(one).then(() => started.push(name)),
    );
    await jest.advanceTimersByTimeAsync(7);
    cut.endTurn?.();
    first.endTurn?.();
    await jest.advanceTimersByTimeAsync(6);
    expect(started).toEqual(['first']);
    await jest.advanceTimersByTimeAsync(1);
    await Promise.all(turns);
    jest.useRealTimers();
    expect(started).toEqual(['first', 'cut', 'last']);
  });

  it('are read in parallel while no other key is active', async () => {
    expect(await readLists(8, false)).toBeGreaterThan(1);
  });
});

describe('the limit of an address', () => {
  it('counts requests without a valid key, and slows no valid key of the same address', async () => {
    await withService({ limits: { requestsPerAddress: 7 } }, async (service) => {
      const key = await service.key(sampleTeamId);
      const broken = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
      expect(await statuses(service, 10, key)).toEqual(Array<number>(10).fill(200));
      expect(await statuses(service, 2, broken)).toEqual([401, 401]);
      expect(await statuses(service, 2)).toEqual([401, 401]);
      expect((await service.get('/nowhere')).status).toBe(404);
      expect((await service.request('POST', '/v2/user')).status).toBe(405);
      expect((await service.get('/')).status).toBe(200);
      const refused = [
        await service.get('/v2/user', formatSecret(createSecret('live'))),
        await service.get('/v2/user'),
        await service.get('/nowhere', key),
        await service.get('/v2/user/%zz'),
        await service.get('/'),
      ];
      for (const answer of refused) {
        expectRefusal(answer, 'rate_per_address', 'without a valid API key');
      }
      expect(await statuses(service, 10, key)).toEqual(Array<number>(10).fill(200));
    });
  });

  it('exempts health checks and metrics, as the limits of a key do', async () => {
    const config = { rateLimitPerKey: 1, concurrencyPerKey: 1 };
    await withService({ config, limits: { requestsPerAddress: 1 } }, async (service) => {
      const key = await service.key(sampleTeamId);
      expect(await statuses(service, 2)).toEqual([401, 429]);
      expect(await statuses(service, 2, key)).toEqual([200, 429]);
      for (const path of ['/healthz', '/readyz']) {
        for (const by of [undefined, key]) {
          expect([path, (await service.get(path, by)).status]).toEqual([path, 200]);
        }
      }
      expect((await service.metrics()).status).toBe(200);
      const metrics = await service.app.get(Metrics, { strict: false }).formatText();
      expect(metrics).toContain('caregate_refusals_total{reason="too-many-requests"} 2');
    });
  });

  it('ignores headers about the address, unless the sender is a trusted proxy', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const limits = { requestsPerAddress: 1 };
    const untrusted = { config: { trustedProxies: ['198.51.100.0/24'] }, limits };
    await withService(untrusted, async (service) => {
      expect(await statuses(service, 1, undefined, from('192.0.2.1'))).toEqual([401]);
      expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([429]);
    });
    const trusted = { config: { trustedProxies: ['127.0.0.1/32'] }, limits };
    await withService(trusted, async (service) => {
      expect(await statuses(service, 1, undefined, from('192.0.2.1'))).toEqual([401]);
      expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([401]);
      expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([429]);
      // An IPv6 network counts as one address, since its owner has 2^64 of them.
      expect(await statuses(service, 1, undefined, from('2001:db8::1'))).toEqual([401]);
      expect(await statuses(service, 1, undefined, from('2001:db8::2'))).toEqual([429]);
    });
  });
});
