import { describe, expect, it, jest } from '@jest/globals';
import type { Kysely } from 'kysely';
import type { AccessSchema } from '../access-schema.ts';
import { minuteMs, teamA, accessEngines } from '../access.testing.ts';
import { until } from '../../testing/until.testing.ts';
import { LastUsed } from './key-check.ts';

describe.each(accessEngines)('on $name', ({ withAccess }) => {
  describe('when a key was last used', () => {
    it('is written by itself, a moment after the answer', async () => {
      await withAccess(async ({ store }) => {
        const { key } = await store.keys.create({ teamId: teamA, role: 'billing', label: 'x' });
        await store.keyCheck.authenticate(key, '192.0.2.1');
        expect((await store.keys.list())[0]).toMatchObject({
          lastUsed: undefined,
          revoked: undefined,
        });
        await until(async () => (await store.keys.list())[0]?.lastUsed !== undefined);
        expect((await store.keys.list())[0]?.lastUsed).toEqual(new Date('2026-01-15T09:30:00Z'));
      });
    });

    it('is not written again for the same minute, and waits where it cannot be written', async () => {
      let fails = 2;
      const transaction = jest.fn(() => ({
        execute: () => (fails-- > 0 ? Promise.reject(new Error('locked')) : Promise.resolve()),
      }));
      const used = new LastUsed({ transaction } as unknown as Kysely<AccessSchema>);
      used.note('a', 5 * minuteMs + 1, 5 * minuteMs);
      used.note('a', 5 * minuteMs + 1, 6 * minuteMs);
      await used.flush();
      expect(transaction).not.toHaveBeenCalled();
      used.note('a', 6 * minuteMs, 5 * minuteMs);
      used.note('b', 6 * minuteMs, null);
      for (const calls of [1, 2, 3, 3]) {
        await used.flush();
        expect(transaction).toHaveBeenCalledTimes(calls);
      }
    });
  });
});
