import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testService, type TestService } from '../testing/service.testing.ts';
import { heldAccess } from './access-report.ts';
import { accessEngines, dayMs, teamA, teamB } from './access.testing.ts';
import { signedIn } from './sessions/signed-in.testing.ts';

describe.each(accessEngines)('the access report on $name', ({ withAccess }) => {
  it('lists what is valid now, of one team or all, with its last use', async () => {
    await withAccess(async ({ store, clock }) => {
      const key = { role: 'billing', label: 'one' } as const;
      const { keyId } = await store.keys.create({ ...key, teamId: teamA });
      await store.keys.create({ ...key, teamId: teamB, expires: new Date(clock.nowMs + dayMs) });
      await store.staff.add({ teamId: teamA, role: 'clinician', name: 'Amara Example' });
      expect(await heldAccess(store, teamA.toUpperCase())).toMatchObject([
        { kind: 'key', id: keyId, may: 'billing', lastUse: undefined },
        { kind: 'staff', name: 'Amara Example', may: 'clinician', lastUse: undefined },
      ]);
      expect(await heldAccess(store)).toHaveLength(3);
      clock.nowMs += dayMs;
      expect(await heldAccess(store, teamB)).toEqual([]);
    });
  });
});

describe('a session in the access report', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService([]);
  });
  afterAll(async () => {
    await service.close();
  });

  it('is listed with the desk, until it is revoked', async () => {
    const { staffId, deskId, sessionId } = await signedIn(service, {
      ...{ teamId: teamA, role: 'clinician', name: 'Ines Example' },
    });
    const lastUse = expect.any(Date);
    expect(await heldAccess(service.access, teamA)).toMatchObject([
      { kind: 'staff', id: staffId, lastUse },
      { kind: 'desk', id: deskId, name: 'Front desk 1', lastUse },
      { kind: 'session', id: sessionId, may: 'clinician', name: 'Ines Example at Front desk 1' },
    ]);
    expect(await heldAccess(service.access, teamB)).toEqual([]);
    await service.access.desks.revoke(deskId);
    const kinds = (await heldAccess(service.access, teamA)).map(({ kind }) => kind);
    expect(kinds).toEqual(['staff']);
  });
});
