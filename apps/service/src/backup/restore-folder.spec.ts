import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
import { Encrypter, generateIdentity, identityToRecipient } from 'age-encryption';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { caregateIn, type Ended } from '../cli/caregate.testing.ts';
import { backupFolder } from './backup-folder.ts';
import { writeManifest } from './manifest.ts';
import { bodiesIn } from '../audit/record/records.testing.ts';

let folder: string;
let data: string;
let plain: string;
let archive: string;
const [ours, theirs, strange] = ['ours', 'theirs', 'strange'] as const;
const recipients: Record<string, string> = {};

const caregate = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  caregateIn({ CAREGATE_DATA: data, ...env }, words);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-restore-'));
  data = join(folder, 'data');
  for (const name of [ours, theirs, strange]) {
    const identity = await generateIdentity();
    recipients[name] = await identityToRecipient(identity);
    writeFileSync(join(folder, name), `# ${name}\n${identity}\n`);
  }
  const lines = [...sampleEnvelopes({ users: 40 })].map((each) => JSON.stringify(each));
  writeFileSync(join(folder, 'people.ndjson'), lines.join('\n'));
  expect(await caregate(['import', join(folder, 'people.ndjson')])).toMatchObject({ code: 0 });
  plain = join(folder, 'plain');
  expect(await caregate(['backup', plain])).toMatchObject({ code: 0, err: '' });
  archive = join(folder, 'backup.age');
  expect(await caregate(['backup', archive, ...to(ours), ...to(theirs)])).toMatchObject({
    code: 0,
    err: '',
  });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const to = (name: string): string[] => ['--recipient', recipients[name] ?? name];
const restore = (backup: string, target: string, ...more: string[]): Promise<Ended> =>
  caregate(['restore', backup, '--data', target, ...more]);

function usersIn(dataDir: string): unknown {
  const db = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  try {
    return db.prepare('select count(*) as users, max(user_id) as last from users').get();
  } finally {
    db.close();
  }
}

describe('an encrypted backup', () => {
  it('is one file with nothing of a patient in it, for its owner, and leaves nothing else', () => {
    const bytes = readFileSync(archive);
    for (const shown of ['MRN-000101', 'Example', 'SQLite format', 'PRIVATE KEY']) {
      expect([shown, bytes.includes(shown)]).toEqual([shown, false]);
    }
    expect(statSync(archive).mode & 0o077).toBe(0);
    expect(readdirSync(data).filter((name) => name.startsWith('backup'))).toEqual([]);
    expect(readFileSync(join(data, 'last-backup'), 'utf8')).toBe(`${archive}\n`);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it.each([ours, theirs])('comes back with the key of each recipient: %s', async (name) => {
    const target = join(folder, `from-${name}`);
    const ended = await restore(archive, target, '--identity', join(folder, name));
    expect(ended).toMatchObject({ code: 0, err: '' });
    expect(readdirSync(target).sort()).toEqual([
      'audit',
      'audit-key.pem',
      'last-backup',
      'store.db',
    ]);
    expect(usersIn(target)).toEqual(usersIn(data));
    expect(
      bodiesIn(target)
        .map(({ operation }) => operation)
        .slice(-2),
    ).toEqual(['backup', 'restore']);
    expect(bodiesIn(target).at(-2)).toMatchObject({ details: { recipients: 2 } });
    expect(await caregate(['audit', 'verify', '--data', target])).toMatchObject({ code: 0 });
    for (const name_ of readdirSync(target)) {
      expect([name_, statSync(join(target, name_)).mode & 0o077]).toEqual([name_, 0]);
    }
  });

  it('that cannot be written is not begun', async () => {
    const before = bodiesIn(data).length;
    const ended = await caregate(['backup', join(folder, 'nowhere/x.age'), ...to(ours)]);
    expect(ended).toEqual({
      code: 1,
      out: '',
      err: `${join(folder, 'nowhere')} does not exist.\n`,
    });
    expect([bodiesIn(data).length, existsSync(join(data, 'backup-stage'))]).toEqual([
      before,
      false,
    ]);
  });

  it('goes on where a stopped one left its copy, and not beside another', async () => {
    const stage = join(data, 'backup-stage');
    mkdirSync(join(stage, 'copy.part'), { recursive: true });
    const other = new DatabaseSync(join(stage, 'lock.db'));
    other.exec('pragma locking_mode = exclusive; begin exclusive');
    const busy = await caregate(['backup', join(folder, 'second.age'), ...to(ours)]);
    expect([busy.code, busy.err]).toEqual([1, expect.stringContaining('Another backup')]);
    other.close();
    const next = await caregate(['backup', join(folder, 'second.age'), ...to(ours)]);
    expect(next).toMatchObject({ code: 0, err: '' });
    expect(existsSync(stage)).toBe(false);
  });

  const withAge = spawnSync('age', ['--version']).status === 0 ? it : it.skip;
  withAge('is opened by age and tar as well', () => {
    const target = join(folder, 'by-age');
    mkdirSync(target);
    const identity = join(folder, ours);
    execFileSync('sh', ['-c', `age -d -i '${identity}' '${archive}' | tar x -C '${target}'`]);
    expect(usersIn(target)).toEqual(usersIn(data));
  });
});

it('a backup is of one moment, and ends, where the store is written between any two steps', async () => {
  const [from, to] = [join(folder, 'written'), join(folder, 'written-backup')];
  mkdirSync(from);
  const store = new DatabaseSync(join(from, 'store.db'));
  store.exec('pragma journal_mode = wal; create table written (bytes blob)');
  const write = store.prepare(`insert into written values (zeroblob(${2 ** 20}))`);
  for (let at = 0; at < 4; at += 1) write.run();
  let steps = 0;
  await backupFolder(from, to, {
    before: () => Promise.resolve(),
    copyLog: () => Promise.resolve(),
    onProgress: () => {
      steps += 1;
      if (steps < 50) write.run();
    },
  });
  store.close();
  const copy = new DatabaseSync(join(to, 'store.db'));
  expect(copy.prepare('select count(*) as rows from written').get()).toEqual({ rows: 4 });
  expect(steps).toBeGreaterThan(4);
  expect(steps).toBeLessThan(10);
  copy.close();
});

it('a plain backup is restored as well, and recorded', async () => {
  const target = join(folder, 'from-plain');
  mkdirSync(target);
  expect(await restore(plain, target)).toMatchObject({ code: 0, err: '' });
  expect(usersIn(target)).toEqual(usersIn(data));
  expect(bodiesIn(target).at(-1)).toMatchObject({ operation: 'restore' });
});

describe('is refused in a sentence, and nothing is changed', () => {
  const refused = (message: string): object => ({
    ...{ code: 2, out: '' },
    err: expect.stringMatching(new RegExp(`^[^\\n]*${message}[^\\n]*\\n$`, 'u')),
  });

  it.each([
    ['a recipient that is none', 'agex', 'no age public key'],
    ['a private key as a recipient', 'AGE-SECRET-KEY-1CANARY', 'a private key'],
  ])('%s', async (_, recipient, message) => {
    const before = bodiesIn(data).length;
    const file = join(folder, 'none.age');
    const ended = await caregate(['backup', file, ...to(ours), ...to(recipient)]);
    expect(ended).toEqual(refused(`--recipient 2 is ${message}`));
    expect(ended.err).not.toContain('CANARY');
    expect([existsSync(file), bodiesIn(data).length]).toEqual([false, before]);
  });

  const changed = (work: (copy: string) => void, from = archive): string => {
    const copy = join(mkdtempSync(join(folder, 'changed-')), 'backup');
    cpSync(from, copy, { recursive: true });
    work(copy);
    return copy;
  };
  const size = (): number => statSync(archive).size;
  const chunk = 65_552;
  const cuts: readonly (readonly [string, () => number, string])[] = [
    ['before its first byte', () => 0, 'is no backup'],
    ['in its first line', () => 10, 'is no backup'],
    ['in its header', () => 150, 'cannot be opened with'],
    ['within a chunk', () => size() - 70_000, 'cut off or damaged'],
    ['after a whole chunk', () => size() - ((size() - 400) % chunk), 'cut off or damaged'],
    ['before its last byte', () => size() - 1, 'cut off or damaged'],
  ];
  it.each<readonly [string, () => string, string, string?]>([
    ...cuts.map(
      ([name, at, message]) =>
        [
          `one cut off ${name}`,
          () =>
            changed((copy) => {
              truncateSync(copy, at());
            }),
          message,
        ] as const,
    ),
    ['one of another key', () => archive, 'cannot be opened with', strange],
    ['an identity that is none', () => archive, 'no age private key', 'people.ndjson'],
    ['an identity that is missing', () => archive, 'nobody cannot be read \\(ENOENT', 'nobody'],
    ['one without a key', () => archive, 'give the file with a private key', ''],
    ['a file that is none', () => join(folder, 'people.ndjson'), 'is no backup'],
    ['none at all', () => join(folder, 'nowhere'), 'does not exist'],
    [
      'a folder that is none',
      () =>
        changed((copy) => {
          rmSync(join(copy, 'backup.json'));
        }, plain),
      'is no backup',
    ],
    [
      'a folder without a file',
      () =>
        changed((copy) => {
          rmSync(join(copy, 'access.db'), { force: true });
          rmSync(join(copy, 'audit-key.pem'));
        }, plain),
      'is missing',
    ],
    [
      'a folder with another file',
      () =>
        changed((copy) => {
          writeFileSync(join(copy, 'more'), '');
        }, plain),
      'more is not of it',
    ],
    [
      'a folder with a changed file',
      () =>
        changed((copy) => {
          writeFileSync(join(copy, 'audit-key.pem'), 'x');
        }, plain),
      'audit-key.pem was changed',
    ],
  ])('%s', async (_, backup, message, identity = ours) => {
    const target = join(folder, 'refused');
    const key = identity === '' ? [] : ['--identity', join(folder, identity)];
    expect(await restore(backup(), target, ...key)).toEqual(refused(message));
    expect(existsSync(target)).toBe(false);
  });

  it.each([
    ['a database that is damaged', 'store.db', "store.db fails SQLite's integrity check"],
    ['a log that does not hold', 'audit/records/000000000000000', 'its audit log does not hold'],
  ])('%s, whatever its manifest says', async (_, name, message) => {
    const copy = changed((made) => {
      const bytes = readFileSync(join(made, name));
      bytes.fill(0x55, bytes.length - 4096 > 0 ? bytes.length - 4096 : 200, bytes.length - 10);
      writeFileSync(join(made, name), bytes);
      rmSync(join(made, 'backup.json'));
    }, plain);
    await writeManifest(copy);
    const target = join(folder, 'damaged');
    expect(await restore(copy, target)).toEqual(refused(message));
    expect(existsSync(target)).toBe(false);
  });

  it.each([
    ['no archive', 'x'.repeat(2000)],
    ['an archive with a file outside', 'tar -cPf - ../theirs'],
  ])('an encrypted file with %s', async (_, content) => {
    const encrypter = new Encrypter();
    encrypter.addRecipient(recipients[ours] ?? '');
    const plainBytes = content.startsWith('tar')
      ? execFileSync('sh', ['-c', content], { cwd: plain })
      : Buffer.from(content);
    const file = join(folder, 'other.age');
    writeFileSync(file, await encrypter.encrypt(new Uint8Array(plainBytes)));
    const target = join(folder, 'refused');
    const ended = await restore(file, target, '--identity', join(folder, ours));
    expect(ended).toEqual(refused('is no backup: what is encrypted in it is something else'));
    expect(existsSync(target)).toBe(false);
  });

  it('a backup beside one that was stopped in the middle', async () => {
    const target = join(folder, 'stopped');
    mkdirSync(`${target}.part`);
    expect(await caregate(['backup', target])).toEqual(refused('stopped.part is of a backup that'));
    rmSync(`${target}.part`, { recursive: true });
    expect(await caregate(['backup', target])).toMatchObject({ code: 0 });
  });

  it('a folder that is not empty', async () => {
    const target = join(folder, 'full');
    mkdirSync(target);
    writeFileSync(join(target, 'notes'), '');
    expect(await restore(plain, target)).toEqual(refused('is not empty: notes is in it'));
    expect(readdirSync(target)).toEqual(['notes']);
  });

  it('one older than a checkpoint that was kept', async () => {
    const copies = join(folder, 'checkpoints');
    mkdirSync(copies);
    const { out } = await caregate(['audit', 'checkpoint']);
    const logId = /\/audit\/([0-9a-f]+)/u.exec(out)?.[1] ?? '';
    const kept = join(copies, `${logId}.checkpoint`);
    writeFileSync(kept, out);
    const target = join(folder, 'older');
    const words = ['--checkpoint-copy', copies];
    expect(await restore(plain, target, ...words)).toEqual(
      refused('is older than the checkpoint in .*Restore a newer backup'),
    );
    expect(existsSync(target)).toBe(false);
    rmSync(kept);
    expect(await restore(plain, target, ...words)).toMatchObject({ code: 0 });
  });
});
