import { beforeAll, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labMessage } from '@caregate/hl7v2/testing';
import { editLog } from '../audit/records.testing.ts';
import { AccessStore } from '../auth/access-store.ts';
import { unrecorded } from '../auth/access.testing.ts';
import { caregateIn, commandFolder, listLeaves, type Ended } from './caregate.testing.ts';
import { buildProgram } from './program.ts';

const at = commandFolder('spec');
const ids: Record<string, string> = { team: sampleTeamId, other: sampleTeamId.replace(/^./u, '0') };

/** Fills a data folder with data for each command. Each test works on a copy. */
beforeAll(async () => {
  const people = [...sampleEnvelopes({ users: 2 })];
  const write = (name: string, text: string | Buffer): string => {
    writeFileSync(join(at.folder, name), text);
    return join(at.folder, name);
  };
  const lines = people.map((each) => JSON.stringify(each)).join('\n');
  const [first] = people;
  ids['user'] = first?.kind === 'user' ? first.user.user_id : '';
  const messages = write('messages', labMessage({ controlId: 'A1', birthDate: '19990909' }));
  const imported = await at.caregate('import', write('people', lines), '--json');
  expect(imported).toMatchObject({ code: 0, err: '' });
  const hl7 = ['--format', 'hl7v2', '--team', sampleTeamId, '--authority', 'CLINIC', messages];
  expect(await at.caregate('import', ...hl7)).toMatchObject({ code: 0 });
  const [message] = await at.json<{ id: string }[]>('import', 'pending');
  ids['message'] = message?.id ?? '';
  const access = await AccessStore.open(at.data, { acts: unrecorded });
  for (const name of ['ada', 'ben']) {
    const person = { teamId: sampleTeamId, name, role: 'admin' } as const;
    const { staffId } = await access.staff.add(person);
    const { key, keyId } = await access.keys.create({ ...person, label: name, staffId });
    Object.assign(ids, { [name]: staffId, [`${name}Key`]: keyId });
    write(`${name}.key`, key);
  }
  await access.teams.create(ids['other']!, 'South');
  const { code } = await access.desks.makeCode({ teamId: sampleTeamId, name: 'Desk' });
  expect(code).not.toBe('');
  const { grantId } = await access.breakGlass.ask(
    { keyId: ids['adaKey']!, teamId: sampleTeamId, role: 'admin' },
    { reasonCode: 'other', text: 'Covering for the ward', userId: ids['user'] },
  );
  ids['grant'] = grantId;
  await access.close();
  const proposal = `person erase propose ${OF_PERSON} --reason objection --key-file {folder}/ada.key`;
  const { proposal_id: id = '' } = await at.json(...splitWords(proposal, at.data));
  ids['proposal'] = id;
  await at.json('backup', join(at.folder, 'copy'));
});

const OF_PERSON = '--team {team} --user {user}';

/** The commands with output, with valid arguments. */
const COMMANDS: Readonly<Record<string, string>> = {
  import: '{folder}/people',
  'import pending': '',
  'import pending discard': '{message} --reason wrong',
  backup: '{data}-backup',
  restore: '{folder}/copy --data {data}-restored',
  move: '--from {data}',
  'keys create': '--team {team} --role billing --label x',
  'keys list': '',
  'keys rotate': '{adaKey}',
  'keys revoke': '{adaKey}',
  'secrets rotate': '',
  'staff add': '--team {team} --name Ada --role admin',
  'staff list': '',
  'staff disable': '{ada}',
  'staff badge': '{ada} --badge 12345678',
  'teams create': '--team {user} --name North',
  'teams list': '',
  'teams delete': '--team {other}',
  'person export': `${OF_PERSON} --out {data}/person.json`,
  'person erase propose': `${OF_PERSON} --reason objection --key-file {folder}/ada.key`,
  'person erase approve': '{proposal} --key-file {folder}/ben.key',
  'person erase list': '',
  'desks enrol': '--team {team} --name Desk',
  'desks list': '',
  'access report': '',
  'access break-glass review': '{grant} --outcome justified --by Grace',
  doctor: '',
  'audit verify': '',
  'audit checkpoint': '',
  'audit public-key': '',
  'audit events': '--operation importFinished',
  'audit alarms': '',
  'audit export': '--out {data}/log.ndjson',
  'audit rotate-key': '',
};
/** Commands that need other data. Their own specs test their output. */
const ELSEWHERE = ['desks revoke', 'access break-glass list', 'audit new-log'];
/** Commands that run until they are stopped. */
const WITHOUT_JSON = ['serve', 'demo'];

function splitWords(words: string, data: string): string[] {
  const values: Readonly<Record<string, string>> = { ...ids, data, folder: at.folder };
  const filled = words.replaceAll(/\{(\w+)\}/gu, (_all, name: string) => values[name] ?? '');
  return filled.split(' ').filter(Boolean);
}

async function run(command: string): Promise<Ended> {
  const data = mkdtempSync(`${at.data}-`);
  cpSync(at.data, data, { recursive: true });
  const url = command === 'move' ? { DATABASE_URL: await newDatabase() } : {};
  const words = [...command.split(' '), ...splitWords(COMMANDS[command] ?? '', data), '--json'];
  const ended = await caregateIn({ CAREGATE_DATA: data, ...url }, words);
  rmSync(data, { recursive: true });
  return ended;
}

it('every command has --json, but those that run until they are stopped', async () => {
  const names = (await buildProgram([])).commands.map((command) => command.name());
  const programs = await Promise.all(
    names.map(async (name) => [name, await buildProgram([name])] as const),
  );
  const leaves = programs.flatMap(([name, loaded]) =>
    listLeaves(loaded).filter(([path]) => path.split(' ')[0] === name),
  );
  const without = leaves.filter(
    ([, { options }]) => !options.some(({ long }) => long === '--json'),
  );
  expect(without.map(([path]) => path)).toEqual(WITHOUT_JSON);
  const listed = [...Object.keys(COMMANDS), ...ELSEWHERE, ...WITHOUT_JSON];
  // A new command needs a row in COMMANDS.
  expect(leaves.map(([path]) => path).filter((path) => !listed.includes(path))).toEqual([]);
});

it.each(Object.keys(COMMANDS))('prints JSON: %s', async (command) => {
  const { code, out } = await run(command);
  expect([0, 1]).toContain(code);
  // Imports and verifications print one line for each file or log.
  for (const line of out.trim().split('\n')) {
    JSON.parse(line, (name, member: unknown) => {
      expect(name).toMatch(/^[a-z0-9_]*$/u);
      return member;
    });
  }
});

it('an import tells counts and refused lines, and no value of them', async () => {
  const file = join(at.folder, 'refused');
  writeFileSync(file, '{"kind":"user","user":{"client_user_id":"MRN-000101"}}\n');
  const refused = await at.caregate('import', file, '--json');
  expect(refused.code).toBe(2);
  expect(JSON.parse(refused.out)).toMatchObject({
    imported: false,
    refused: { count: 1, first: [{ line: 1, reasons: expect.anything() }] },
  });
  expect(refused.out).not.toContain('MRN-000101');
});

it('a log that does not hold is told on standard output, too', async () => {
  const copy = join(at.folder, 'broken');
  cpSync(at.data, copy, { recursive: true });
  editLog(copy, 'delete from audit_record where seq = 1');
  const broken = await at.caregate('audit', 'verify', '--data', copy, '--json');
  expect(broken).toMatchObject({ code: 6, err: '' });
  expect(JSON.parse(broken.out)).toMatchObject({ verified: false, breach: 'gap', seq: 1 });
});

it('what goes wrong is told as JSON on standard error, with the exit code that it has for people', async () => {
  const empty = ['--data', join(at.folder, 'empty')];
  for (const [words, code, message] of [
    ['audit public-key', 1, 'no audit log'],
    ['audit export', 1, '--json needs --out'],
    ['keys create', 2, 'are required'],
    ['person erase propose', 2, 'required option'],
  ] as const) {
    const { out, err, ...ended } = await at.caregate(...words.split(' '), ...empty, '--json');
    expect([words, ended.code, out]).toEqual([words, code, '']);
    expect(JSON.parse(err)).toEqual({ error: expect.stringContaining(message) });
  }
});
