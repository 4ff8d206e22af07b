import { afterEach, describe, expect, it } from '@jest/globals';
import { startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes } from '@caregate/sample-data';
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, mkdirSync, rmSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  isRootOnLinux,
  kill,
  mountTmpfs,
  newFolder,
  printed,
  served,
  type Running,
} from './caregate.testing.ts';
import { bodiesIn } from '../src/audit/records.testing.ts';

let folder: string;
let disk: string | undefined;
let service: Running | undefined;
let server: PostgresServer | undefined;

afterEach(async () => {
  kill(service);
  await server?.down('immediate').catch(() => undefined);
  if (disk !== undefined) execFileSync('umount', ['--lazy', disk]);
  await server?.stop();
  [disk, server] = [undefined, undefined];
});

(isRootOnLinux ? describe : describe.skip)(
  'a disk that fills up under a service: no answer lacks its record, and it goes on once there is room (needs root on Linux)',
  () => {
    it('the disk of a data folder', async () => {
      folder = newFolder();
      const data = join(mounted(join(folder, 'disk'), 24), 'data');
      await fillAndFree(data, {
        env: {},
        onRoom: () => Promise.resolve(),
        recorded: () => Promise.resolve(bodiesIn(data).map(({ request_id: id }) => id)),
      });
    });

    it('the disk of PostgreSQL', async () => {
      folder = newFolder();
      const started = await startPostgres({ max_wal_size: '64MB', min_wal_size: '32MB' });
      server = started;
      const { url } = started;
      const query = async (text: string): Promise<readonly Record<string, string>[]> => {
        const client = new pg.Client(url);
        await client.connect();
        try {
          return (await client.query<Record<string, string>>(text)).rows;
        } finally {
          await client.end();
        }
      };
      const [{ data_directory: tables = '' } = {}] = await query('show data_directory');
      await started.down('fast');
      cpSync(tables, join(folder, 'tables'), { recursive: true });
      mounted(tables, 160);
      execFileSync('cp', ['-a', `${join(folder, 'tables')}/.`, tables]);
      execFileSync('chown', ['-R', `--reference=${join(tables, '..')}`, tables]);
      execFileSync('chmod', ['700', tables]);
      await started.up();
      await fillAndFree(join(folder, 'data'), {
        env: { DATABASE_URL: url },
        // Restarts the server, as its init system would.
        onRoom: () => started.up().catch(() => undefined),
        recorded: async () =>
          (await query(`select body::json ->> 'request_id' as id from audit.audit_record`)).map(
            ({ id }) => id,
          ),
      });
    });
  },
);

function mounted(at: string, megabytes: number): string {
  mkdirSync(at, { recursive: true });
  mountTmpfs(at, `size=${megabytes}m`);
  disk = at;
  return at;
}

interface Engine {
  readonly env: Readonly<Record<string, string>>;
  onRoom(): Promise<void>;
  /** Returns the request IDs of all records. */
  recorded(): Promise<readonly unknown[]>;
}

async function fillAndFree(data: string, engine: Engine): Promise<void> {
  const { env } = engine;
  const { headers, ...made } = await served({ folder, data }, sampleEnvelopes({ users: 2 }), env);
  service = made.service;
  const { base_url: base } = service.ready;
  const answered: (string | null)[] = [];
  let refused = 0;
  const ask = async (): Promise<number> => {
    const { status, headers: sent } = await fetch(`${base}/v2/user`, { headers });
    expect([200, 503]).toContain(status);
    if (status === 200) answered.push(sent.get('x-request-id'));
    else refused += 1;
    return status;
  };
  expect(await ask()).toBe(200);

  const filler = join(disk ?? '', 'filler');
  expect(() => {
    for (;;) appendFileSync(filler, Buffer.alloc(64 * 1024));
  }).toThrow('ENOSPC');
  truncateSync(filler, statSync(filler).size - 512 * 1024);
  // Several requests at a time, so that the disk fills while records are written together.
  const untilFull = async (): Promise<void> => {
    while (refused < 100) await ask();
  };
  await Promise.all(Array.from({ length: 8 }, untilFull));
  expect(answered.length).toBeGreaterThan(1);

  rmSync(filler);
  await engine.onRoom();
  while ((await ask()) !== 200);
  expect(await service.end()).toBe(0);
  expect(printed(['audit', 'verify', '--data', data], env)).toContain('records');
  const ids = new Set(await engine.recorded());
  expect(answered.filter((id) => !ids.has(id))).toEqual([]);
}
