import { describe, expect, it, jest } from '@jest/globals';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { createConnection, type Socket } from 'node:net';
import type { Limits } from '../../config/limits.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { testService, type TestService } from '../../testing/service.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { formatKey, newKeyParts, parseKey } from '../keys/key-format.ts';

async function withService(
  config: Partial<ServiceConfig>,
  body: (service: TestService) => Promise<void>,
  limits: Partial<Limits> = {},
): Promise<void> {
  const service = await testService([...sampleEnvelopes({ users: 2 })], { config, limits });
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

/** Nobody asks for so little: the first request spends all of it. */
const LITTLE = 1e-6;

describe('the budget of a key', () => {
  it('ends in 429 with a time to wait, as a problem document, also where the clock jumps', async () => {
    await withService({ budgetPerKey: LITTLE }, async (service) => {
      const key = await service.key(sampleTeamId);
      expect(await statuses(service, 2, key)).toEqual([200, 429]);
      const { now } = Date;
      const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
      const answer = await service.get('/v2/user', key);
      clock.mockRestore();
      expect(answer.status).toBe(429);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/u);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(answer.json()).toMatchObject({ status: 429, title: 'Too many requests' });
      expect(await statuses(service, 1, await service.key(otherTeamId))).toEqual([200]);
    });
  });

  it('is charged to its team, whose other keys are told so once it is known whose they are', async () => {
    await withService({ budgetPerKey: LITTLE }, async (service) => {
      expect(await statuses(service, 1, await service.key(sampleTeamId))).toEqual([200]);
      for (let count = 0; count < 20; count += 1) {
        const key = await service.key(sampleTeamId);
        const label = `key ${count}`;
        expect([label, await statuses(service, 2, key)]).toEqual([label, [429, 429]]);
      }
    });
  });

  it('is told by /metrics, by the beginnings of the ids of key and team', async () => {
    await withService({ budgetPerKey: LITTLE }, async (service) => {
      const key = await service.key(sampleTeamId);
      await service.get('/v2/user', formatKey(newKeyParts()));
      await service.get('/v2/user', key);
      const shares = (await service.metrics()).body
        .split('\n')
        .filter((line) => line.startsWith('caregate_budget_spent_ratio{'));
      const labels = (id: string): string =>
        `caregate_budget_spent_ratio{team="${sampleTeamId.slice(0, 8)}",key="${id}"} 1.`;
      const { keyId } = parseKey(key)!;
      expect(shares).toEqual(
        ['', keyId.slice(0, 6)].map((id) => expect.stringContaining(labels(id))),
      );
    });
  });

  it('cannot be used up by whoever knows only the key id', async () => {
    await withService({ budgetPerKey: LITTLE }, async (service) => {
      const key = await service.key(sampleTeamId);
      const forged = formatKey({ ...newKeyParts(), keyId: parseKey(key)!.keyId });
      expect(await statuses(service, 2, forged)).toEqual([401, 429]);
      expect(await statuses(service, 1, key)).toEqual([200]);
    });
  });
});

describe('answers that nobody reads', () => {
  it('are few: then their key gets 429, until they are read or their reader has gone', async () => {
    const service = await testService([...sampleEnvelopes({ users: 200, kinds: ['user'] })], {
      limits: { unreadBytes: 100_000 },
    });
    try {
      const [key, another] = [await service.key(sampleTeamId), await service.key(otherTeamId)];
      const text = `GET /v2/user?limit=200 HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${key}\r\n\r\n`;
      expect(await statuses(service, 1, key)).toEqual([200]);
      const statusOf = async (): Promise<number> => (await service.get('/v2/user', key)).status;
      const sockets: Socket[] = [];
      // More than the buffers of a socket hold.
      while ((await statusOf()) === 200) {
        const socket = createConnection(service.port, '127.0.0.1').on('error', () => undefined);
        sockets.push(socket.pause());
        socket.write(text.repeat(100));
      }
      const { headers } = await service.get('/v2/user', key);
      expect(headers['retry-after']).toBe('1');
      expect(await statuses(service, 1, another)).toEqual([200]);
      sockets.forEach((socket) => socket.destroy());
      await until(async () => (await statusOf()) === 200);
    } finally {
      await service.close();
    }
  });
});

describe('requests that wait for their turn', () => {
  it('are at most as many as the limit: the newest get 503 at once, the others their answers, and no probe waits', async () => {
    const service = await testService([...sampleEnvelopes({ users: 2 })], {
      limits: { waitingRequests: 20 },
    });
    try {
      const key = await service.key(sampleTeamId);
      const text = `GET /v2/user HTTP/1.1\r\nhost: a\r\nx-service-api-key: ${key}\r\n\r\n`;
      const socket = createConnection(service.port, '127.0.0.1');
      let got = '';
      socket.on('data', (part: Buffer) => (got += part.toString('latin1')));
      // In one piece: they come before the first is begun.
      socket.write(`${text.repeat(60)}GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n`);
      const answered = (): string[] => got.match(/(?<=HTTP\/1\.1 )\d+/gu) ?? [];
      await until(() => answered().length === 61);
      socket.destroy();
      expect(answered().toSorted()).toEqual([
        ...Array<string>(22).fill('200'),
        ...Array<string>(39).fill('503'),
      ]);
      expect(got).toContain('retry-after: 1\r\n');
      // They cost nothing, and must not fill the disk.
      await until(() => service.log.join('').includes('"more":'));
      expect(service.log.filter((line) => line.includes('"status":503')).length).toBeLessThan(3);
    } finally {
      await service.close();
    }
  });
});

describe('the limit of an address', () => {
  it('holds over all keys and paths, also for what is no key and has no budget, and comes before everything else', async () => {
    const few = { requestsPerAddress: 7 };
    await withService(
      { budgetPerKey: LITTLE },
      async (service) => {
        const key = await service.key(sampleTeamId);
        const broken = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
        expect(await statuses(service, 2, broken)).toEqual([401, 401]);
        expect(await statuses(service, 2)).toEqual([401, 401]);
        expect(await statuses(service, 1, key)).toEqual([200]);
        expect((await service.get('/nowhere')).status).toBe(404);
        expect((await service.request('POST', '/v2/user')).status).toBe(405);
        expect(await statuses(service, 1, await service.key(otherTeamId))).toEqual([429]);
        expect((await service.get('/nowhere')).status).toBe(429);
      },
      few,
    );
  });

  it('believes no header about the address, unless the sender is a trusted proxy', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const one = { requestsPerAddress: 1 };
    await withService(
      { trustedProxies: ['198.51.100.0/24'] },
      async (service) => {
        expect(await statuses(service, 1, undefined, from('192.0.2.1'))).toEqual([401]);
        expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([429]);
      },
      one,
    );
    await withService(
      { trustedProxies: ['127.0.0.1/32'] },
      async (service) => {
        expect(await statuses(service, 1, undefined, from('192.0.2.1'))).toEqual([401]);
        expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([401]);
        expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([429]);
        // A network of IPv6 is one address: its owner has 2^64 of them.
        expect(await statuses(service, 1, undefined, from('2001:db8::1'))).toEqual([401]);
        expect(await statuses(service, 1, undefined, from('2001:db8::2'))).toEqual([429]);
      },
      one,
    );
  });
});
