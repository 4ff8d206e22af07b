import { expect, it } from '@jest/globals';
import { teamA } from '../auth/access.testing.ts';
import { commandFolder } from './caregate.testing.ts';
import { bodiesIn } from '../audit/records.testing.ts';

const at = commandFolder();
const { caregate, json } = at;

it('people and desks are added, listed and ended by commands, each of which is a record', async () => {
  const person = ['--team', teamA, '--name', 'Ines Example', '--role', 'clinician'];
  const { staff_id: id = '' } = await json('staff', 'add', ...person);
  const code = await caregate('desks', 'enrol', '--team', teamA, '--name', 'Front desk 1');
  expect(code.out).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{6}\n/u);
  const key = await json('keys', 'create', '--staff', id);
  expect(key).toMatchObject({ key: expect.stringMatching(/^cg_live_/u) });
  expect((await caregate('staff', 'badge', id, '--badge', '0012345678')).code).toBe(0);
  expect((await caregate('staff', 'disable', id)).code).toBe(0);
  expect(await json('staff', 'list')).toEqual([
    expect.objectContaining({ staff_id: id, role: 'clinician', badge: true, subject: null }),
  ]);
  expect((await caregate('keys', 'list')).out).toContain('revoked');
  expect((await caregate('desks', 'list')).out).toBe('No desks.\n');
  for (const [message, ...wrong] of [
    ['No such staff member', 'staff', 'disable', teamA],
    ['No such desk', 'desks', 'revoke', teamA],
    ['--staff: No such staff member', 'keys', 'create', '--staff', teamA],
    ['--team, --role and --label are required', 'keys', 'create', '--team', teamA],
    ['--subject: Issuer and subject', 'staff', 'add', ...person, '--subject', 'x'],
  ] as const) {
    expect([message, await caregate(...wrong)]).toEqual([
      message,
      { code: 2, out: '', err: expect.stringContaining(message) },
    ]);
  }
  const records = bodiesIn(at.data);
  expect(records.map(({ operation }) => operation)).toEqual([
    ...['staffAdded', 'deskCodeMade', 'createKey', 'badgeSet', 'staffDisabled'],
  ]);
  for (const secret of ['Ines', '0012345678', code.out.slice(0, 11), 'Front desk']) {
    expect(JSON.stringify(records)).not.toContain(secret);
  }
});
