import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { bodiesIn } from '@caregate/audit-log/testing';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { AccessStore } from '../access/access-store.ts';
import { teamA, unrecorded } from '../access/access.testing.ts';
import { caregateIn, type Ended } from './caregate.testing.ts';

let data: string;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'caregate-access-'));
});
afterEach(() => {
  rmSync(data, { recursive: true, force: true });
});

const caregate = (...words: string[]): Promise<Ended> => caregateIn({ CAREGATE_DATA: data }, words);
const by = `command line: ${userInfo().username}`;
const team = ['--team', teamA];

interface Made {
  readonly key_id: string;
  readonly staff_id: string;
}
const made = async (...words: string[]): Promise<Made> =>
  JSON.parse((await caregate(...words, '--json')).out) as Made;

it('tells what is valid now, and who gave it by the audit log; what ended is left out', async () => {
  const key = ['keys', 'create', ...team, '--label', 'import', '--role'];
  const { key_id: live } = await made(...key, 'integration', '--scopes', 'users:read');
  const { key_id: ended } = await made(...key, 'billing');
  await caregate('keys', 'revoke', ended);
  const { staff_id: amara } = await made(
    ...['staff', 'add', ...team, '--name', 'Amara Example', '--role', 'clinician'],
    ...['--email', 'amara@clinic.example'],
  );
  const store = await AccessStore.open(data, { acts: unrecorded });
  const { grantId } = await store.breakGlass.ask(
    { keyId: live, teamId: teamA, role: 'integration' },
    { reasonCode: 'other', text: 'Covering for the ward', userId: teamA },
  );
  await store.close();
  const reported = await caregate('access', 'report', '--json');
  expect(reported).toMatchObject({ code: 0, err: '' });
  const common = { team_id: teamA, since: expect.stringMatching(/^20/u) };
  expect(JSON.parse(reported.out)).toEqual([
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
      // Not in the log: break-glass list names it.
      ...{ last_use: null, given_by: null },
    },
  ]);
  const other = '00000000-0000-4000-8000-000000000000';
  expect((await caregate('access', 'report', '--team', other, '--json')).out).toBe('[]\n');
});

it('its sign-off is a record, with the digest of what was signed', async () => {
  await made('keys', 'create', ...team, '--label', '=1+1', '--role', 'billing');
  const before = bodiesIn(data).length;
  const csv = await caregate('access', 'report', '--csv');
  expect(csv.out).toContain(`"'=1+1"`);
  expect(bodiesIn(data)).toHaveLength(before);
  const signed = await caregate('access', 'report', '--csv', '--sign-off', 'Grace Example');
  expect(signed).toEqual(csv);
  expect(bodiesIn(data).slice(before)).toMatchObject([
    {
      ...{ operation: 'accessReviewed', actor_id: by, record_count: 1, team_id: null },
      details: {
        signed_off_by: 'Grace Example',
        report_sha256: createHash('sha256').update(csv.out).digest('hex'),
      },
    },
  ]);
});
