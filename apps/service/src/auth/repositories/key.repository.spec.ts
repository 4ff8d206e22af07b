import { describe, expect, it } from '@jest/globals';
import { dayMs, hourMs, minuteMs, teamA, teamB, accessEngines } from '../access.testing.ts';
import type { RuleError } from '../rules.ts';
import { formatSecret, parseSecret } from '../key-format.ts';

const here = '192.0.2.7';
const desk = { teamId: teamA, role: 'front_desk', label: 'desk 1' } as const;

describe.each(accessEngines)('on $name', ({ withAccess }) => {
  describe('a key', () => {
    it('authenticates its holder, and its secret is stored nowhere', async () => {
      await withAccess(async ({ store }) => {
        const { key, keyId } = await store.keys.create({
          teamId: teamA.toUpperCase(),
          teamName: 'North Clinic',
          role: 'integration',
          scopes: ['users:read', 'users:list', 'users:read'],
          label: ' import ',
        });
        expect(await store.keys.authenticate(key, here)).toEqual({
          kind: 'key',
          teamId: teamA,
          role: 'integration',
          scopes: ['users:read', 'users:list'],
          keyId,
          label: 'import',
        });
        const listed = await store.keys.list();
        expect(listed).toMatchObject([{ keyId, teamName: 'North Clinic', state: 'live' }]);
        expect(JSON.stringify(listed)).not.toContain(parseSecret(key)!.secret);
      });
    });

    it('expires next if it is valid and no valid key replaces it', async () => {
      await withAccess(async ({ store }) => {
        expect(await store.keys.validity()).toEqual({ valid: 0, nextEndMs: undefined });
        const now = store.database.now();
        const first = await store.keys.create({ ...desk, expires: new Date(now + 10 * dayMs) });
        const later = await store.keys.create({ ...desk, expires: new Date(now + 20 * dayMs) });
        expect(await store.keys.validity()).toEqual({ valid: 2, nextEndMs: now + 10 * dayMs });
        const next = await store.keys.rotate(first.keyId, { expires: new Date(now + 30 * dayMs) });
        expect(await store.keys.validity()).toEqual({ valid: 3, nextEndMs: now + 20 * dayMs });
        await store.keys.revoke(later.keyId);
        expect(await store.keys.validity()).toEqual({ valid: 2, nextEndMs: now + 30 * dayMs });
        await store.keys.revoke(next.keyId);
        const { valid, nextEndMs } = await store.keys.validity();
        expect([valid, nextEndMs! <= now + 10 * dayMs]).toEqual([1, true]);
      });
    });

    it('is refused with a wrong secret, prefix, ID or form', async () => {
      await withAccess(async ({ store }) => {
        const one = await store.keys.create(desk);
        const other = await store.keys.create(desk);
        const demo = await store.keys.create({ ...desk, isTest: true });
        const parts = parseSecret(other.key)!;
        const wrong = formatSecret({ ...parts, id: one.keyId });
        const unknown = formatSecret({ ...parts, id: '0'.repeat(12) });
        const otherKind = formatSecret({ ...parseSecret(demo.key)!, kind: 'live' });
        const otherWay = formatSecret({ ...parts, kind: 'test' });
        const wrongForms = ['', 'x', one.key.slice(1), `${one.key},${one.key}`];
        for (const key of [wrong, unknown, otherKind, otherWay, ...wrongForms]) {
          expect(await store.keys.authenticate(key, here)).toBeUndefined();
        }
        const next = await store.keys.rotate(demo.keyId);
        for (const { key } of [demo, next]) {
          expect(key).toMatch(/^cg_test_/u);
          expect(await store.keys.authenticate(key, here)).toBeDefined();
        }
      });
    });

    it('is valid for 90 days by default', async () => {
      await withAccess(async ({ store, clock }) => {
        const made = await store.keys.create(desk);
        expect(made.expires.getTime()).toBe(clock.nowMs + 90 * dayMs);
        clock.nowMs += 90 * dayMs - 1;
        expect(await store.keys.authenticate(made.key, here)).toBeDefined();
        clock.nowMs += 1;
        expect(await store.keys.authenticate(made.key, here)).toBeUndefined();
        expect(await store.keys.list()).toMatchObject([{ state: 'expired' }]);
      });
    });

    it('is revoked in every process at once', async () => {
      await withAccess(async ({ store, clock, openAnother }) => {
        const another = await openAnother();
        const { key, keyId } = await store.keys.create(desk);
        expect(await another.keys.authenticate(key, here)).toBeDefined();
        await store.keys.revoke(keyId);
        expect(await another.keys.authenticate(key, here)).toBeUndefined();
        const revoked = new Date(clock.nowMs);
        clock.nowMs += dayMs;
        await another.keys.revoke(keyId);
        expect(await store.keys.list()).toMatchObject([{ state: 'revoked', revoked }]);
      });
    });

    it('stores its last use to the minute, and no refused use', async () => {
      await withAccess(async ({ store, clock, openAnother }) => {
        const { key, keyId } = await store.keys.create(desk);
        const { key: unused } = await store.keys.create({ ...desk, cidrs: ['10.0.0.1'] });
        const lastUsed = async (): Promise<(string | undefined)[]> => {
          await store.keys.writeLastUses();
          const rows = await (await openAnother()).keys.list();
          return rows
            .sort((a) => (a.keyId === keyId ? -1 : 1))
            .map((row) => row.lastUsed?.toISOString());
        };
        await store.keys.authenticate(unused, here);
        expect(await lastUsed()).toEqual([undefined, undefined]);
        await store.keys.authenticate(key, here);
        expect(await lastUsed()).toEqual(['2026-01-15T09:30:00.000Z', undefined]);
        clock.nowMs += minuteMs;
        await store.keys.authenticate(key, here);
        await store.keys.authenticate(key, here);
        expect(await lastUsed()).toEqual(['2026-01-15T09:31:00.000Z', undefined]);
        clock.nowMs -= hourMs;
        await store.keys.authenticate(key, here);
        expect(await lastUsed()).toEqual(['2026-01-15T09:31:00.000Z', undefined]);
      });
    });

    it.each([
      ['team', { teamId: 'north' }, 'must be a UUID'],
      ['label', { label: '  ' }, '1 to 100 characters'],
      ['label', { label: 'x'.repeat(101) }, '1 to 100 characters'],
      ['label', { label: 'a\nb' }, 'one line'],
      ['scopes', { scopes: ['users:read'] }, 'only allowed for the role integration'],
      ['scopes', { role: 'integration' as const }, 'at least one scope'],
      [
        'scopes',
        { role: 'integration' as const, scopes: ['users:write'] },
        'Unknown scope "users:write"',
      ],
      ['cidr', { cidrs: ['10.0.0.0/40'] }, '"10.0.0.0/40" is not an IP address'],
      ['expires', { expires: new Date(Date.UTC(2026, 0, 15, 9, 30, 12, 345)) }, 'in the future'],
      ['expires', { expires: new Date(NaN) }, 'in the future'],
      ['expires', { expires: new Date(Date.UTC(2027, 0, 15, 9, 30, 12, 346)) }, 'at most 365 days'],
    ])('is refused, naming %s', async (field, wrong, message) => {
      await withAccess(async ({ store }) => {
        const refusal = await store.keys
          .create({ ...desk, ...wrong })
          .catch((error: unknown) => error);
        expect((refusal as RuleError).option).toBe(field);
        expect((refusal as RuleError).message).toContain(message);
        expect(await store.keys.list()).toEqual([]);
      });
    });

    it('accepts an expiry of 365 days and a label of 100 characters', async () => {
      await withAccess(async ({ store, clock }) => {
        const expires = new Date(clock.nowMs + 365 * dayMs);
        const made = await store.keys.create({ ...desk, expires, label: 'x'.repeat(100) });
        expect(made.expires).toEqual(expires);
      });
    });
  });

  describe('the list of keys', () => {
    it('filters by team, and keeps the name of a team', async () => {
      await withAccess(async ({ store, clock }) => {
        const a = await store.keys.create({ ...desk, teamName: 'North' });
        clock.nowMs += 1;
        const again = await store.keys.create(desk);
        await store.keys.create({ ...desk, teamId: teamB });
        expect((await store.keys.list(teamA)).map((key) => [key.keyId, key.teamName])).toEqual([
          [a.keyId, 'North'],
          [again.keyId, 'North'],
        ]);
        await store.keys.create({ ...desk, teamName: 'South' });
        expect((await store.keys.list(teamA))[0]?.teamName).toBe('South');
        expect((await store.keys.list()).length).toBe(4);
        expect((await store.keys.list(teamB))[0]?.teamName).toBeNull();
      });
    });
  });

  describe('rotating a key', () => {
    it('creates a key with the same permissions; both are valid until the overlap ends', async () => {
      await withAccess(async ({ store, clock }) => {
        const old = await store.keys.create({
          teamId: teamA,
          role: 'integration',
          scopes: ['users:read'],
          label: 'import',
          cidrs: ['192.0.2.0/24'],
        });
        const made = await store.keys.rotate(old.keyId, { overlapMs: hourMs });
        const before = await store.keys.authenticate(old.key, here);
        const after = await store.keys.authenticate(made.key, here);
        expect(after).toEqual({ ...before, keyId: made.keyId });
        expect(await store.keys.authenticate(made.key, '10.0.0.1')).toBeUndefined();
        expect(made.oldExpires.getTime()).toBe(clock.nowMs + hourMs);
        expect(made.expires.getTime()).toBe(clock.nowMs + 90 * dayMs);
        clock.nowMs += hourMs;
        expect(await store.keys.authenticate(old.key, here)).toBeUndefined();
        expect(await store.keys.authenticate(made.key, here)).toBeDefined();
        expect((await store.keys.list()).map((key) => key.replaces)).toContain(old.keyId);
      });
    });

    it('leaves seven days by default, and never extends the old key', async () => {
      await withAccess(async ({ store, clock }) => {
        const long = await store.keys.create(desk);
        const rotated = await store.keys.rotate(long.keyId);
        expect(rotated.oldExpires.getTime()).toBe(clock.nowMs + 7 * dayMs);
        const expires = new Date(clock.nowMs + hourMs);
        const short = await store.keys.create({ ...desk, expires });
        expect((await store.keys.rotate(short.keyId)).oldExpires).toEqual(expires);
      });
    });

    it('refuses a third valid key, from either of the two', async () => {
      await withAccess(async ({ store }) => {
        const first = await store.keys.create(desk);
        const second = await store.keys.rotate(first.keyId);
        await expect(store.keys.rotate(first.keyId)).rejects.toThrow(
          `Revoke ${second.keyId} first`,
        );
        await expect(store.keys.rotate(second.keyId)).rejects.toThrow(
          `Revoke ${first.keyId} first`,
        );
        await store.keys.revoke(first.keyId);
        const third = await store.keys.rotate(second.keyId);
        expect(await store.keys.authenticate(third.key, here)).toBeDefined();
        await store.keys.revoke(third.keyId);
        await store.keys.rotate(second.keyId);
      });
    });

    it('is refused for a key that is unknown, revoked or expired, and for a wrong expiry or overlap', async () => {
      await withAccess(async ({ store, clock }) => {
        const { keyId } = await store.keys.create(desk);
        await expect(store.keys.rotate('nobody')).rejects.toMatchObject({
          message: 'No such key.',
        });
        await expect(store.keys.rotate(keyId, { overlapMs: -1 })).rejects.toMatchObject({
          option: 'overlap',
        });
        const past = new Date(clock.nowMs - 1);
        await expect(store.keys.rotate(keyId, { expires: past })).rejects.toThrow('in the future');
        clock.nowMs += 90 * dayMs;
        await expect(store.keys.rotate(keyId)).rejects.toThrow('revoked or expired');
        expect(await store.keys.list()).toHaveLength(1);
        await expect(store.keys.revoke('nobody')).rejects.toThrow('No such key');
      });
    });
  });

  describe('the access store', () => {
    it('reports whether it can be read', async () => {
      await withAccess(async ({ openAnother }) => {
        const store = await openAnother();
        await expect(store.ready()).resolves.toBeUndefined();
        await store.close();
        await expect(store.ready()).rejects.toThrow();
      });
    });
  });
});
