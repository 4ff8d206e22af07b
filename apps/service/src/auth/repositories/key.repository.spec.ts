import { describe, expect, it } from '@jest/globals';
import {
  accessEngines,
  dayMs,
  hourMs,
  minuteMs,
  teamA,
  openAccess as openSqlite,
} from '../access.testing.ts';
import { formatSecret, parseSecret } from '../key-format.ts';
import type { NewKey } from './key.repository.ts';

const here = '192.0.2.7';
const desk = { teamId: teamA, role: 'front_desk', label: 'desk 1' } as const;
const integration: NewKey = {
  ...{ teamId: teamA.toUpperCase(), teamName: 'North Clinic', role: 'integration' },
  ...{ scopes: ['users:read', 'users:list', 'users:read'], label: ' import ' },
  cidrs: ['192.0.2.0/24'],
};

describe.each(accessEngines)('a key on $name', ({ openAccess }) => {
  it('authenticates its holder, and its secret is stored nowhere', async () => {
    const { store } = await openAccess();
    const { key, keyId } = await store.keys.create(integration);
    const { label, ...principal } = (await store.keys.authenticate(key, here))!;
    expect([label, principal]).toEqual([
      'import',
      {
        ...{ kind: 'key', teamId: teamA, role: 'integration', keyId },
        scopes: ['users:read', 'users:list'],
      },
    ]);
    const listed = await store.keys.list();
    expect(listed).toMatchObject([{ keyId, teamName: 'North Clinic', state: 'live' }]);
    expect(JSON.stringify(listed)).not.toContain(parseSecret(key)!.secret);
  });

  it('is refused with a wrong secret, prefix, ID or form', async () => {
    const { store } = await openAccess();
    const one = await store.keys.create(desk);
    const parts = parseSecret((await store.keys.create(desk)).key)!;
    const demo = await store.keys.create({ ...desk, isTest: true });
    for (const key of [
      formatSecret({ ...parts, id: one.keyId }),
      formatSecret({ ...parts, id: '0'.repeat(12) }),
      formatSecret({ ...parts, kind: 'test' }),
      formatSecret({ ...parseSecret(demo.key)!, kind: 'live' }),
      ...['', 'x', one.key.slice(1), `${one.key},${one.key}`],
    ]) {
      expect(await store.keys.authenticate(key, here)).toBeUndefined();
    }
    for (const { key } of [demo, await store.keys.rotate(demo.keyId)]) {
      expect(key).toMatch(/^cg_test_/u);
      expect(await store.keys.authenticate(key, here)).toBeDefined();
    }
  });

  it('is valid for 90 days by default', async () => {
    const { store, clock } = await openAccess();
    const { key, keyId } = await store.keys.create(desk);
    clock.nowMs += 90 * dayMs - 1;
    expect(await store.keys.authenticate(key, here)).toBeDefined();
    clock.nowMs += 1;
    expect(await store.keys.authenticate(key, here)).toBeUndefined();
    expect(await store.keys.list()).toMatchObject([{ state: 'expired' }]);
    await expect(store.keys.rotate(keyId)).rejects.toThrow('revoked or expired');
  });

  it('expires next if it is valid and no valid key replaces it', async () => {
    const {
      store,
      clock: { nowMs },
    } = await openAccess();
    const inDays = (days: number): { expires: Date } => ({
      expires: new Date(nowMs + days * dayMs),
    });
    const expectNext = async (valid: number, days: number): Promise<void> => {
      expect(await store.keys.getValidity()).toEqual({ valid, nextEndMs: nowMs + days * dayMs });
    };
    expect(await store.keys.getValidity()).toEqual({ valid: 0, nextEndMs: undefined });
    const first = await store.keys.create({ ...desk, ...inDays(10) });
    const later = await store.keys.create({ ...desk, ...inDays(20) });
    await expectNext(2, 10);
    const next = await store.keys.rotate(first.keyId, inDays(30));
    await expectNext(3, 20);
    await store.keys.revoke(later.keyId);
    await expectNext(2, 30);
    await store.keys.revoke(next.keyId);
    await expectNext(1, 7);
  });

  it('is revoked in every process at once', async () => {
    const { store, clock, openAnother } = await openAccess();
    const another = await openAnother();
    const { key, keyId } = await store.keys.create(desk);
    expect(await another.keys.authenticate(key, here)).toBeDefined();
    await store.keys.revoke(keyId);
    expect(await another.keys.authenticate(key, here)).toBeUndefined();
    const revoked = new Date(clock.nowMs);
    clock.nowMs += dayMs;
    await another.keys.revoke(keyId);
    expect(await store.keys.list()).toMatchObject([{ state: 'revoked', revoked }]);
    await expect(store.keys.revoke('nobody')).rejects.toThrow('No such key');
  });

  it('stores its last use to the minute, and no refused use', async () => {
    const { store, clock, openAnother } = await openAccess();
    const { key, keyId } = await store.keys.create(desk);
    const { key: unused } = await store.keys.create({ ...desk, cidrs: ['10.0.0.1'] });
    const expectUse = async (used: string, lastUsed: string | undefined): Promise<void> => {
      await store.keys.authenticate(used, here);
      await store.keys.writeLastUses();
      for (const listed of await (await openAnother()).keys.list()) {
        const written = listed.lastUsed?.toISOString().slice(11, -1);
        expect(written).toBe(listed.keyId === keyId ? lastUsed : undefined);
      }
    };
    await expectUse(unused, undefined);
    await expectUse(key, '09:30:00.000');
    clock.nowMs += minuteMs;
    await expectUse(key, '09:31:00.000');
    clock.nowMs -= hourMs;
    await expectUse(key, '09:31:00.000');
  });

  it('is rotated to a key with the same permissions; both are valid until the overlap ends', async () => {
    const { store, clock } = await openAccess();
    const old = await store.keys.create(integration);
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

  it('overlaps with its replacement for seven days by default, and is never extended', async () => {
    const { store, clock } = await openAccess();
    const long = await store.keys.create(desk);
    const { oldExpires } = await store.keys.rotate(long.keyId);
    expect(oldExpires.getTime()).toBe(clock.nowMs + 7 * dayMs);
    const expires = new Date(clock.nowMs + hourMs);
    const short = await store.keys.create({ ...desk, expires });
    expect((await store.keys.rotate(short.keyId)).oldExpires).toEqual(expires);
  });

  it('is not rotated to a third valid key, from either of the two', async () => {
    const { store } = await openAccess();
    const first = await store.keys.create(desk);
    const second = await store.keys.rotate(first.keyId);
    for (const [one, other] of [[first, second] as const, [second, first] as const]) {
      const third = store.keys.rotate(one.keyId);
      await expect(third).rejects.toThrow(`Revoke ${other.keyId} first`);
    }
    await store.keys.revoke(first.keyId);
    const third = await store.keys.rotate(second.keyId);
    await store.keys.revoke(third.keyId);
    await store.keys.rotate(second.keyId);
  });
});

const now = Date.UTC(2026, 0, 15, 9, 30, 12, 345);
it('a key with a wrong field is refused by its name', async () => {
  const { store } = await openSqlite();
  for (const [option, wrong, message] of [
    ['team', { teamId: 'north' }, 'must be a UUID'],
    ['label', { label: '  ' }, '1 to 100 characters'],
    ['label', { label: 'x'.repeat(101) }, '1 to 100 characters'],
    ['label', { label: 'a\nb' }, 'one line'],
    ['scopes', { scopes: ['users:read'] }, 'only allowed for the role integration'],
    ['scopes', { role: 'integration' }, 'at least one scope'],
    ['scopes', { role: 'integration', scopes: ['users:write'] }, 'Unknown scope'],
    ['cidr', { cidrs: ['10.0.0.0/40'] }, '"10.0.0.0/40" is not an IP address'],
    ['expires', { expires: new Date(now) }, 'in the future'],
    ['expires', { expires: new Date(NaN) }, 'in the future'],
    ['expires', { expires: new Date(now + 365 * dayMs + 1) }, 'at most 365 days'],
  ] as const) {
    const refused = store.keys.create({ ...desk, ...wrong });
    await expect(refused).rejects.toMatchObject({
      ...{ option, message: expect.stringContaining(message) },
    });
  }
  expect(await store.keys.list()).toEqual([]);
});

it('a key of 365 days is created; a wrong expiry, overlap or ID is not rotated', async () => {
  const { store } = await openSqlite();
  const expires = new Date(now + 365 * dayMs);
  const { keyId } = await store.keys.create({ ...desk, expires, label: 'x'.repeat(100) });
  for (const [id, requested, refusal] of [
    ['nobody', {}, { message: 'No such key.' }],
    [keyId, { overlapMs: -1 }, { option: 'overlap' }],
    [keyId, { expires: new Date(now) }, { option: 'expires' }],
  ] as const) {
    await expect(store.keys.rotate(id, requested)).rejects.toMatchObject(refusal);
  }
});
