import { expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { userInfo } from 'node:os';
import { AccessStore } from '../auth/access-store.ts';
import { teamA, unrecorded } from '../auth/access.testing.ts';
import { commandFolder } from './caregate.testing.ts';
import { bodiesIn } from '../audit/records.testing.ts';

const at = commandFolder();
const { caregate, json } = at;
const by = `command line: ${userInfo().username}`;
const team = ['--team', teamA];

it('lists what is valid now and who gave it, without what has ended', async () => {
  const key = ['keys', 'create', ...team, '--label', 'import', '--role'];
  const { key_id: live = '' } = await json(...key, 'integration', '--scopes', 'users:read');
  const { key_id: ended = '' } = await json(...key, 'billing');
  await caregate('keys', 'revoke', ended);
  const { staff_id: amara } = await json(
    ...['staff', 'add', ...team, '--name', 'Amara Example', '--role', 'clinician'],
    ...['--email', 'amara@clinic.example'],
  );
  const store = await AccessStore.open(at.data, { acts: unrecorded });
  const { grantId } = await store.breakGlass.ask(
    { keyId: live, teamId: teamA, role: 'integration' },
    { reasonCode: 'other', text: 'Covering for the ward', userId: teamA },
  );
  await store.close();
  const common = { team_id: teamA, since: expect.stringMatching(/^20/u) };
  expect(await json('access', 'report')).toEqual([
    {
      ...{ ...common, kind: 'key', id: live, name: 'import', may: 'integration users:read' },
      ...{ until: expect.stringMatching(/^20/u), last_use: null, given_by: by },
    },
    {
      ...{ ...common, kind: 'staff', id: amara, name: 'Amara Example', may: 'clinician' },
      ...{ until: null, last_use: null, given_by: by },
    },
    {
      ...{ ...common, kind: 'emergency access', id: grantId, name: 'import' },
      ...{ may: `patient ${teamA}`, until: expect.stringMatching(/^20/u) },
      // Not in the log: access break-glass list names it.
      ...{ last_use: null, given_by: null },
    },
  ]);
  const other = '00000000-0000-4000-8000-000000000000';
  expect(await json('access', 'report', '--team', other)).toEqual([]);
});

it('its sign-off is a record, with the digest of what was signed', async () => {
  await json('keys', 'create', ...team, '--label', '=1+1', '--role', 'billing');
  const before = bodiesIn(at.data).length;
  const csv = await caregate('access', 'report', '--csv');
  expect(csv.out).toContain(`"'=1+1"`);
  expect(bodiesIn(at.data)).toHaveLength(before);
  const signed = await caregate('access', 'report', '--csv', '--sign-off', 'Grace Example');
  expect(signed).toEqual(csv);
  expect(bodiesIn(at.data).slice(before)).toMatchObject([
    {
      ...{ operation: 'accessReviewed', actor_id: by, record_count: 1, team_id: null },
      details: {
        signed_off_by: 'Grace Example',
        report_sha256: createHash('sha256').update(csv.out).digest('hex'),
      },
    },
  ]);
});
