import { expect, it } from '@jest/globals';
import { listHeldAccess } from './access-report.ts';
import { accessEngines, dayMs, teamA, teamB } from './access.testing.ts';
import { beginSession, newDesk } from './sessions/signed-in.testing.ts';

it.each(accessEngines)('lists what is valid on $name, and names of one team', async (engine) => {
  const { store, clock } = await engine.openAccess();
  const key = { role: 'billing', label: 'one' } as const;
  const expires = new Date(clock.nowMs + dayMs);
  const { keyId } = await store.keys.create({ ...key, teamId: teamA });
  await store.keys.create({ ...key, teamId: teamB, expires });
  const ines = { teamId: teamA, name: 'Ines', issuer: 'https://id.example', subject: 'ines' };
  const { staffId } = await store.staff.add({ ...ines, role: 'clinician' });
  await store.staff.add({ teamId: teamA, name: 'Noor', role: 'auditor' });
  const desk = await newDesk(store, teamA);
  const { session } = await beginSession(store, desk, ines);
  const lastUse = new Date(clock.nowMs);
  const rows = [
    { kind: 'key', id: keyId, may: 'billing', lastUse: undefined },
    { kind: 'staff', id: staffId, name: 'Ines', may: 'clinician', lastUse },
    { kind: 'staff', name: 'Noor', may: 'auditor', lastUse: undefined },
  ];
  expect(await listHeldAccess(store, teamA.toUpperCase())).toMatchObject([
    ...rows,
    { kind: 'desk', id: desk.desk_id, name: 'Desk', lastUse },
    { kind: 'session', id: session.session_id, may: 'clinician', name: 'Ines at Desk' },
  ]);
  expect(await listHeldAccess(store)).toHaveLength(6);
  const ids = { actors: [keyId, staffId, null], desks: [desk.desk_id], grants: [] };
  const { actors, desks } = await store.names.findNames(teamA, ids);
  expect([...actors.values(), ...desks.values()]).toEqual(['Ines', 'one', 'Desk']);
  const foreign = await store.names.findNames(teamB, ids);
  expect([foreign.actors.size, foreign.desks.size]).toEqual([0, 0]);
  await store.desks.revoke(desk.desk_id);
  expect(await listHeldAccess(store, teamA)).toMatchObject(rows);
  clock.nowMs += dayMs;
  expect(await listHeldAccess(store, teamB)).toEqual([]);
});
