import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { join } from 'node:path';
import { caregateIn, type Ended } from './caregate.testing.ts';
import { AccessStore } from '../auth/access-store.ts';
import { dayMs, hourMs, teamA, teamB, unrecorded } from '../auth/access.testing.ts';
import { createSpecFolder } from '../testing/folder.testing.ts';

const data = join(createSpecFolder(), 'data');
/** Acts as the running service. */
const service = await AccessStore.open(data, { acts: unrecorded });
afterAll(() => service.close());

const caregate = (...arguments_: string[]): Promise<Ended> =>
  caregateIn({ CAREGATE_DATA: data }, arguments_);

const create = (...more: string[]): Promise<Ended> =>
  caregate('keys', 'create', '--team', teamA, '--label', 'desk 1', '--role', 'front_desk', ...more);

interface Made {
  readonly key: string;
  readonly key_id: string;
  readonly expires: string;
}

describe('caregate keys', () => {
  it('makes a key that works, with all that was asked for, and shows its secret this once', async () => {
    const before = Date.now();
    const team = ['--team', teamB, '--team-name', 'North Clinic', '--role', 'integration'];
    const created = await caregate(
      ...['keys', 'create', ...team],
      ...['--scopes', 'users:read, lab-results:read', '--label', 'import', '--expires', '12h'],
      ...['--cidr', '10.1.0.0/16', '2001:db8::/32'],
    );
    expect([created.code, created.err]).toEqual([0, '']);
    const key = created.out.split('\n')[0] ?? '';
    const list = await caregate('keys', 'list', '--team', teamB);
    expect(list.out).toContain('North Clinic');
    expect(list.out).not.toContain(key.slice(21));
    const [row] = JSON.parse((await caregate('keys', 'list', '--team', teamB, '--json')).out) as [
      { expires: string },
    ];
    const expires = Date.parse(row.expires) - 12 * hourMs;
    expect(expires).toBeGreaterThanOrEqual(before);
    expect(expires).toBeLessThanOrEqual(Date.now());
    expect(row).toMatchObject({
      state: 'live',
      cidrs: ['10.1.0.0/16', '2001:db8::/32'],
      last_used: null,
      revoked: null,
    });
    expect(JSON.stringify(row)).not.toContain(key.slice(21));
    // The key is used only now, since a use sets `last_used`, which the lists above show.
    expect(await service.keys.authenticate(key, '10.1.2.3')).toMatchObject({
      teamId: teamB,
      role: 'integration',
      scopes: ['users:read', 'lab-results:read'],
      label: 'import',
    });
    expect(await service.keys.authenticate(key, '10.2.2.3')).toBeUndefined();
  });

  it('shows the secret of a new key even if the store cannot be closed', async () => {
    jest.spyOn(AccessStore.prototype, 'close').mockImplementationOnce(() => {
      throw Object.assign(new Error(), { code: 'ENOSPC', syscall: 'fsync', path: 'access.db' });
    });
    const { code, out, err } = await create();
    expect([code, err]).toEqual([1, 'The disk is full: access.db.\n']);
    expect(await service.keys.authenticate(out.split('\n')[0] ?? '', '::1')).toBeDefined();
  });

  it('rotates and revokes under a running service', async () => {
    const date = new Date(Date.now() + 40 * dayMs).toISOString().slice(0, 10);
    const created = JSON.parse((await create('--json', '--expires', date)).out) as Made;
    expect(created.expires).toBe(`${date}T00:00:00.000Z`);
    const before = Date.now();
    const rotated = await caregate('keys', 'rotate', created.key_id, '--overlap', '36h', '--json');
    const next = JSON.parse(rotated.out) as Made & { old_key_expires: string };
    const overlapped = Date.parse(next.old_key_expires) - 36 * hourMs;
    expect(overlapped).toBeGreaterThanOrEqual(before);
    expect(overlapped).toBeLessThanOrEqual(Date.now());
    for (const { key, key_id: keyId } of [created, next]) {
      expect((await service.keys.authenticate(key, '10.0.0.1'))?.keyId).toBe(keyId);
      expect(await caregate('keys', 'revoke', keyId)).toEqual({
        code: 0,
        out: `Key ${keyId} was revoked.\n`,
        err: '',
      });
      expect(await service.keys.authenticate(key, '10.0.0.1')).toBeUndefined();
    }
  });
});

describe('caregate access break-glass', () => {
  it('lists what awaits review, and takes the review of someone else', async () => {
    const { keyId } = await service.keys.create({ teamId: teamA, role: 'billing', label: 'Ada' });
    const { grantId } = await service.breakGlass.ask(
      { keyId, teamId: teamA, role: 'billing' },
      { reasonCode: 'other', text: 'Covering \u001b[31m for the ward', userId: teamB },
    );
    const list = await caregate('access', 'break-glass', 'list', '--team', teamA);
    expect(list.out).toContain(grantId);
    expect(list.out).toContain('Covering  [31m for the ward');
    const review = (...more: string[]): Promise<Ended> =>
      caregate('access', 'break-glass', 'review', grantId, '--outcome', 'justified', ...more);
    expect((await review()).code).toBe(2);
    expect(await review('--by', 'ada')).toMatchObject({ code: 2, out: '' });
    expect(await review('--by', 'Grace', '--note', 'fine')).toMatchObject({ code: 0, err: '' });
    expect(await review('--by', 'Grace')).toMatchObject({ code: 2 });
    expect((await caregate('access', 'break-glass', 'list')).out).toBe('No grants.\n');
    const all = JSON.parse(
      (await caregate('access', 'break-glass', 'list', '--all', '--json')).out,
    ) as object[];
    expect(all).toMatchObject([{ break_glass_id: grantId, reviewed_by: 'Grace', note: 'fine' }]);
  });
});
