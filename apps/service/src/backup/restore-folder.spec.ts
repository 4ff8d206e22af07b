import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
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
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from 'node:sqlite';
import { caregateIn, CommandFolder, type Ended } from '../cli/caregate.testing.ts';
import { formatUuid } from '@caregate/data-store';
import { lockFolder } from '@caregate/data-store/database';
import { createBackup } from './backup-folder.ts';
import { openBackup } from './open-backup.ts';
import { restoreFolder } from './restore-folder.ts';
import { writeManifest } from './manifest.ts';
import { bodiesIn, editLog } from '../audit/records.testing.ts';
import { createSpecFolder } from '../testing/folder.testing.ts';

const folder = createSpecFolder();
const data = join(folder, 'data');
const plain = join(folder, 'plain');
const archive = join(folder, 'backup.tar');

const caregate = (words: readonly string[], env: Record<string, string> = {}): Promise<Ended> =>
  caregateIn({ CAREGATE_DATA: data, ...env }, words);
const people = join(folder, 'people.ndjson');
const ofBilling = ['--team', sampleTeamId, '--role', 'billing'];

/** One key is revoked before the backup. */
beforeAll(async () => {
  const lines = [...sampleEnvelopes({ users: 2 })].map((each) => JSON.stringify(each));
  writeFileSync(people, lines.join('\n'));
  expect(await caregate(['import', people])).toMatchObject({ code: 0 });
  const { out } = await caregate(['keys', 'create', ...ofBilling, '--label', 'x', '--json']);
  const { key_id: id } = JSON.parse(out) as { key_id: string };
  expect(await caregate(['keys', 'revoke', id])).toMatchObject({ code: 0 });
  expect(await caregate(['backup', plain])).toMatchObject({ code: 0, err: '' });
  execFileSync('sh', ['-c', `${archived(data)} > '${archive}'`]);
});

const main = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
/** The command as a shell runs it, from source. */
const shellCommand = `'${process.execPath}' --conditions=@caregate/source '${main}'`;
const archived = (from: string): string => `${shellCommand} backup --stdout --data '${from}'`;
const restore = (backup: string, target: string, ...more: string[]): Promise<Ended> =>
  caregate(['restore', backup, '--data', target, ...more]);

/** What somebody does who can write the tables, and has no key. */
function alterRecord(dataDir: string): void {
  editLog(
    dataDir,
    `update audit_record set body = replace(body, 'import', 'impart') where seq = 1`,
  );
}

function usersIn(dataDir: string): unknown {
  const db = new DatabaseSync(join(dataDir, 'store.db'), { readOnly: true });
  try {
    return db.prepare('select count(*) as users, max(user_id) as last from users').get();
  } finally {
    db.close();
  }
}

describe('a backup on standard output', () => {
  it('is restored through a pipe, without other files', async () => {
    const target = join(folder, 'from-pipe');
    execFileSync('sh', ['-c', `${archived(data)} | ${shellCommand} restore - --data '${target}'`]);
    expect(readdirSync(target).sort()).toEqual([
      'access.db',
      'audit-key.pem',
      'audit-log-id',
      'audit.db',
      'last-backup',
      'service-lock.db',
      'store.db',
    ]);
    expect(usersIn(target)).toEqual(usersIn(data));
    const operations = bodiesIn(target).map(({ operation }) => operation);
    expect(operations.slice(-2)).toEqual(['backup', 'restore']);
    expect(await caregate(['audit', 'verify', '--data', target])).toMatchObject({ code: 0 });
    // The lock is empty.
    for (const name of readdirSync(target).filter((one) => one !== 'service-lock.db')) {
      expect([name, statSync(join(target, name)).mode & 0o077]).toEqual([name, 0]);
    }
    expect(readdirSync(data).filter((name) => name.startsWith('backup'))).toEqual([]);
  });

  const withTerminal = spawnSync('script', ['--version']).status === 0 ? it : it.skip;
  withTerminal('is not written to a terminal', () => {
    const { status, stdout } = spawnSync('script', ['-qec', archived(data), '/dev/null'], {
      encoding: 'utf8',
    });
    expect([status, stdout]).toEqual([2, expect.stringContaining('--stdout writes health data')]);
    expect(readdirSync(data).filter((name) => name.startsWith('backup'))).toEqual([]);
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
});

it('a backup has the state of one moment, and ends while the store is being written', async () => {
  const [from, to] = [join(folder, 'written'), join(folder, 'written-backup')];
  cpSync(data, from, { recursive: true });
  const store = new DatabaseSync(join(from, 'store.db'));
  store.exec('pragma journal_mode = wal; create table written (bytes blob)');
  const write = store.prepare(`insert into written values (zeroblob(${2 ** 20}))`);
  for (let at = 0; at < 4; at += 1) write.run();
  let steps = 0;
  const record = (): Promise<void> => Promise.resolve();
  await createBackup(from, to, record, () => {
    if (!existsSync(join(`${to}.part`, 'store.db'))) return;
    steps += 1;
    if (steps < 50) write.run();
  });
  store.close();
  const copy = new DatabaseSync(join(to, 'store.db'));
  expect(copy.prepare('select count(*) as rows from written').get()).toEqual({ rows: 4 });
  expect([steps > 1, steps < 25]).toEqual([true, true]);
  copy.close();
});

it('a restore locks its folder until it ends', async () => {
  const target = join(folder, 'held');
  const inUse = (): void => {
    expect(() => lockFolder(target)).toThrow('in use by another caregate process');
  };
  let [records, steps] = [0, 0];
  const options = {
    ...{ checkpointCopy: '', publicKey: undefined },
    // Each attempt to lock takes half a second.
    onProgress: () => {
      if ((steps += 1) % 20 === 1) inUse();
    },
    record: () => {
      inUse();
      records += 1;
      return Promise.resolve();
    },
  };
  await restoreFolder(openBackup(plain), target, { ...options, isAll: false });
  rmSync(join(target, 'store.db'));
  await restoreFolder(openBackup(plain), target, { ...options, isAll: false });
  await restoreFolder(openBackup(plain), target, { ...options, isAll: true });
  expect(records).toBe(3);
  lockFolder(target).close();
});

describe('a folder with data', () => {
  let used: string;
  let backup: string;
  let keys: readonly string[];
  let users: readonly string[];

  const at = new CommandFolder();
  const { caregate: inUsed, json } = at;
  const newKey = async (label: string): Promise<string> =>
    (await json('keys', 'create', ...ofBilling, '--label', label))['key_id'] ?? '';
  const addPerson = async (name: string, role: string): Promise<string> => {
    const signIn = ['--issuer', 'https://idp.example', '--subject', name];
    const words = ['--team', sampleTeamId, '--name', name, '--role', role, ...signIn];
    return (await json('staff', 'add', ...words))['staff_id'] ?? '';
  };
  const restore = (...more: string[]): Promise<Record<string, unknown>> =>
    json('restore', backup, ...more);
  const readState = async (id: string): Promise<unknown> =>
    (await json<{ key_id: string; state: string }[]>('keys', 'list')).find(
      (key) => key.key_id === id,
    )?.state;
  const has = (user: string): boolean => {
    const db = new DatabaseSync(join(used, 'store.db'), { readOnly: true });
    try {
      const id = Buffer.from(user.replaceAll('-', ''), 'hex');
      return db.prepare('select 1 from users where user_id = ?').get(id) !== undefined;
    } finally {
      db.close();
    }
  };
  const damage = (name: string): void => {
    const file = join(used, name);
    const bytes = readFileSync(file);
    bytes.fill(0xa5, 4096, Math.min(bytes.length, 4096 * 6));
    writeFileSync(file, bytes);
  };
  /** By two people with keys of their own, as the law asks for. */
  const erase = async (user: string): Promise<void> => {
    const files: string[] = [];
    for (const name of ['Ada', 'Ben']) {
      const { key = '' } = await json('keys', 'create', '--staff', await addPerson(name, 'admin'));
      files.push(join(used, '..', name));
      writeFileSync(files.at(-1) ?? '', key, { mode: 0o600 });
    }
    const of = ['--team', sampleTeamId, '--user', user, '--reason', 'consent-withdrawn'];
    const { proposal_id: id = '' } = await json(
      ...['person', 'erase', 'propose', ...of, '--key-file', files[0]!],
    );
    await json('person', 'erase', 'approve', id, '--key-file', files[1]!);
  };

  /** Two keys and everybody in the backup; one key revoked and one person erased since, one key made since. */
  beforeAll(async () => {
    [used, backup] = [join(folder, 'original', 'data'), join(folder, 'original', 'backup')];
    at.data = used;
    cpSync(data, used, { recursive: true });
    const db = new DatabaseSync(join(used, 'store.db'), { readOnly: true });
    const rows = db.prepare('select hex(user_id) as user from users limit 2').all();
    db.close();
    users = rows.map(({ user }) => formatUuid(Buffer.from(String(user), 'hex')));
    keys = [await newKey('one'), await newKey('two')];
    await json('backup', backup);
    await json('keys', 'revoke', keys[0]!);
    await erase(users[0] ?? '');
    keys = [...keys, await newKey('later')];
  });
  /** Each test takes a copy. */
  beforeEach(() => {
    const copy = mkdtempSync(join(folder, 'used-'));
    cpSync(join(folder, 'original'), copy, { recursive: true });
    [used, backup] = [join(copy, 'data'), join(copy, 'backup')];
    at.data = used;
  });

  it.each<[string, (name: string) => void]>([
    [
      'missing',
      (name) => {
        rmSync(join(used, name));
      },
    ],
    ['damaged', damage],
  ])(
    'gets only its health data if that is %s, without people who were erased since',
    async (_, lose) => {
      lose('store.db');
      const refusedStart = await inUsed('doctor', '--json');
      expect(refusedStart.out).toContain('caregate restore');
      const report = await restore();
      expect(report).toMatchObject({
        restored: [{ part: 'health data', why: expect.stringContaining('store.db') }],
        kept: ['access', 'audit log'],
        erased_again: 1,
      });
      expect([has(users[0] ?? ''), has(users[1] ?? '')]).toEqual([false, true]);
      expect(await readState(keys[0] ?? '')).toBe('revoked');
      expect(await readState(keys[2] ?? '')).toBe('live');
      expect(
        bodiesIn(used)
          .map(({ operation }) => operation)
          .slice(-2),
      ).toEqual(['restore', 'erasePerson']);
      expect(await inUsed('audit', 'verify')).toMatchObject({ code: 0 });
      if (_ === 'damaged') {
        expect(readdirSync(String(report['replaced_files']))).toContain('store.db');
      }
    },
  );

  it('gets only its keys, and keys that were revoked since stay revoked', async () => {
    rmSync(join(used, 'access.db'));
    expect(await restore()).toMatchObject({
      restored: [{ part: 'access' }],
      access_taken_away_again: 1,
      unknown: [expect.stringMatching(/^Keys, staff and desks of after/u)],
    });
    expect([await readState(keys[0] ?? ''), await readState(keys[1] ?? '')]).toEqual([
      'revoked',
      'live',
    ]);
    expect(await readState(keys[2] ?? '')).toBe(undefined);
    expect(has(users[0] ?? '')).toBe(false);
  });

  it('gets only its staff, and people who were disabled since stay disabled, with their keys', async () => {
    const id = await addPerson('Cam', 'billing');
    const { key_id: key = '' } = await json('keys', 'create', '--staff', id);
    backup += '-with-staff';
    await json('backup', backup);
    await json('staff', 'disable', id);
    rmSync(join(used, 'access.db'));
    expect(await restore()).toMatchObject({ access_taken_away_again: 2 });
    const staff = await json<{ staff_id: string }[]>('staff', 'list');
    expect(staff.find(({ staff_id }) => staff_id === id)).toMatchObject({
      disabled: expect.any(String),
    });
    expect(await readState(key)).toBe('revoked');
  });

  it('gets only its audit log, with a report of what is unknown', async () => {
    alterRecord(used);
    rmSync(join(used, 'access.db'));
    const report = await restore();
    expect(report).toMatchObject({
      restored: [{ part: 'access' }, { part: 'audit log' }],
      kept: ['health data'],
      unknown: expect.arrayContaining([expect.stringMatching(/may be back/u)]),
    });
    expect(readdirSync(String(report['replaced_files'])).sort()).toEqual([
      'audit-key.pem',
      'audit-log-id',
      'audit.db',
    ]);
    expect(await inUsed('audit', 'verify')).toMatchObject({ code: 0 });
  });

  it('is unchanged if nothing is lost, and restored completely with --all', async () => {
    const { code, err } = await inUsed('restore', backup);
    expect([code, err]).toEqual([2, expect.stringContaining('Nothing in')]);
    const report = await restore('--all');
    expect(report).toMatchObject({
      kept: [],
      unknown: expect.arrayContaining([
        expect.stringMatching(/^Keys that were revoked.* are back/u),
      ]),
    });
    expect(await readState(keys[0] ?? '')).toBe('live');
    expect(has(users[0] ?? '')).toBe(true);
    expect(readdirSync(String(report['replaced_files']))).toContain('access.db');
    expect(await inUsed('audit', 'verify')).toMatchObject({ code: 0 });
  });
});

describe('a restore is refused in one sentence and changes nothing', () => {
  const refused = (message: string): object => ({
    ...{ code: 2, out: '' },
    err: expect.stringMatching(new RegExp(`^[^\\n]*${message}[^\\n]*\\n$`, 'u')),
  });

  const changed = (work: (copy: string) => void, from = plain): string => {
    const copy = join(mkdtempSync(join(folder, 'changed-')), 'backup');
    cpSync(from, copy, { recursive: true });
    work(copy);
    return copy;
  };
  const without = (name: string): string =>
    changed((copy) => {
      rmSync(join(copy, name));
    });
  const withFile = (name: string, text: string): string =>
    changed((copy) => {
      writeFileSync(join(copy, name), text);
    });
  const cut = (): string =>
    changed((copy) => {
      truncateSync(copy, 70_000);
    }, archive);

  it.each<readonly [string, () => string, string]>([
    ['a truncated archive', cut, 'is no backup'],
    ['a file that is no backup', () => people, 'is no backup'],
    ['a missing backup', () => join(folder, 'nowhere'), 'does not exist'],
    ['a folder that is no backup', () => without('backup.json'), 'is no backup'],
    ['a folder without a file', () => without('audit-key.pem'), 'is missing'],
    ['a folder with another file', () => withFile('more', ''), 'more is not of it'],
    [
      'a folder with a changed file',
      () => withFile('audit-key.pem', 'x'),
      'audit-key.pem was changed',
    ],
  ])('%s', async (_, backup, message) => {
    const target = join(folder, 'refused');
    expect(await restore(backup(), target)).toEqual(refused(message));
    expect(existsSync(target)).toBe(false);
  });

  it.each([
    ['a database that is damaged', 'store.db', "store.db fails SQLite's integrity check"],
    ['a log that fails verification', 'audit.db', 'its audit log failed verification'],
  ])('%s, whatever its manifest says', async (_, name, message) => {
    const copy = changed((made) => {
      if (name === 'audit.db') {
        alterRecord(made);
      } else {
        const bytes = readFileSync(join(made, name));
        bytes.fill(0x55, bytes.length - 4096, bytes.length - 10);
        writeFileSync(join(made, name), bytes);
      }
      rmSync(join(made, 'backup.json'));
    });
    await writeManifest(copy, data);
    const target = join(folder, 'damaged');
    expect(await restore(copy, target)).toEqual(refused(message));
    expect(existsSync(target)).toBe(false);
  });

  describe('a backup with an altered access.db, and a list of files that matches it', () => {
    /** The forger's own log, key and all, and a backup of it. */
    let forger: string;
    beforeAll(async () => {
      forger = mkdtempSync(join(folder, 'forger-'));
      const env = { CAREGATE_DATA: join(forger, 'data') };
      expect(await caregate(['import', people], env)).toMatchObject({ code: 0 });
      expect(await caregate(['backup', join(forger, 'backup')], env)).toMatchObject({ code: 0 });
    });

    /** With a key that is revoked no more. */
    const altered = (): string =>
      changed((copy) => {
        const file = join(copy, 'access.db');
        const db = new DatabaseSync(file);
        db.exec(`update keys set revoked_ms = null`);
        expect(db.prepare('select changes() as rows').get()).toEqual({ rows: 1 });
        db.close();
        const manifest = JSON.parse(readFileSync(join(copy, 'backup.json'), 'utf8')) as {
          files: Record<string, string>;
        };
        manifest.files['access.db'] = createHash('sha256').update(readFileSync(file)).digest('hex');
        writeFileSync(join(copy, 'backup.json'), JSON.stringify(manifest));
      });
    const target = (): string => join(folder, 'altered');

    it('with the original signature', async () => {
      expect(await restore(altered(), target())).toEqual(
        refused('was changed after it was made: the signature of its backup.json is invalid'),
      );
      expect(existsSync(target())).toBe(false);
    });

    it('without a signature', async () => {
      const backup = altered();
      const file = join(backup, 'backup.json');
      const { files, made_at, version } = JSON.parse(readFileSync(file, 'utf8')) as Record<
        string,
        unknown
      >;
      writeFileSync(file, JSON.stringify({ files, made_at, version }));
      expect(await restore(backup, target())).toEqual(
        refused('is not signed: its backup.json has no signature'),
      );
    });

    it('signed by another key than its own log', async () => {
      const backup = altered();
      rmSync(join(backup, 'backup.json'));
      await writeManifest(backup, join(forger, 'data'));
      expect(await restore(backup, target())).toEqual(refused('its audit log does not name'));
    });

    it('made completely by somebody else, if the operator names a key or the folder has one', async () => {
      const theirs = join(forger, 'backup');
      const { out: key } = await caregate(['audit', 'public-key']);
      const file = join(folder, 'public-key');
      writeFileSync(file, key);
      for (const named of [file, key.trim()]) {
        expect(await restore(theirs, target(), '--public-key', named)).toEqual(
          refused('is signed by .*which is not the key of --public-key'),
        );
        expect(existsSync(target())).toBe(false);
      }
      expect(await restore(plain, target(), '--public-key', file)).toMatchObject({
        ...{ code: 0, out: expect.stringContaining('It is signed by the key of --public-key.') },
      });
      // The folder keeps its key where its data is lost.
      for (const name of ['store.db', 'access.db', 'audit.db']) {
        rmSync(join(target(), name), { recursive: true, force: true });
      }
      const kept = readdirSync(target());
      expect(await restore(theirs, target())).toEqual(refused('is not the key of .*altered'));
      expect(readdirSync(target())).toEqual(kept);
      expect(await restore(plain, target())).toMatchObject({
        ...{ code: 0, out: expect.stringContaining(`It is signed by the key of ${target()}.`) },
      });
      rmSync(target(), { recursive: true });
      const { out } = await restore(theirs, target());
      expect(out).toContain('could only be checked against itself');
      rmSync(target(), { recursive: true });
    });
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
    expect(await restore(plain, target)).toEqual(refused('no data folder: notes is in it'));
    expect(readdirSync(target)).toEqual(['notes']);
  });

  it('a backup that is older than a kept checkpoint', async () => {
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
