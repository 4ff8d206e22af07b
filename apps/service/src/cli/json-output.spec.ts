import { beforeEach, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { editLog } from '../audit/record/records.testing.ts';
import { commandFolder, leavesOf, type Ended } from './caregate.testing.ts';
import { program } from './program.ts';

const at = commandFolder();
let file: string;

beforeEach(() => {
  file = join(at.folder, 'people.ndjson');
  const lines = [...sampleEnvelopes({ users: 2 })].map((each) => JSON.stringify(each));
  writeFileSync(file, lines.join('\n'));
});

const caregate = (...words: string[]): Promise<Ended> => at.caregate(...words, '--json');
/** Names of members are written in one way, here as in the interface. */
const parsed = ({ out }: Ended): unknown =>
  JSON.parse(out, (name, value: unknown) => {
    expect(name).toMatch(/^[a-z0-9_]*$/u);
    return value;
  });

it('an import, a backup, a restore and a verification tell programs what they tell people', async () => {
  const imported = await caregate('import', file);
  expect(imported).toMatchObject({ code: 0, err: '' });
  expect(parsed(imported)).toMatchObject({
    imported: true,
    teams: [sampleTeamId],
    counts: { user: { added: 2, updated: 0, unchanged: 0 } },
    refused: { count: 0, first: [] },
  });
  const to = join(at.folder, 'copy');
  const saved = await caregate('backup', to);
  expect(parsed(saved)).toMatchObject({
    folder: to,
    files: expect.arrayContaining([expect.stringContaining('store')]),
  });
  const restored = join(at.folder, 'restored');
  const put = await caregate('restore', to, '--data', restored);
  expect(parsed(put)).toMatchObject({ folder: restored, records: 4, made_at: expect.any(String) });
  const verified = await caregate('audit', 'verify');
  expect(parsed(verified)).toMatchObject({
    ...{ log: expect.stringContaining('/audit/'), verified: true, size: 4, checkpoints: 0 },
    consistent_with_itself_only: true,
  });
  editLog(at.data, 'delete from audit_record where seq = 1');
  const broken = await caregate('audit', 'verify');
  expect(broken).toMatchObject({ code: 6, err: '' });
  expect(parsed(broken)).toMatchObject({ verified: false, breach: 'gap', seq: 1 });
});

it('a refused import tells the lines and why, and no value of them', async () => {
  writeFileSync(file, '{"kind":"user","user":{"client_user_id":"MRN-000101"}}\n');
  const refused = await caregate('import', file);
  expect(refused.code).toBe(2);
  expect(parsed(refused)).toMatchObject({
    imported: false,
    refused: { count: 1, first: [{ line: 1, reasons: expect.anything() }] },
  });
  expect(refused.out).not.toContain('MRN-000101');
});

it('every command has --json, but those that run until they are stopped', async () => {
  const names = (await program([])).commands.map((command) => command.name());
  const all = await Promise.all(
    names.map(async (name) =>
      leavesOf(await program([name])).filter(([path]) => path.split(' ')[0] === name),
    ),
  );
  const without = all
    .flat()
    .flatMap(([path, command]) =>
      command.options.some(({ long }) => long === '--json') ? [] : [path],
    );
  expect(without).toEqual(['serve', 'demo']);
});

it('what reads the audit log tells one document', async () => {
  expect(await caregate('import', file)).toMatchObject({ code: 0 });
  const said: Readonly<Record<string, unknown>> = {
    'audit public-key': { public_keys: [expect.stringContaining('+')] },
    'audit rotate-key': { public_key: expect.stringContaining('+') },
    'audit checkpoint': { checkpoints: [expect.stringContaining('/audit/')] },
    'audit events --operation importFinished': [{ operation: 'importFinished' }],
    'audit alarms': [],
    [`audit export --out ${at.folder}/log.ndjson`]: {
      format: 'ndjson',
      file: `${at.folder}/log.ndjson`,
    },
  };
  for (const [words, expected] of Object.entries(said)) {
    const ended = await caregate(...words.split(' '));
    expect([words, ended]).toMatchObject([words, { code: 0, err: '' }]);
    expect([words, parsed(ended)]).toMatchObject([words, expected]);
  }
});

it('what goes wrong is told as JSON on standard error, with the exit code that it has for people', async () => {
  for (const [words, code, message] of [
    ['audit public-key', 1, 'no audit log'],
    ['audit export', 1, '--json needs --out'],
    ['keys create', 2, 'are required'],
    ['person erase propose', 2, 'required option'],
  ] as const) {
    const { out, err, ...ended } = await caregate(...words.split(' '));
    expect([words, ended.code, out]).toEqual([words, code, '']);
    expect(JSON.parse(err)).toEqual({ error: expect.stringContaining(message) });
  }
});
