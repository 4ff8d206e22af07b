import { describe, expect, it, jest } from '@jest/globals';
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
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { editLog } from '../../audit/records.testing.ts';
import { startSpecService, testService } from '../../testing/service.testing.ts';
import { caregateIn } from '../caregate.testing.ts';
import { checkDisk, checkOwner, Examination, type Finding } from './checks.ts';
import { createSpecFolder } from '../../testing/folder.testing.ts';

const asRoot = process.getuid?.() === 0 ? it : it.skip;
const dayMs = 86_400_000;

const scratch = createSpecFolder();
const service = await startSpecService(sampleEnvelopes({ users: 5 }));
await service.get('/v2/user', await service.key(sampleTeamId));
/** A data folder of a service that was stopped. */
const healthy = join(scratch, 'healthy');
await caregateIn({}, ['backup', healthy, '--data', service.folder]);
const gone = createServer().listen(0, '127.0.0.1');
await once(gone, 'listening');
/** A port on which no server listens. */
const { port: free } = gone.address() as AddressInfo;
await new Promise((resolve) => gone.close(resolve));

async function doctor(
  data: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly code: number | null; readonly findings: readonly Finding[] }> {
  const settings = { CAREGATE_DATA: data, ...env };
  const { code, out, err } = await caregateIn(settings, ['doctor', '--json']);
  expect(err).toBe('');
  return { code, findings: JSON.parse(out) as Finding[] };
}

const levels = ({ findings }: { readonly findings: readonly Finding[] }): readonly Finding[] =>
  // The machine that runs this may have less than 2 GiB left.
  findings.filter(({ check, level }) => level !== 'ok' && check !== 'disk');

function copied(change: (folder: string) => void = () => undefined): string {
  const folder = mkdtempSync(join(scratch, 'data-'));
  cpSync(healthy, folder, { recursive: true });
  change(folder);
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
  it('has no finding, running or stopped, and is unchanged', async () => {
    const running = await doctor(service.folder);
    expect(levels(running)).toEqual([]);
    const before = digestOf(healthy);
    expect(levels(await doctor(healthy))).toEqual([]);
    expect(digestOf(healthy)).toBe(before);
  });
});

const write =
  (name: string, content: string) =>
  (folder: string): void => {
    writeFileSync(join(folder, name), content);
  };
const edit =
  (statement: string) =>
  (folder: string): void => {
    editLog(folder, statement);
  };
const RESTORE = /caregate restore BACKUP --data /u;
const NEW_LOG = /caregate audit new-log/u;
const anotherKey = generateKeyPairSync('ed25519').privateKey;

const faults: readonly (readonly [
  fault: string,
  change: (folder: string) => void,
  check: string,
  what: RegExp,
  next: RegExp,
])[] = [
  [
    'a folder that others may look into',
    (folder) => {
      chmodSync(folder, 0o750);
    },
    ...(['folder', /^Other users may read /u, /; chmod 700 /u] as const),
  ],
  [
    'a damaged page',
    (folder) => {
      const file = join(folder, 'store.db');
      const bytes = readFileSync(file);
      bytes.fill(0xa5, bytes.length - 3 * 4096, bytes.length - 4096);
      writeFileSync(file, bytes);
    },
    ...(['store.db', /store\.db is damaged/u, RESTORE] as const),
  ],
  [
    'a file that is no database',
    write('access.db', 'x'.repeat(8192)),
    ...(['access.db', /The file access\.db is not a SQLite database/u, RESTORE] as const),
  ],
  [
    'a store without tables',
    (folder) => {
      rmSync(join(folder, 'store.db'));
      inDatabase(join(folder, 'store.db'), 'create table other (id integer)');
    },
    ...(['store.db', /store\.db: Some of its tables are missing/u, RESTORE] as const),
  ],
  [
    'a log with a changed record',
    edit(`update audit_record set body = replace(body, 'a', 'b') where seq = 1`),
    ...(['audit log', /./u, /^caregate audit verify .*caregate audit new-log/u] as const),
  ],
  [
    'a log that is missing',
    (folder) => {
      rmSync(join(folder, 'audit.db'));
    },
    ...(['audit log', /^The log is missing/u, NEW_LOG] as const),
  ],
  [
    'a log of another key',
    write('audit-key.pem', anotherKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
    ...(['audit log', /key/u, NEW_LOG] as const),
  ],
  [
    'a folder that was moved to a database',
    write('moved-to-database', 'db.example:5432/caregate'),
    ...(['store', /moved to PostgreSQL at db\.example/u, /caregate serve/u] as const),
  ],
  [
    'no folder',
    (folder) => {
      renameSync(folder, `${folder}-elsewhere`);
    },
    ...(['folder', /does not exist\.$/u, /^ls -ld /u] as const),
  ],
];

describe('a fault of a data folder', () => {
  it.each(faults)(
    'is named with the next command: %s',
    async (_name, change, check, what, next) => {
      const folder = copied(change);
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
    const folder = copied((at) => {
      chownSync(join(at, 'access.db'), 12_345, 12_345);
    });
    const examination = new Examination();
    await checkOwner(examination, folder);
    expect(examination.findings).toContainEqual(
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
      // The folder itself takes the only inode.
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'ro,size=1m,nr_inodes=1', 'none', folder]);
      try {
        const { code, findings } = await doctor(folder);
        expect(code).toBe(2);
        const level = 'fault';
        expect(findings).toEqual(
          expect.arrayContaining([
            {
              ...{ check: 'folder', level, what: `${folder} is on a read-only file system.` },
              next: `ls -ld ${folder}; findmnt -T ${folder}`,
            },
            {
              ...{ check: 'disk', level, what: `The disk of ${folder} takes no more files.` },
              next: `df -h ${folder}; df -i ${folder}`,
            },
          ]),
        );
      } finally {
        execFileSync('umount', [folder]);
      }
    },
  );

  it('is named: no room for data', async () => {
    // This file system has no free space.
    const examination = new Examination();
    await checkDisk(examination, '/proc');
    expect(examination.findings).toMatchObject([
      { level: 'fault', next: expect.stringMatching(/^df -h \/proc/u) },
    ]);
  });
});

describe('a fault of the machine', () => {
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

  it('is named: a certificate that expires soon, or has expired', async () => {
    const authority = await CertificateAuthority.create();
    const folder = mkdtempSync(join(scratch, 'tls-'));
    const data = copied();
    for (const [days, code, level, what] of [
      [200, 0, 'ok', 'Valid until'],
      [9, 1, 'warning', 'It expires at'],
      [-0.1, 2, 'fault', 'expired at'],
    ] as const) {
      const until = new Date(Date.now() + days * dayMs);
      const { cert, key } = await authority.issue({ names: ['clinic.example'], until });
      const [tlsCert, tlsKey] = [join(folder, 'tls.crt'), join(folder, 'tls.key')];
      writeFileSync(tlsCert, cert);
      writeFileSync(tlsKey, key, { mode: 0o640 });
      const env = { CAREGATE_TLS_CERT: tlsCert, CAREGATE_TLS_KEY: tlsKey };
      const ended = await doctor(data, env);
      const found = ended.findings.find(({ check }) => check === 'certificate');
      expect([ended.code, found]).toMatchObject([
        code,
        { level, what: expect.stringContaining(what) },
      ]);
    }
  });
});

describe('a fault of the database', () => {
  it('is named: a changed record, a wrong user or password, no server', async () => {
    const databaseUrl = await newDatabase();
    const folder = join(scratch, 'key-only');
    mkdirSync(folder, { mode: 0o700 });
    const found = async (url: string): Promise<readonly Finding[]> =>
      levels(await doctor(folder, { DATABASE_URL: url }));
    const used = await testService(sampleEnvelopes({ users: 2 }), { databaseUrl });
    await used.get('/v2/user', await used.key(sampleTeamId));
    const ofLog = async (): Promise<readonly Finding[]> =>
      (await doctor(used.folder, { DATABASE_URL: databaseUrl })).findings.filter(
        ({ check }) => check === 'audit log',
      );
    expect(await ofLog()).toMatchObject([
      { level: 'ok', what: expect.stringMatching(/each as it was/u) },
    ]);
    const pool = new pg.Pool({ connectionString: databaseUrl });
    await pool.query(`alter table audit.audit_record disable trigger all;
      update audit.audit_record set body = replace(body, 'listUsers', 'listUserz');
      alter table audit.audit_record enable trigger all`);
    expect(await ofLog()).toMatchObject([
      { level: 'fault', next: expect.stringMatching(/audit verify/u) },
    ]);
    await used.close();
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
