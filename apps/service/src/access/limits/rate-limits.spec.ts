import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type { ServiceConfig } from '../../config/service-config.ts';
import { testService, type TestService } from '../../testing/service.testing.ts';
import { formatKey, newKeyParts, parseKey } from '../keys/key-format.ts';

async function withService(
  config: Partial<ServiceConfig>,
  body: (service: TestService) => Promise<void>,
): Promise<void> {
  const service = await testService([...sampleEnvelopes({ users: 2 })], { config });
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

describe('the limit of a key', () => {
  it('ends in 429 with a time to wait, as a problem document', async () => {
    await withService({ rateLimitPerKey: 3 }, async (service) => {
      const key = await service.key(sampleTeamId);
      expect(await statuses(service, 4, key)).toEqual([200, 200, 200, 429]);
      const answer = await service.get('/v2/user', key);
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/u);
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
      expect(answer.json()).toMatchObject({ status: 429, title: 'Too many requests' });
      expect(await statuses(service, 1, await service.key(sampleTeamId))).toEqual([200]);
    });
  });

  it('cannot be used up by whoever knows only the key id', async () => {
    await withService({ rateLimitPerKey: 2 }, async (service) => {
      const key = await service.key(sampleTeamId);
      const forged = formatKey({ ...newKeyParts(), keyId: parseKey(key)!.keyId });
      expect(await statuses(service, 3, forged)).toEqual([401, 401, 429]);
      expect(await statuses(service, 1, key)).toEqual([200]);
    });
  });

  it('is not for what is no key: that counts by its address alone', async () => {
    await withService({ rateLimitPerKey: 1, rateLimitPerAddress: 4 }, async (service) => {
      const key = await service.key(sampleTeamId);
      const broken = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
      expect(await statuses(service, 2, broken)).toEqual([401, 401]);
      expect(await statuses(service, 2)).toEqual([401, 401]);
      expect(await statuses(service, 1)).toEqual([429]);
    });
  });
});

describe('the limit of an address', () => {
  it('holds over all keys and paths, and comes before everything else', async () => {
    await withService({ rateLimitPerAddress: 3 }, async (service) => {
      const key = await service.key(sampleTeamId);
      expect(await statuses(service, 1, key)).toEqual([200]);
      expect((await service.get('/nowhere')).status).toBe(404);
      expect((await service.request('POST', '/v2/user')).status).toBe(405);
      expect(await statuses(service, 1, await service.key(sampleTeamId))).toEqual([429]);
      expect((await service.get('/nowhere')).status).toBe(429);
    });
  });

  it('believes no header about the address, unless the sender is a trusted proxy', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    await withService({ rateLimitPerAddress: 1 }, async (service) => {
      expect(await statuses(service, 1, undefined, from('192.0.2.1'))).toEqual([401]);
      expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([429]);
    });
    const trusted = { rateLimitPerAddress: 1, trustedProxies: ['127.0.0.1/32'] };
    await withService(trusted, async (service) => {
      expect(await statuses(service, 1, undefined, from('192.0.2.1'))).toEqual([401]);
      expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([401]);
      expect(await statuses(service, 1, undefined, from('192.0.2.2'))).toEqual([429]);
      // A network of IPv6 is one address: its owner has 2^64 of them.
      expect(await statuses(service, 1, undefined, from('2001:db8::1'))).toEqual([401]);
      expect(await statuses(service, 1, undefined, from('2001:db8::2'))).toEqual([429]);
    });
  });
});
