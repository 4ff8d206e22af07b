import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { rotateKey } from '@caregate/audit-log';
import { CertificateAuthority } from '@caregate/certificates';
import { newDatabase } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { testService, type TestService } from '../../testing/service.testing.ts';
import { caregateIn } from '../caregate.testing.ts';
import type { Finding } from './finding.ts';
import { checkBackups, checkDisk, checkFolder } from './folder-checks.ts';
import { checkEncryption } from './machine-checks.ts';

const asRoot = process.getuid?.() === 0 ? it : it.skip;
const dayMs = 86_400_000;

let scratch: string;
/** A data folder of a service that was stopped. */
let healthy: string;
let service: TestService;
let other: Server;
/** Nobody listens there. */
let free: number;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'caregate-doctor-'));
  service = await testService([...sampleEnvelopes({ users: 20 })]);
  await service.get('/v2/user', await service.key(sampleTeamId));
  healthy = join(scratch, 'healthy');
  expect(await caregateIn({}, ['backup', healthy, '--data', service.folder])).toMatchObject({
    code: 0,
  });
  other = createServer((_, response) => response.end('another program')).listen(0, '127.0.0.1');
  const gone = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => gone.once('listening', resolve));
  free = (gone.address() as AddressInfo).port;
  await new Promise((resolve) => gone.close(resolve));
});
afterAll(async () => {
  other.close();
  await service.close();
  rmSync(scratch, { recursive: true, force: true });
});

async function doctor(
  data: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly findings: readonly Finding[] }> {
  const settings = { CAREGATE_DATA: data, CAREGATE_PORT: String(free), ...env };
  const { code, out, err } = await caregateIn(settings, ['doctor', '--json']);
  expect(err).toBe('');
  return { code, findings: JSON.parse(out) as Finding[] };
}

const levels = ({ findings }: { readonly findings: readonly Finding[] }): readonly Finding[] =>
  // The machine that runs this may have less than 2 GiB left.
  findings.filter(({ check, level }) => level !== 'ok' && check !== 'disk');

async function copied(
  change: (folder: string) => void | Promise<void> = () => undefined,
): Promise<string> {
  const folder = mkdtempSync(join(scratch, 'data-'));
  cpSync(healthy, folder, { recursive: true });
  await change(folder);
  return folder;
}

function digestOf(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    const { mode, uid, size } = statSync(join(folder, name));
    hash.update(`${name} ${mode} ${uid} ${size}\n`);
    if (statSync(join(folder, name)).isFile()) {
      hash.update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest('hex');
}

function inDatabase(file: string, statement: string): void {
  const db = new DatabaseSync(file);
  db.exec(statement);
  db.close();
}

describe('an installation without a fault', () => {
  it('has no finding, running or stopped, and nothing of it is changed', async () => {
    const running = await doctor(service.folder, { CAREGATE_PORT: String(service.port) });
    expect(levels(running)).toEqual([]);
    const before = digestOf(healthy);
    expect(levels(await doctor(healthy))).toEqual([]);
    expect(digestOf(healthy)).toBe(before);
  });
});

/** [fault, what is done to a data folder, check, sentence, next]. */
const faults: readonly (readonly [
  string,
  (folder: string) => void | Promise<void>,
  string,
  RegExp,
  RegExp,
])[] = [
  [
    'a folder that others may look into',
    (folder) => {
      chmodSync(folder, 0o750);
    },
    'folder',
    /^Others may look into /u,
    /^chmod 700 /u,
  ],
  [
    'a damaged page',
    (folder) => {
      const file = join(folder, 'store.db');
      const bytes = readFileSync(file);
      bytes.fill(0xa5, bytes.length - 3 * 4096, bytes.length - 4096);
      writeFileSync(file, bytes);
    },
    'store.db',
    /store\.db is damaged/u,
    /restore the newest backup/u,
  ],
  [
    'a file that was cut off',
    (folder) => {
      truncateSync(join(folder, 'access.db'), statSync(join(folder, 'access.db')).size - 4096);
    },
    'access.db',
    /access\.db: The store is corrupt/u,
    /restore the newest backup/u,
  ],
  [
    'a file that is no database',
    (folder) => {
      writeFileSync(join(folder, 'access.db'), 'x'.repeat(8192));
    },
    'access.db',
    /access\.db: The file access\.db is not a SQLite database/u,
    /restore the newest backup/u,
  ],
  [
    'a newer store',
    (folder) => {
      inDatabase(
        join(folder, 'store.db'),
        `insert into kysely_migration values ('999-later', '2030-01-01')`,
      );
    },
    'store.db',
    /written by a newer version of Caregate .*999-later/u,
    /^Install the version/u,
  ],
  [
    'a log with a wrong bit',
    (folder) => {
      const file = join(folder, 'audit', 'records', '000000000000000');
      const bytes = readFileSync(file);
      bytes[200]! ^= 1;
      writeFileSync(file, bytes);
    },
    'audit log',
    /./u,
    /^caregate audit verify .*caregate audit new-log/u,
  ],
  [
    'a log that is missing',
    (folder) => {
      rmSync(join(folder, 'audit'), { recursive: true });
    },
    'audit log',
    /^The log is missing/u,
    /caregate audit new-log/u,
  ],
  [
    'a log of another key',
    (folder) => {
      const { privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(
        join(folder, 'audit-key.pem'),
        privateKey.export({ type: 'pkcs8', format: 'pem' }),
      );
    },
    'audit log',
    /key/u,
    /caregate audit new-log/u,
  ],
  [
    'an earlier key of the log',
    async (folder) => {
      const file = join(folder, 'audit-key.pem');
      const before = readFileSync(file);
      await rotateKey(folder, 'spec');
      writeFileSync(file, before);
    },
    'signing key',
    /audit-key\.pem is an earlier key of the log: another one, \S+ signs it now/u,
    /^Put that one back\..*caregate audit new-log/u,
  ],
  [
    'a key that ends',
    (folder) => {
      inDatabase(join(folder, 'access.db'), `update keys set expires_ms = ${Date.now() + dayMs}`);
    },
    'keys',
    /^Key \w+ ends at 20\d\d-/u,
    /^caregate keys rotate \w+$/u,
  ],
  [
    'a folder that was moved to a database',
    (folder) => {
      writeFileSync(join(folder, 'moved-to-database'), 'db.example:5432/caregate');
    },
    'store',
    /moved to PostgreSQL at db\.example/u,
    /DATABASE_URL/u,
  ],
  [
    'no folder',
    (folder) => {
      renameSync(folder, `${folder}-elsewhere`);
    },
    'folder',
    /does not exist\.$/u,
    /CAREGATE_DATA/u,
  ],
];

describe('a fault of a data folder', () => {
  it.each(faults)(
    'is named with the next command: %s',
    async (_name, change, check, what, next) => {
      const folder = await copied(change);
      const { code, findings } = await doctor(folder);
      const found = findings.filter(({ level }) => level !== 'ok');
      expect(found).toContainEqual(
        expect.objectContaining({
          check,
          what: expect.stringMatching(what),
          next: expect.stringMatching(next),
        }),
      );
      expect([1, 2]).toContain(code);
    },
  );

  asRoot('is named with the next command: a file of another owner', async () => {
    const folder = await copied((at) => {
      chownSync(join(at, 'access.db'), 12_345, 12_345);
    });
    expect(checkFolder(folder)).toContainEqual(
      expect.objectContaining({
        level: 'fault',
        what: expect.stringMatching(/access\.db belongs to user 12345/u),
        next: expect.stringMatching(/^chown -R \d+:\d+ /u),
      }),
    );
  });

  asRoot(
    'is named with the next command: a file system that is read-only, or takes no more files',
    async () => {
      const folder = mkdtempSync(join(scratch, 'read-only-'));
      // The folder itself is one of its files.
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m,nr_inodes=1', 'none', folder]);
      try {
        const { code, findings } = await doctor(folder);
        expect(code).toBe(2);
        const level = 'fault';
        expect(findings).toEqual(
          expect.arrayContaining([
            {
              ...{ check: 'folder', level, what: `${folder} is on a read-only file system.` },
              next: `findmnt -T ${folder}; ls -ld ${folder}`,
            },
            {
              ...{ check: 'disk', level, what: `The disk of ${folder} takes no more files.` },
              next: `df -i ${folder}`,
            },
          ]),
        );
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );

  it('is named: no room for data, or for the next backup, and a backup that is too old', async () => {
    // No file system has less room than this one.
    expect(await checkDisk('disk', '/proc')).toMatchObject({ level: 'fault', next: 'df -h /proc' });
    const backups = mkdtempSync(join(scratch, 'backups-'));
    expect(await checkBackups(backups, healthy)).toMatchObject([
      {
        ...{ level: 'fault', what: `${backups} has no backup.` },
        next: expect.stringMatching(/^caregate backup /u),
      },
    ]);
    cpSync(healthy, join(backups, 'monday'), { recursive: true });
    expect(await checkBackups(backups, healthy)).toMatchObject([{ level: 'ok' }]);
    const old = new Date(Date.now() - 1.1 * dayMs);
    utimesSync(join(backups, 'monday'), old, old);
    writeFileSync(join(backups, 'notes'), 'age');
    expect(await checkBackups(backups, healthy)).toMatchObject([
      { level: 'warning', what: expect.stringMatching(/older than a day/u) },
    ]);
    const large = await copied((at) => {
      writeFileSync(join(at, 'large'), '');
      truncateSync(join(at, 'large'), 2 ** 42);
    });
    expect(await checkBackups(backups, large)).toMatchObject([
      { level: 'warning' },
      { level: 'fault', next: `df -h ${backups}` },
    ]);
  });
});

describe('a fault of the machine', () => {
  it('is named, and ends with 2: a file with secrets that others can read, a signing key in two places or in none', async () => {
    const folder = await copied();
    const own = join(folder, 'audit-key.pem');
    const file = join(scratch, 'signing-key.pem');
    renameSync(own, file);
    const found = async (): Promise<unknown> => {
      const { code, ...all } = await doctor(folder, { CAREGATE_AUDIT_KEY_FILE: file });
      return [code, levels(all).filter(({ check }) => check !== 'audit log')];
    };
    chmodSync(file, 0o640);
    expect(await found()).toEqual([0, []]);
    chmodSync(file, 0o644);
    const [check, level] = ['signing key', 'fault'];
    const next = `chmod o= ${file}`;
    const open = { check: 'secrets', level, what: `Others may read ${file}.`, next };
    expect(await found()).toEqual([2, [open]]);
    chmodSync(file, 0o640);
    cpSync(file, own);
    const twice = { check, level, next: `cmp ${own} ${file} && rm ${own}` };
    expect(await found()).toMatchObject([2, [twice]]);
    rmSync(own);
    rmSync(file);
    expect(await found()).toMatchObject([2, [{ check, level, what: `${file} is missing.` }]]);
  });

  it('is named: a signing key outside the data folder that waits for its operator, and no API key that was rotated', async () => {
    const folder = await copied();
    const file = join(scratch, 'outside.pem');
    const env = { CAREGATE_AUDIT_KEY_FILE: file };
    renameSync(join(folder, 'audit-key.pem'), file);
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(`${file}.next`, pem, { mode: 0o600 });
    const done = async (...words: readonly string[]): Promise<string> => {
      const { out, ...ended } = await caregateIn({ ...env, CAREGATE_DATA: folder }, words);
      expect(ended).toEqual({ code: 0, err: '' });
      return out;
    };
    const found = async (): Promise<unknown> => levels(await doctor(folder, env));
    const [check, level] = ['signing key', 'warning'];
    const turn = `caregate audit rotate-key --data ${folder}`;
    expect(await found()).toMatchObject([{ check, level, next: turn }]);
    await done('audit', 'rotate-key');
    const move = `mv ${file}.next ${file}`;
    expect(await found()).toMatchObject([{ check, level, next: move }]);
    renameSync(`${file}.next`, file);
    const [key] = JSON.parse(await done('keys', 'list', '--json')) as { key_id: string }[];
    await done('keys', 'rotate', key?.key_id ?? '');
    expect(await found()).toEqual([]);
  });

  it('is none: a disk without encryption that this machine sees, which is told', async () => {
    const types = (text: string) => (program: string) =>
      Promise.resolve(program === 'findmnt' ? '/dev/mapper/data\n' : text);
    const of = async (text: string): Promise<unknown> => await checkEncryption('/', types(text));
    const what = (text: string): object[] => [{ level: 'ok', what: expect.stringContaining(text) }];
    expect(await of('lvm\ncrypt\npart\ndisk\n')).toMatchObject(what('/dev/mapper/data, is enc'));
    expect(await of('part\ndisk\n')).toMatchObject(what('No encryption'));
    expect(await checkEncryption(join(scratch, 'nowhere'))).toEqual([]);
  });

  it('is named: a clock that is behind', async () => {
    const { now } = Date;
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() - dayMs / 2);
    try {
      expect(levels(await doctor(healthy))).toMatchObject([
        { check: 'clock', what: expect.stringMatching(/is 7\d\d minutes ahead/u) },
      ]);
    } finally {
      clock.mockRestore();
    }
  });

  it('is named: a port that another program has, and a service that uses another store', async () => {
    for (const { port } of [other.address() as AddressInfo, service]) {
      expect(levels(await doctor(healthy, { CAREGATE_PORT: String(port) }))).toMatchObject([
        { check: 'port', level: 'fault', next: expect.stringContaining(`sport = :${port}`) },
      ]);
    }
    expect(levels(await doctor(service.folder))).toMatchObject([
      { check: 'port', level: 'warning', what: expect.stringMatching(/nobody listens/u) },
    ]);
  });

  it('is named, and the other checks go on: what can’t be looked at', async () => {
    const settings = { CAREGATE_DATA: healthy, CAREGATE_PORT: String(free) };
    const words = ['doctor', '--json', '--backups', join(scratch, 'nowhere')];
    const { code, out, err } = await caregateIn(settings, words);
    expect([code, err]).toEqual([2, '']);
    const findings = JSON.parse(out) as Finding[];
    expect(levels({ findings })).toMatchObject([
      { check: 'backups', level: 'fault', what: expect.stringMatching(/nowhere does not exist/u) },
    ]);
    expect(findings.map(({ check }) => check)).toContain('audit log');
  });

  it('is named: settings that are wrong', async () => {
    const { code, findings } = await doctor(healthy, { CAREGATE_HOST: '0.0.0.0' });
    expect(code).toBe(2);
    expect(findings).toMatchObject([
      { check: 'settings', level: 'fault', what: expect.stringMatching(/plain HTTP/u) },
    ]);
  });

  it('is named: a certificate that is expired, ending, without chain, of another key, unreadable', async () => {
    const authority = await CertificateAuthority.create();
    const folder = mkdtempSync(join(scratch, 'tls-'));
    const made = async (name: string, until: Date, isWhole: boolean) => {
      const { cert, key } = await authority.issue({ names: ['clinic.example'], until });
      const files = { tlsCert: join(folder, `${name}.crt`), tlsKey: join(folder, `${name}.key`) };
      writeFileSync(files.tlsCert, isWhole ? `${cert}\n${authority.pem}` : cert);
      writeFileSync(files.tlsKey, key, { mode: 0o640 });
      return files;
    };
    const inDays = (days: number): Date => new Date(Date.now() + days * dayMs);
    const data = await copied();
    const of = async ({ tlsCert, tlsKey }: Awaited<ReturnType<typeof made>>): Promise<unknown> => {
      const env = { CAREGATE_TLS_CERT: tlsCert, CAREGATE_TLS_KEY: tlsKey };
      const { code, findings } = await doctor(data, env);
      const found = findings.find(({ check }) => check === 'certificate');
      return [code, found?.level, found?.what];
    };
    const good = await made('good', inDays(200), true);
    const alone = await made('alone', inDays(200), false);
    const says = (text: string): unknown => expect.stringContaining(text);
    expect(await of(good)).toEqual([0, 'ok', says('Valid until')]);
    expect(await of(alone)).toEqual([1, 'warning', says('has no chain')]);
    const ending = await made('ending', inDays(9), true);
    expect(await of(ending)).toEqual([1, 'warning', says('It expires at')]);
    for (const [files, what] of [
      [await made('ended', inDays(-0.1), true), 'expired at'],
      [{ ...good, tlsKey: alone.tlsKey }, 'is not that of'],
      [{ ...good, tlsKey: join(folder, 'none') }, 'cannot be read'],
    ] as const) {
      expect(await of(files)).toEqual([2, 'fault', says(what)]);
    }
    if (process.getuid?.() === 0) {
      execFileSync('chown', ['-R', '12345:12345', data]);
      const unreadable = [2, 'fault', says("good.key can't be read by user 12345")];
      expect(await of(good)).toEqual(unreadable);
    }
  });
});

describe('a fault of the database', () => {
  let databaseUrl: string;
  beforeAll(async () => {
    databaseUrl = await newDatabase();
  });

  it('is named: no standby, a record that was changed, a newer store, a wrong user or password, nobody there', async () => {
    const folder = join(scratch, 'key-only');
    mkdirSync(folder, { mode: 0o700 });
    const found = async (url: string, durability = ''): Promise<readonly Finding[]> =>
      levels(await doctor(folder, { DATABASE_URL: url, CAREGATE_DATABASE_DURABILITY: durability }));
    const next = expect.stringMatching(/synchronous_standby/u);
    const check = 'standby';
    expect(await found(databaseUrl)).toMatchObject([{ check, level: 'warning', next }]);
    expect(await found(databaseUrl, 'replicated')).toMatchObject([{ check, level: 'fault', next }]);
    expect(await found(databaseUrl, 'one-machine')).toEqual([]);
    const file = join(folder, 'audit-key.pem');
    const held: Buffer[] = [];
    const create = ['keys', 'create', '--team', sampleTeamId, '--role', 'billing', '--label', 'x'];
    for (const words of [create, ['audit', 'rotate-key']]) {
      const env = { CAREGATE_DATA: folder, DATABASE_URL: databaseUrl };
      expect(await caregateIn(env, words)).toMatchObject({ code: 0 });
      held.push(readFileSync(file));
    }
    for (const [key, level] of [[held[0]!, 'fault'] as const, [held[1]!, 'ok'] as const]) {
      writeFileSync(file, key);
      const { findings } = await doctor(folder, { DATABASE_URL: databaseUrl });
      const ofKey = findings.find((one) => one.check === 'signing key');
      expect(ofKey?.level ?? 'ok').toBe(level);
    }
    const connection = { databaseUrl };
    const used = await testService([...sampleEnvelopes({ users: 2 })], connection);
    await used.get('/v2/user', await used.key(sampleTeamId));
    const ofLog = async (): Promise<readonly Finding[]> =>
      (await doctor(used.folder, { DATABASE_URL: databaseUrl })).findings.filter(
        ({ check }) => check === 'audit log',
      );
    expect(await ofLog()).toMatchObject([
      { level: 'ok', what: expect.stringMatching(/each as it was/u) },
    ]);
    const pool = new pg.Pool({ connectionString: databaseUrl });
    await pool.query(`alter table audit.audit_event disable trigger all;
      update audit.audit_event set body = replace(body, 'listUsers', 'listUserz');
      alter table audit.audit_event enable always trigger audit_event_append_only`);
    expect(await ofLog()).toMatchObject([
      { level: 'fault', next: expect.stringMatching(/audit verify/u) },
    ]);
    await used.close();
    const later = `store.kysely_migration where name = '999-later'`;
    await pool.query(`insert into store.kysely_migration values ('999-later', '2030-01-01')`);
    expect(await found(databaseUrl, 'one-machine')).toContainEqual({
      ...{ check: 'store', level: 'fault', what: expect.stringContaining('999-later') },
      next: 'Install the version that wrote it, or a later one.',
    });
    await pool.query(`delete from ${later}`);
    await pool.end();
    for (const wrong of ['username', 'password'] as const) {
      const url = Object.assign(new URL(databaseUrl), { [wrong]: 'nobody-s' });
      expect(await found(url.href)).toMatchObject([
        {
          ...{ check: 'database', level: 'fault' },
          what: expect.stringMatching(/wrong password or unknown user/u),
          next: expect.stringMatching(/DATABASE_URL/u),
        },
      ]);
    }
    expect(await found(`postgres://a:b@127.0.0.1:${free}/c`)).toMatchObject([
      { check: 'database', level: 'fault', what: expect.stringMatching(/no server is listening/u) },
    ]);
  });
});
