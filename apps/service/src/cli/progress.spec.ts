import { beforeAll, describe, expect, it } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { labMessage } from '@caregate/hl7v2/testing';
import { recordActs } from '../audit/record-acts.ts';
import { auditEntry } from '../audit/record/records.testing.ts';
import { caregateIn, commandFolder, type Ended } from './caregate.testing.ts';
import { fillDemo } from './demo-data.ts';

const stepMs = 3000;
const now = performance.now.bind(performance);

/** With a terminal as standard error, and a progress clock that moves three seconds per look. */
async function slowCaregate(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
): Promise<Ended> {
  let steps = 0;
  performance.now = () => {
    if (new Error().stack?.includes('progress-line.ts') === true) {
      steps += 1;
      return now() + stepMs * steps;
    }
    return now();
  };
  try {
    return await caregateIn(env, words, { isTTY: true });
  } finally {
    performance.now = now;
  }
}

const shown = /\r([^\r\u001B]+) {2}([\d,]+) of ([\d,]+)/gu;

const at = commandFolder('spec');
let root: string;
let people: string;
let databaseUrl: string;

beforeAll(async () => {
  root = at.folder;
  mkdirSync(at.data);
  await recordActs({ dataDir: at.data }, [auditEntry(), auditEntry(), auditEntry()]);
  const lines = [...sampleEnvelopes({ users: 20 })].map((each) => JSON.stringify(each));
  people = lines.join('\n');
  writeFileSync(join(root, 'people.ndjson'), people);
  databaseUrl = await newDatabase();
});

const caregate = (words: readonly string[], env: object = {}): Promise<Ended> =>
  slowCaregate({ CAREGATE_DATA: at.data, ...env }, words);

/** Ends as it should, and has drawn parts of a whole that were never more than that; gives the steps. */
function stepsOf({ code, err }: Ended, wanted = 0): string[] {
  expect([code, err]).toEqual([wanted, expect.stringMatching(shown)]);
  const found = [...err.matchAll(shown)];
  for (const [, , done, of] of found) {
    const [part, whole] = [done, of].map((text) => Number(text?.replaceAll(',', '')));
    expect(part).toBeLessThanOrEqual(whole ?? -1);
  }
  return [...new Set(found.map(([, what]) => what ?? ''))];
}

async function tells(
  path: string,
  more = '',
  options: { env?: object; code?: number } = {},
): Promise<Ended> {
  const ended = await caregate(`${path} ${more}`.trim().split(' '), { ...options.env });
  expect([path, ended.err]).toEqual([path, expect.stringContaining('\r\u001B[K')]);
  expect([path, stepsOf(ended, options.code)]).not.toEqual([path, []]);
  return ended;
}

describe('a command that takes longer than two seconds', () => {
  it('tells how far it is, of the data of a folder', async () => {
    await tells('import', join(root, 'people.ndjson'));
    writeFileSync(join(root, 'messages'), labMessage({ controlId: '1' }));
    const hl7 = `--format hl7v2 --team ${sampleTeamId} --authority CLINIC`;
    await tells('import', `${root}/messages ${hl7}`);
    expect(stepsOf(await tells('backup', join(root, 'copy')))).toEqual([
      'bytes copied and checked',
    ]);
    expect(stepsOf(await tells('restore', `${root}/copy --data ${root}/restored`))).toEqual([
      'bytes of the backup',
      'records verified',
    ]);
    cpSync(join(root, 'copy'), join(root, 'moved'), { recursive: true });
    await tells('audit verify');
    for (const format of ['ndjson', 'csv', 'fhir']) {
      await tells('audit export', `--format ${format} --out ${root}/log.${format}`);
    }
    await tells('audit events', '--operation importFinished');
    await tells('audit alarms');
    await tells('access break-glass list');
    await tells('access report');
    await tells('audit new-log', '--reason nothing-was-broken-here', { code: 1 });
  });

  it('tells it of what is read from the whole log: erasures and who read a person', async () => {
    const [team, user] = [sampleTeamId, /"user_id":"([^"]+)"/u.exec(people)?.[1] ?? ''];
    await tells('person export', `--team ${team} --user ${user} --out ${root}/person.json`);
    await tells('person erase list');
    const staff = ['--team', team, '--name', 'Ada', '--role', 'admin'];
    const { staff_id: id = '' } = await at.json('staff', 'add', ...staff);
    const { key = '' } = await at.json('keys', 'create', '--staff', id);
    writeFileSync(join(root, 'key'), key);
    await tells('person erase approve', `00000000 --key-file ${root}/key`, { code: 2 });
  });

  it('tells it of a database', async () => {
    const env = { DATABASE_URL: databaseUrl };
    const moved = await caregate(['move', '--from', `${root}/moved`], env);
    expect(moved).toMatchObject({ code: 0 });
    const inDatabase = { env: { ...env, CAREGATE_DATA: join(root, 'moved') } };
    expect(stepsOf(await tells('import', join(root, 'people.ndjson'), inDatabase))).toEqual([
      'people.ndjson, bytes',
    ]);
    await tells('audit verify', '', inDatabase);
    for (const format of ['ndjson', 'csv', 'fhir']) {
      const log = format === 'ndjson' ? '--operation importFinished' : '';
      const out = `--format ${format} --out ${root}/moved.${format} ${log}`;
      await tells('audit export', out.trim(), inDatabase);
    }
    await tells('audit alarms', '', inDatabase);
    await tells('access break-glass list', '', inDatabase);
  });

  it('tells it of the people of a demo', async () => {
    const people: number[] = [];
    await fillDemo(join(root, 'demo'), 9, (done) => people.push(done));
    expect(people).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

it('is told nothing where standard error is no terminal, nor in the first two seconds', async () => {
  const ended = await at.caregate('audit', 'verify');
  expect(ended).toMatchObject({ code: 0, err: '' });
});
