import { describe, expect, it, jest } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { StatementSync } from 'node:sqlite';
import { testService, type TestService } from '../../testing/service.testing.ts';
import { AccessStore } from '../access-store.ts';
import { unrecorded } from '../access.testing.ts';
import { KeyCache } from './key-cache.ts';
import { hashOf } from './key-format.ts';
import type { KeyRow } from './key-lookup.ts';

const people = [...sampleEnvelopes({ users: 1, kinds: ['user'] })];

async function withService(body: (service: TestService) => Promise<void>): Promise<void> {
  const service = await testService(people);
  try {
    await body(service);
  } finally {
    await service.close();
  }
}

async function statementsOf(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const get = jest.spyOn(StatementSync.prototype, 'get');
  try {
    await work();
    const counts: Record<string, number> = {};
    for (const { sourceSQL: text } of get.mock.contexts as StatementSync[]) {
      const what = /data_version/u.test(text)
        ? 'checks'
        : (/from "(\w+)"/u.exec(text)?.[1] ?? text);
      counts[what] = (counts[what] ?? 0) + 1;
    }
    return counts;
  } finally {
    get.mockRestore();
  }
}

describe('each answer', () => {
  it('costs one check whether a key has changed, one read, and one record', async () => {
    await withService(async (service) => {
      const record = jest.spyOn(service.audit, 'record');
      const key = await service.key(sampleTeamId);
      const answer = (): Promise<unknown> => service.get('/v2/user/resolve/nobody', key);
      expect(await statementsOf(answer)).toEqual({ checks: 1, keys: 1, users: 1 });
      expect(await statementsOf(answer)).toEqual({ checks: 1, users: 1 });
      expect(await statementsOf(answer)).toEqual({ checks: 1, users: 1 });
      expect(record).toHaveBeenCalledTimes(3);
    });
  });

  it('sees a revocation by another process that came before it', async () => {
    await withService(async (service) => {
      const key = await service.key(sampleTeamId);
      const another = await AccessStore.open(service.folder, { acts: unrecorded });
      for (let again = 0; again < 3; again += 1) {
        expect((await service.get('/v2/user', key)).status).toBe(200);
      }
      await another.keys.revoke(/^cg_live_(.{12})/u.exec(key)?.[1] ?? '');
      expect((await service.get('/v2/user', key)).status).toBe(401);
      await another.close();
    });
  });
});

describe('a key that is kept', () => {
  const secretHash = hashOf('secret');
  const row = { key_id: 'id', secret_hash: secretHash } as unknown as KeyRow;
  const presented = { keyId: 'id', secretHash, name: '' };

  it('is found with its secret until the version is another one', () => {
    let version = 1;
    const keys = new KeyCache<string>(() => version, hashOf('nobody'));
    expect(keys.find(presented)).toBeUndefined();
    keys.add({ row, made: 'made' }, keys.cachedAt);
    expect(keys.find(presented)?.made).toBe('made');
    expect(keys.find({ ...presented, secretHash: hashOf('other') })).toBeUndefined();
    version = 2;
    expect(keys.find(presented)).toBeUndefined();
  });

  it('is not kept if something changed between its reading and its keeping', () => {
    let version = 1;
    const keys = new KeyCache<string>(() => version, hashOf('nobody'));
    keys.find(presented);
    const readAt = keys.cachedAt;
    version = 2;
    keys.find(presented);
    keys.add({ row, made: 'old' }, readAt);
    expect(keys.find(presented)).toBeUndefined();
    keys.add({ row, made: 'never asked' }, undefined);
    expect(keys.find(presented)).toBeUndefined();
  });
});
