import { AccessStore } from '../../auth/access-store.ts';
import { unrecorded } from '../../auth/access.testing.ts';
import { beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { otherTeamId, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../config/read-config.ts';
import type { Role } from '../../operations/operations.ts';
import { openStore, parseExactly } from '@caregate/data-store';
import { getPoolUsage } from '@caregate/data-store/database';
import { commandFolder, type Ended } from '../caregate.testing.ts';
import { renderPersonHtml } from './person-html.ts';
import { startService } from '../../start-service.ts';
import { bodiesIn, editLog } from '../../audit/records.testing.ts';

const LIST = 'erased-people.ndjson';
const everybody = Array.from(sampleEnvelopes({ users: 3, mindfulnessDays: 2 }), (line) =>
  JSON.stringify(line),
);
const { user_id: amara } = (JSON.parse(everybody[0] ?? '') as { user: { user_id: string } }).user;
const lines = everybody.map((line) =>
  line
    .replaceAll('Amara', 'Zqcanary')
    .replaceAll('amara', 'zqcanary')
    .replaceAll('"7.3"', '"zqcanary 7.3"'),
);
const ofHer = ['--team', sampleTeamId, '--user', amara];

const made = commandFolder('spec');
const at = commandFolder();
const { caregate, json } = at;
let root: string;
/** Of an erasure that Ada has proposed. */
let id: string;
let data: string;
let keys: Record<'ada' | 'ben' | 'nurse' | 'theirs', string>;
beforeAll(async () => {
  const { folder } = made;
  writeFileSync(join(folder, 'people.ndjson'), lines.join('\n'));
  await made.json('import', join(folder, 'people.ndjson'));
  const store = await AccessStore.open(made.data, { acts: unrecorded });
  for (const [name, role, teamId] of [
    ['ada', 'admin', sampleTeamId],
    ['ben', 'auditor', sampleTeamId],
    ['nurse', 'clinician', sampleTeamId],
    ['theirs', 'admin', otherTeamId],
  ] as const) {
    await writeKey(store, join(folder, `${name}.key`), { name, role, teamId });
  }
  await store.close();
  const key = ['--key-file', join(folder, 'ada.key'), '--reason', 'consent-withdrawn'];
  ({ proposal_id: id = '' } = await made.json('person', 'erase', 'propose', ...ofHer, ...key));
});
beforeEach(() => {
  ({ data, folder: root } = at);
  cpSync(made.folder, root, { recursive: true });
  const [ada, ben, nurse, theirs] = ['ada', 'ben', 'nurse', 'theirs'].map((name) =>
    join(root, `${name}.key`),
  ) as [string, string, string, string];
  keys = { ada, ben, nurse, theirs };
});

/** Adds a staff member, and writes their API key to a file. */
async function writeKey(
  store: AccessStore,
  file: string,
  who: { name: string; role: Role; teamId: string },
) {
  const { staffId } = await store.staff.add(who);
  const { key } = await store.keys.create({ ...who, label: who.name, staffId });
  writeFileSync(file, `${key}\n`);
}

const propose = (key: string, ...more: string[]): Promise<Ended> =>
  caregate(
    ...['person', 'erase', 'propose', '--reason', 'consent-withdrawn', '--key-file', key, '--json'],
    ...(more.length === 0 ? ofHer : more),
  );
const approve = (key: string, id: string): Promise<Ended> =>
  caregate('person', 'erase', 'approve', id, '--key-file', key, '--json');

function filesWithCanary(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((file) => readFileSync(file).toString('latin1').toLowerCase().includes('zqcanary'));
}

async function isStored(folder: string): Promise<boolean> {
  const store = await openStore({ dataDir: folder });
  const found = await store.getUserInfo(sampleTeamId, amara);
  await store.close();
  return found !== 'no-user';
}

const refused = (message: string): object => ({
  ...{ code: 2, out: '' },
  err: expect.stringContaining(message),
});

describe('an export of a person', () => {
  it('has all that is stored of them, and is recorded before it leaves', async () => {
    const exported = await json<Record<string, unknown>>('person', 'export', ...ofHer);
    expect(exported).toMatchObject({
      ...{ team_id: sampleTeamId, user_id: amara },
      ...{ emergency_accesses: [], read_by: [] },
      user: { user_id: amara, client_user_id: 'MRN-000101' },
      user_infos: [{ info: { first_name: 'Zqcanary' } }],
    });
    const wanted = lines
      .filter((line) => line.includes(amara))
      .map(
        (line) =>
          JSON.parse(line) as Record<'kind' | 'order' | 'result', unknown> & { data?: unknown[] },
      );
    const orders = exported['orders'] as {
      order: unknown;
      lab_result: unknown;
      earlier_results: unknown[];
    }[];
    const ordered = wanted.filter(({ kind }) => kind === 'order').map(({ order }) => order);
    expect(ordered.length).toBeGreaterThan(1);
    expect(orders.map(({ order }) => order).filter((order) => order !== null)).toEqual(
      expect.arrayContaining(ordered),
    );
    const results = wanted.filter(({ kind }) => kind === 'lab_result').map(({ result }) => result);
    const versions = orders.flatMap(({ lab_result: newest, earlier_results: earlier }) => [
      newest,
      ...earlier.map((one) => (one as { lab_result: unknown }).lab_result),
    ]);
    expect(versions).toEqual(expect.arrayContaining(results));
    const points = wanted.flatMap(({ data: each }) => each ?? []);
    const minutes = exported['mindfulness_minutes'] as { data: unknown[] }[];
    expect(minutes.flatMap((each) => each.data).length).toBe(points.length);
    expect(bodiesIn(data).at(-1)).toMatchObject({
      ...{ operation: 'exportPerson', team_id: sampleTeamId, patients: [amara] },
      ...{ decision: 'allowed', actor_id: expect.stringContaining('command line: ') },
    });
  });

  it('as HTML has the same in one page, in which no value is markup', async () => {
    const file = join(root, 'her.html');
    const ended = await caregate('person', 'export', ...ofHer, '--format', 'html', '--out', file);
    expect(ended).toMatchObject({ code: 0, err: '' });
    const { out } = await caregate('person', 'export', ...ofHer);
    const page = readFileSync(file, 'utf8');
    const splitWords = (of: string): string[] => of.match(/[\p{L}\p{N}]+/gu) ?? [];
    const shown = new Set(splitWords(page).map((word) => word.toLowerCase()));
    const values = out.replaceAll(/"[^"]*":|\b(?:null|true|false)\b/gu, ' ');
    // Numbers may differ, since each export has its own time.
    const missing = splitWords(values).filter((word) => !shown.has(word.toLowerCase()));
    expect(missing.filter((word) => !/^\d{2,4}Z?$/u.test(word))).toEqual([]);
    expect(page).toContain('All that is stored of Zqcanary Okonkwo-Lindqvist');
    expect(page).toContain(amara);
    expect(page).not.toMatch(/<script|src=|href=/u);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('as HTML escapes what somebody else wrote, and leaves numbers as they are', () => {
    const stored = parseExactly(
      '{"user_id":"1","user":{"client_user_id":"<script>alert(\\"1\\")</script>","note":"a & b"},"user_infos":[{"info":{"first_name":"<b>أمل","last_name":"X","dob":"1985-03-07"}}],"orders":[{"value":7.30}]}',
    );
    const page = renderPersonHtml(stored as Readonly<Record<string, unknown>>);
    expect(page).not.toMatch(/<script>|<b>/u);
    expect(page).toContain('&#60;b&#62;أمل X');
    expect(page).toContain('a &#38; b');
    expect(page).toContain('1985-03-07');
    expect(page).toContain('>7.30<');
  });

  it('goes to a new file for its owner alone, and not over another; nobody unknown or of another team is exported', async () => {
    const file = join(root, 'her.json');
    expect(await caregate('person', 'export', ...ofHer, '--out', file)).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = bodiesIn(data).length;
    expect(await caregate('person', 'export', ...ofHer, '--out', file)).toEqual(
      refused('cannot be created (EEXIST)'),
    );
    const elsewhere = ['--team', otherTeamId, '--user', amara];
    expect(await caregate('person', 'export', ...elsewhere)).toEqual(
      refused(`Team ${otherTeamId} has no person ${amara}.`),
    );
    expect(await caregate('person', 'export', ...ofHer, '--data', join(root, 'none'))).toEqual(
      refused('is not a data folder'),
    );
    expect(existsSync(join(root, 'none'))).toBe(false);
    expect(bodiesIn(data).length).toBe(before);
  });

  it('leaves no file if the log does not hold', async () => {
    editLog(
      data,
      `update audit_record set body = replace(body, 'operation', 'xperation') where seq = 1`,
    );
    const file = join(root, 'late.json');
    const ended = await caregate('person', 'export', ...ofHer, '--out', file);
    expect(ended.err).toContain('not those that were signed');
    expect(ended.code).not.toBe(0);
    expect(existsSync(file)).toBe(false);
  });
});

describe('an erasure', () => {
  it('takes two people, both recorded, says what is kept, and refuses the person from then on', async () => {
    const ended = await approve(keys.ben, id);
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(ended.out)).toEqual({
      ...{ proposal_id: id, team_id: sampleTeamId, user_id: amara, state: 'erased' },
      kept: { audit_records: 2, emergency_accesses: 0 },
    });
    const [first, second] = bodiesIn(data).slice(-2);
    expect([first, second]).toMatchObject([
      { operation: 'proposeErasure', patients: [amara], role: 'admin', actor_type: 'key' },
      { operation: 'erasePerson', patients: [amara], role: 'auditor', actor_type: 'key' },
    ]);
    expect(first?.key_id).not.toBe(second?.key_id);
    expect(await isStored(data)).toBe(false);
    expect(filesWithCanary(data)).toEqual([]);
    const again = await caregate('import', join(root, 'people.ndjson'));
    expect(again).toEqual(refused('people.ndjson:1: user.user_id: was erased from this store'));
    expect((await caregate('person', 'erase', 'list')).out).toContain(`${id}  erased`);
    expect(await caregate('audit', 'verify')).toMatchObject({ code: 0 });
    const copy = join(root, 'copy');
    expect(await caregate('backup', copy)).toMatchObject({ code: 0 });
    expect(filesWithCanary(copy)).toEqual([]);
  });

  it.each<[string, () => Promise<Ended>, string]>([
    ['approved by its proposer', () => approve(keys.ada, id), 'yourself'],
    ['approved from another team', () => approve(keys.theirs, id), 'of your team was proposed'],
    [
      'approved by a role that may not',
      () => approve(keys.nurse, id),
      'The role clinician may not erase anybody',
    ],
    ['that nobody proposed', () => approve(keys.ben, '00000000'), 'No erasure 00000000'],
    ['proposed from another team', () => propose(keys.theirs), 'of another team'],
    [
      'of a person of another team',
      () => propose(keys.theirs, '--team', otherTeamId, '--user', amara),
      `Team ${otherTeamId} has no person ${amara}.`,
    ],
    [
      'of an unknown person',
      () => propose(keys.ada, '--team', sampleTeamId, '--user', otherTeamId),
      'has no person',
    ],
    ['without a key', () => propose(join(root, 'none')), 'cannot be read (ENOENT)'],
    ['with something else', () => propose(join(root, 'people.ndjson')), 'Not a valid key'],
    [
      'proposed more than 30 days ago',
      async () => {
        const now = Date.now.bind(Date);
        const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + 31 * 86_400_000);
        const ended = await approve(keys.ben, id);
        clock.mockRestore();
        return ended;
      },
      'more than 30 days ago: propose it again',
    ],
  ])('is refused with 2 and changes nothing: %s', async (_, act, message) => {
    expect(await act()).toEqual(refused(message));
    expect(bodiesIn(data).map(({ operation }) => operation)).not.toContain('erasePerson');
    expect(await isStored(data)).toBe(true);
    expect(existsSync(join(data, LIST))).toBe(false);
  });

  it('that cannot be put on the list for restored backups is not done', async () => {
    at.env = { CAREGATE_CHECKPOINT_COPY: join(root, 'not-mounted') };
    expect(await approve(keys.ben, id)).toMatchObject({ code: 1, out: '' });
    at.env = {};
    expect(bodiesIn(data).at(-1)).toMatchObject({ operation: 'erasePerson', decision: 'failed' });
    expect(await isStored(data)).toBe(true);
    expect(await approve(keys.ben, id)).toMatchObject({ code: 0 });
  });

  it('that was recorded before its command was killed is done when it is approved again', async () => {
    const before = join(root, 'before');
    expect(await caregate('backup', before)).toMatchObject({ code: 0 });
    expect(await approve(keys.ben, id)).toMatchObject({ code: 0 });
    const count = bodiesIn(data).length;
    for (const name of ['store.db', 'store.db-wal', 'store.db-shm']) {
      rmSync(join(data, name), { force: true });
    }
    copyFileSync(join(before, 'store.db'), join(data, 'store.db'));
    expect(await isStored(data)).toBe(true);
    expect(await approve(keys.ben, id)).toMatchObject({ code: 0 });
    expect(await isStored(data)).toBe(false);
    expect(bodiesIn(data).length).toBe(count);
  });
});

describe('a restored backup', () => {
  const serve = async (more: Record<string, string> = {}): Promise<void> => {
    const config = readConfig({ CAREGATE_DATA: data, CAREGATE_PORT: '0', ...more });
    const service = await startService(config, { write: () => undefined }, 'serve');
    expect(filesWithCanary(data)).toEqual([]);
    await service.stop();
  };

  it('erases again before it serves: by the copy of the list beside the checkpoints, or by the list put into it', async () => {
    const [first, second, copies] = ['first', 'second', 'copies'].map((name) => join(root, name));
    mkdirSync(copies!);
    await caregate('backup', first!);
    await caregate('backup', second!);
    at.env = { CAREGATE_CHECKPOINT_COPY: copies! };
    expect(await approve(keys.ben, id)).toMatchObject({ code: 0 });
    at.env = {};
    copyFileSync(join(data, LIST), join(second!, LIST));
    for (const [folder, more] of [
      [first!, { CAREGATE_CHECKPOINT_COPY: copies! }],
      [second!, {}],
    ] as const) {
      data = folder;
      at.data = folder;
      expect(await isStored(data)).toBe(true);
      await serve(more);
      expect(await isStored(data)).toBe(false);
      expect(readFileSync(join(data, LIST), 'utf8')).toContain(amara);
      const erased = bodiesIn(data).filter(({ operation }) => operation === 'erasePerson');
      expect(erased).toMatchObject([{ patients: [amara], details: { proposal: id, again: 1 } }]);
      await serve(more);
      expect(bodiesIn(data).filter(({ operation }) => operation === 'erasePerson').length).toBe(1);
    }
  });

  it('does not serve by a list that is damaged, and says which line', async () => {
    appendFileSync(join(data, LIST), '{"team_id":\n');
    await expect(serve()).rejects.toThrow(`${LIST}:1: not a line of a list of erased people.`);
  });
});

it('an emergency access to an erased person stays, and is counted', async () => {
  const store = await AccessStore.open(data, { acts: unrecorded });
  const text = readFileSync(keys.nurse, 'utf8').trim();
  const nurse = await store.keys.authenticate(text, '127.0.0.1');
  await store.breakGlass.ask(
    { keyId: nurse?.keyId ?? '', teamId: sampleTeamId, role: 'clinician' },
    { reasonCode: 'other', text: 'Covering for the ward', userId: amara },
  );
  await store.close();
  const ended = await approve(keys.ben, id);
  expect(JSON.parse(ended.out)).toMatchObject({ kept: { emergency_accesses: 1 } });
});

describe('with a database', () => {
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await newDatabase();
  });

  it("exports and erases, in the folder's own log", async () => {
    at.env = { DATABASE_URL: databaseUrl };
    at.data = join(root, 'of-database');
    await caregate('import', join(root, 'people.ndjson'));
    const store = await AccessStore.openPostgres(databaseUrl, { acts: unrecorded });
    const [ada, ben] = [join(root, 'Ada'), join(root, 'Ben')];
    for (const [name, file] of Object.entries({ ada, ben })) {
      await writeKey(store, file, { name, role: 'admin', teamId: sampleTeamId });
    }
    await store.close();
    expect((await caregate('person', 'export', ...ofHer)).out).toContain('"Zqcanary"');
    const { proposal_id: id } = JSON.parse((await propose(ada)).out) as { proposal_id: string };
    expect(await approve(ada, id)).toEqual(refused('yourself'));
    expect(getPoolUsage()).toEqual([]);
    expect(await approve(ben, id)).toMatchObject({ code: 0, err: '' });
    expect(await caregate('person', 'export', ...ofHer)).toEqual(refused('has no person'));
    expect(await caregate('import', join(root, 'people.ndjson'))).toEqual(
      refused('was erased from this store'),
    );
    expect(await caregate('audit', 'verify')).toMatchObject({ code: 0 });
  });
});
