import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendMany, openWriter } from '@caregate/audit-log/testing';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { caregateIn, leavesOf, type Ended } from './caregate.testing.ts';
import { fillDemo } from './demo-data.ts';
import { program } from './program.ts';
import { slowCaregate } from './slow-terminal.testing.ts';

/** Never longer than two seconds, and why. */
const QUICK: Readonly<Record<string, string>> = {
  'keys create': 'a row',
  'keys list': 'the keys of a clinic are few',
  'keys rotate': 'two rows',
  'keys revoke': 'a row',
  'staff add': 'a row',
  'staff list': 'the people of a clinic are few',
  'staff disable': 'a row, and their sessions and keys',
  'staff badge': 'a row',
  'teams create': 'a row',
  'teams list': 'the teams of an installation are few',
  'teams delete': 'a row',
  'person erase propose': 'one person, and one record',
  'desks enrol': 'a row',
  'desks list': 'the desks of a clinic are few',
  'desks revoke': 'a row, and its sessions',
  'break-glass review': 'a row',
  'witness key': 'a file',
  'audit prove-inclusion': 'one path through the tree',
  'audit prove-consistency': 'two paths through the tree',
  'audit checkpoint': 'the end of the log alone',
  'audit public-key': 'a file',
  'audit record': 'one record, by its number',
  'audit hold add': 'one record, at the end',
  completion: 'a text',
};

/** The start of a demo is tested below. */
const RUNS = ['serve', 'demo', 'witness serve'];

const shown = /\r([^\r\u001B]+) {2}([\d,]+) of ([\d,]+)/gu;

let root: string;
let data: string;
let people: string;
let server: PostgresServer;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'caregate-progress-'));
  data = join(root, 'data');
  mkdirSync(data);
  const log = openWriter(data);
  appendMany(log, 3);
  log.close();
  const lines = [...sampleEnvelopes({ users: 20 })].map((each) => JSON.stringify(each));
  people = lines.join('\n');
  writeFileSync(join(root, 'people.ndjson'), people);
  server = await startPostgres({ fsync: 'off' });
});
afterAll(async () => {
  await server.stop();
  rmSync(root, { recursive: true, force: true });
});

const caregate = (words: readonly string[], env: object = {}): Promise<Ended> =>
  slowCaregate({ CAREGATE_DATA: data, ...env }, words);

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

const told = new Set<string>();

async function tells(
  path: string,
  more = '',
  options: { env?: object; code?: number } = {},
): Promise<Ended> {
  const ended = await caregate(`${path} ${more}`.trim().split(' '), { ...options.env });
  expect([path, ended.err]).toEqual([path, expect.stringContaining('\r\u001B[K')]);
  expect([path, stepsOf(ended, options.code)]).not.toEqual([path, []]);
  told.add(path);
  return ended;
}

describe('a command that takes longer than two seconds', () => {
  it('tells how far it is, of the data of a folder', async () => {
    await tells('import', join(root, 'people.ndjson'));
    expect(stepsOf(await tells('backup', join(root, 'copy')))).toEqual([
      'bytes copied and checked',
    ]);
    const recipient = await identityToRecipient(await generateIdentity());
    const encrypted = await tells('backup', `${root}/copy.age --recipient ${recipient}`);
    expect(stepsOf(encrypted)).toEqual(['bytes copied and checked', 'bytes encrypted']);
    expect(stepsOf(await tells('restore', `${root}/copy --data ${root}/restored`))).toEqual([
      'bytes of the backup',
      'records verified',
    ]);
    cpSync(join(root, 'copy'), join(root, 'moved'), { recursive: true });
    await tells('audit verify');
    for (const format of ['ndjson', 'csv', 'fhir']) {
      await tells('audit export', `--format ${format} --out ${root}/log.${format}`);
    }
    await tells('audit reindex');
    await tells('audit tiles', `--out ${root}/tiles`);
    await tells('audit alarms');
    await tells('break-glass list');
    await tells('access report');
    await tells('audit accept-break', '--reason nothing-was-broken-here', { code: 1 });
    // Its folder is open to others.
    await tells('doctor', '', { code: 2 });
  });

  it('tells it of what is read from the whole log: legal holds, erasures and who read a person', async () => {
    const [team, user] = [sampleTeamId, /"user_id":"([^"]+)"/u.exec(people)?.[1] ?? ''];
    await tells('person export', `--team ${team} --user ${user} --out ${root}/person.json`);
    await tells('person erase list');
    const added = await caregateIn({ CAREGATE_DATA: data }, [
      ...['staff', 'add', '--team', team, '--name', 'Ada', '--role', 'admin', '--json'],
    ]);
    const { staff_id: staffId } = JSON.parse(added.out) as { staff_id: string };
    const made = await caregateIn({ CAREGATE_DATA: data }, [
      ...['keys', 'create', '--staff', staffId, '--json'],
    ]);
    writeFileSync(join(root, 'key'), (JSON.parse(made.out) as { key: string }).key);
    await tells('person erase approve', `00000000 --key-file ${root}/key`, { code: 2 });
    await tells('audit hold list');
    await tells('audit hold release', '00000000', { code: 1 });
  });

  it('tells it of a database', async () => {
    const env = { DATABASE_URL: server.url };
    const moved = await tells('move', `--from sqlite:${root}/moved`, { env });
    expect(stepsOf(moved)).toEqual(
      expect.arrayContaining(['users', 'people of the search', 'verifying the moved audit log']),
    );
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
    await tells('audit tiles', `--out ${root}/moved-tiles`, inDatabase);
    await tells('audit alarms', '', inDatabase);
    await tells('break-glass list', '', inDatabase);
  });

  it('tells it of the people of a demo', async () => {
    const people: number[] = [];
    await fillDemo(join(root, 'demo'), 9, (done) => people.push(done));
    expect(people).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('is every one that is not quick for a reason', async () => {
    const all = leavesOf(await program('all')).map(([path]) => path);
    expect([...Object.keys(QUICK), ...RUNS, ...told].sort()).toEqual(all.sort());
  });
});

it('is told nothing where standard error is no terminal, nor in the first two seconds', async () => {
  const ended = await caregateIn({ CAREGATE_DATA: data }, ['audit', 'verify']);
  expect(ended).toMatchObject({ code: 0, err: '' });
});
