import { expect, it } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { teamA, teamB } from '../../auth/access.testing.ts';
import { commandFolder, type Ended } from '../caregate.testing.ts';
import { bodiesIn } from '../../audit/records.testing.ts';

const at = commandFolder();
const { caregate, json } = at;
const teams = (...words: string[]): Promise<Ended> => caregate('teams', ...words);
const refused = (message: string): object => ({ code: 2, out: '', err: `${message}\n` });

it('a team is created, listed and deleted, all of it in the log', async () => {
  expect((await teams('list')).out).toBe('No teams.\n');
  expect(await teams('create', '--team', teamA, '--name', 'North Clinic')).toMatchObject({
    code: 0,
  });
  expect(await json('teams', 'list')).toEqual([
    { team_id: teamA, name: 'North Clinic', created: expect.any(String) },
  ]);
  expect(await teams('delete', '--team', teamA)).toMatchObject({ code: 0 });
  expect((await teams('list')).out).toBe('No teams.\n');
  const by = { team_id: teamA, decision: 'allowed', patients: [] };
  expect(bodiesIn(at.data)).toMatchObject([
    { ...by, operation: 'teamCreated' },
    { ...by, operation: 'teamDeleted' },
  ]);
});

it('refuses a team that exists, is unknown, has keys or has patients', async () => {
  await teams('create', '--team', teamA, '--name', 'North Clinic');
  expect(await teams('create', '--team', teamA, '--name', 'South')).toEqual(
    refused('--team: This team exists already.'),
  );
  expect(await teams('create', '--team', 'north', '--name', 'South')).toEqual(
    refused('--team: The team id must be a UUID.'),
  );
  expect(await teams('delete', '--team', teamB)).toEqual(refused(`There is no team ${teamB}.`));
  const key = ['--team', teamA, '--role', 'admin', '--label', 'desk'];
  await caregate('keys', 'create', ...key);
  await caregate('keys', 'create', ...key);
  expect(await teams('delete', '--team', teamA)).toEqual(
    refused(`Team ${teamA} is not deleted: it has keys (2).`),
  );
  const lines = Array.from(sampleEnvelopes({ users: 1, teamId: teamB }), (line) =>
    JSON.stringify(line),
  );
  writeFileSync(join(at.folder, 'people'), lines.join('\n'));
  await caregate('import', join(at.folder, 'people'));
  await teams('create', '--team', teamB, '--name', 'South');
  expect(await teams('delete', '--team', teamB)).toEqual(
    refused(`Team ${teamB} is not deleted: it has patients (1).`),
  );
  expect((await json<unknown[]>('teams', 'list')).length).toBe(2);
});
