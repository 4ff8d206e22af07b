import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes } from '@caregate/sample-data';
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
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { caregateIn, type Ended } from '../cli/caregate.testing.ts';
import { backupFolder } from './backup-folder.ts';
import { writeManifest } from './manifest.ts';
import { bodiesIn } from '../audit/record/records.testing.ts';

let folder: string;
let data: string;
let plain: string;
let archive: string;

const caregate = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  caregateIn({ CAREGATE_DATA: data, ...env }, words);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-restore-'));
  data = join(folder, 'data');
  const lines = [...sampleEnvelopes({ users: 40 })].map((each) => JSON.stringify(each));
  writeFileSync(join(folder, 'people.ndjson'), lines.join('\n'));
  expect(await caregate(['import', join(folder, 'people.ndjson')])).toMatchObject({ code: 0 });
  plain = join(folder, 'plain');
  expect(await caregate(['backup', plain])).toMatchObject({ code: 0, err: '' });
  archive = join(folder, 'backup.tar');
  execFileSync('sh', ['-c', `${archived(data)} > '${archive}'`]);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const main = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
/** The command as a shell runs it, from source. */
const shellCommand = `'${process.execPath}' --conditions=@caregate/source '${main}'`;
const archived = (from: string): string => `${shellCommand} backup --stdout --data '${from}'`;
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

describe('a backup on standard output', () => {
  it('comes back through a pipe, and leaves nothing else', async () => {
    const target = join(folder, 'from-pipe');
    execFileSync('sh', ['-c', `${archived(data)} | ${shellCommand} restore - --data '${target}'`]);
    expect(readdirSync(target).sort()).toEqual([
      'audit',
      'audit-key.pem',
      'last-backup',
      'store.db',
    ]);
    expect(usersIn(target)).toEqual(usersIn(data));
    const operations = bodiesIn(target).map(({ operation }) => operation);
    expect(operations.slice(-2)).toEqual(['backup', 'restore']);
    expect(await caregate(['audit', 'verify', '--data', target])).toMatchObject({ code: 0 });
    for (const name of readdirSync(target)) {
      expect([name, statSync(join(target, name)).mode & 0o077]).toEqual([name, 0]);
    }
    expect(readdirSync(data).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  const withGpg = spawnSync('gpg', ['--version']).status === 0 ? it : it.skip;
  withGpg('comes back through gpg', async () => {
    const target = join(folder, 'from-gpg');
    const home = join(folder, 'gpg');
    mkdirSync(home, { mode: 0o700 });
    const gpg = `gpg --homedir '${home}' --batch --quiet --pinentry-mode loopback --passphrase x`;
    const file = join(folder, 'backup.tar.gpg');
    const [to, back] = [
      `${archived(data)} | ${gpg} --symmetric > '${file}'`,
      `${gpg} -d '${file}'`,
    ];
    const words = `set -o pipefail; ${to}; ${back} | ${shellCommand} restore - --data '${target}'`;
    execFileSync('bash', ['-ec', words]);
    spawnSync('gpgconf', ['--homedir', home, '--kill', 'gpg-agent']);
    expect(readFileSync(file).includes('MRN-000101')).toBe(false);
    expect(usersIn(target)).toEqual(usersIn(data));
    expect(await caregate(['audit', 'verify', '--data', target])).toMatchObject({ code: 0 });
  });

  const withTerminal = spawnSync('script', ['--version']).status === 0 ? it : it.skip;
  withTerminal('is not written to a terminal', () => {
    const { status, stdout } = spawnSync('script', ['-qec', archived(data), '/dev/null'], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([2, expect.stringContaining('--stdout writes health data')]);
    expect(readdirSync(data).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  it('leaves the copy of another one that is being made as it is', async () => {
    const stage = join(data, 'backup-stage');
    mkdirSync(stage);
    writeFileSync(join(stage, 'theirs'), '');
    expect(await caregate(['backup', '--stdout'])).toMatchObject({
      ...{ code: 2, out: '', err: expect.stringContaining('is still being made') },
    });
    expect(readdirSync(stage)).toEqual(['theirs']);
    rmSync(stage, { recursive: true });
  });

  it('is a tar archive for other programs', () => {
    const target = join(folder, 'by-tar');
    mkdirSync(target);
    execFileSync('tar', ['xf', archive, '-C', target]);
    expect(usersIn(target)).toEqual(usersIn(data));
  });

  it('fails if its reader ends early', () => {
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', `${archived(data)} | head -c 10 > /dev/null; exit \${PIPESTATUS[0]}`],
      { encoding: 'utf8' },
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('so there is no backup')]);
    expect(readdirSync(data).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  it.each([
    [[], 'Name either a folder'],
    [['to', '--stdout'], 'Name either a folder'],
  ])('is refused with the words %j', async (words, why) => {
    expect(await caregate(['backup', ...words])).toMatchObject({
      ...{ code: 2, out: '', err: expect.stringContaining(why) },
    });
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
  expect([steps > 1, steps < 10]).toEqual([true, true]);
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

  const changed = (work: (copy: string) => void, from = archive): string => {
    const copy = join(mkdtempSync(join(folder, 'changed-')), 'backup');
    cpSync(from, copy, { recursive: true });
    work(copy);
    return copy;
  };
  const cuts: readonly (readonly [string, number])[] = [
    ['before its first byte', 0],
    ['in its first line', 10],
    ['in its first file', 700],
    ['in the middle', 70_000],
  ];
  it.each<readonly [string, () => string, string]>([
    ...cuts.map(
      ([name, at]) =>
        [
          `one cut off ${name}`,
          () =>
            changed((copy) => {
              truncateSync(copy, at);
            }),
          'is no backup',
        ] as const,
    ),
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
  ])('%s', async (_, backup, message) => {
    const target = join(folder, 'refused');
    expect(await restore(backup(), target)).toEqual(refused(message));
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

  it('an archive with a file outside', async () => {
    const file = join(folder, 'outside.tar');
    execFileSync('tar', ['-cPf', file, '../people.ndjson'], { cwd: plain });
    const target = join(folder, 'refused');
    expect(await restore(file, target)).toEqual(refused('is no backup'));
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
