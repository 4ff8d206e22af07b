import { findPostgres, PostgresMissingError, startPostgres } from '@caregate/postgres';
import { sampleTeamId } from '@caregate/sample-data';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { against, atMost, median, type Row, type Section, type Target } from '../measure.ts';
import { OneConnection } from '../one-connection.ts';
import { fillDatabase, fillFolder, idOf, patients, walkers, type Size } from './data.ts';
import { keepTo, pgbench, requestsPerSecond, sql, type Paths } from './load.ts';
import { pgbenchScripts, type Script } from './scripts.ts';
import { benchKey, noLimits, startService, workFolder } from '../service.ts';

const users = Number(process.env['BENCH_POSTGRES_USERS'] ?? 100_000);
const few: Size = { users, points: users * 10 };
const many: Size = { users: users * 10, points: users * 100 };
const load = { connections: 32, seconds: 2 };
/** Before the first round: four instances take long until each has compiled what it runs. */
const warmUp = { connections: 32, seconds: 20 };
const rounds = 3;
const turns = 1000;

const noPath: Paths = () => '/';
const began = performance.now();
const said = (what: string): void => {
  console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(5)} s: ${what}`);
};
const random = (below: number): number => Math.floor(Math.random() * below);

function operations({ users }: Size): Readonly<Record<string, Paths>> {
  return {
    'resolve a user': () => `/v2/user/resolve/MRN-${random(users)}`,
    'latest insurance': () => `/v2/user/${idOf('u', random(patients))}/insurance/latest`,
    'lab order result': () => `/v3/order/${idOf('o', random(patients))}/result`,
    'list 100 users, any offset': () => `/v2/user?limit=100&offset=${random(users - 100)}`,
    'a page of minutes': () =>
      `/v2/timeseries/${idOf('u', random(walkers))}/mindfulness_minutes/grouped?start_date=2020-01-01`,
  };
}

export const postgres: Section = {
  name: 'postgres',
  title: `PostgreSQL beside SQLite, every answer recorded in the audit log; ${load.connections} connections`,
  async run() {
    try {
      findPostgres();
    } catch (error) {
      if (error instanceof PostgresMissingError) {
        console.log(`Left out: ${error.message}`);
        return [];
      }
      throw error;
    }
    const folder = workFolder();
    const running: { stop(): Promise<void> }[] = [];
    try {
      return await measured(folder.path, running);
    } finally {
      for (const each of running.reverse()) {
        await each.stop();
      }
      folder.remove();
    }
  },
};

type Stop = { stop(): Promise<void> }[];

async function measured(folder: string, running: Stop): Promise<Row[]> {
  // Filled without syncs and without a log; as any other from then on.
  const server = await startPostgres({
    ...{ fsync: 'off', wal_level: 'minimal', max_wal_senders: '0' },
    shared_buffers: users > 100_000 ? '4GB' : '1GB',
    max_connections: '200',
    max_wal_size: '8GB',
  });
  running.push(server);
  const [small, big] = [await server.database(), await server.database()];
  for (const [url, size] of [
    [small, few],
    [big, many],
  ] as const) {
    await prepare(join(folder, `first-${size.users}`), url);
    await fillDatabase(url, size);
    said(
      `${size.users.toLocaleString('en')} users and ${size.points.toLocaleString('en')} points in PostgreSQL`,
    );
  }
  await sql(
    server.url,
    ['fsync', 'wal_level', 'max_wal_senders']
      .map((name) => `alter system reset ${name};\n`)
      .join(''),
  );
  await server.down('fast');
  await server.up();
  const sqlite = join(folder, 'sqlite');
  await (await startService(['serve', '--data', sqlite])).stop();
  fillFolder(sqlite, few);
  said('filled');
  const onFolder = { baseUrls: [await served(['--data', sqlite], {}, 0, running)] };
  const inFolder = { ...onFolder, key: await benchKey(sqlite, sampleTeamId) };
  const four = await instances(folder, 'small', small, 4, running);
  const one = { ...four, baseUrls: four.baseUrls.slice(0, 1) };
  const asked = operations(few);
  const resolve = { paths: asked['resolve a user'] ?? noPath };
  await requestsPerSecond(inFolder.baseUrls, { ...inFolder, ...resolve }, load);
  for (const paths of Object.values(asked)) {
    await requestsPerSecond(one.baseUrls, { ...one, paths }, load);
  }
  await requestsPerSecond(four.baseUrls, { ...four, ...resolve }, warmUp);
  const byOperation = await pgbenchScripts(small, few.users);
  const rows: Row[] = [];
  for (const [what, paths] of Object.entries(asked)) {
    const scripts = byOperation[what] ?? [];
    const rates = { sqlite: [] as number[], one: [] as number[], four: [] as number[] };
    const limits: number[][] = scripts.map(() => []);
    // In turns, so that a ratio holds while the machine's speed drifts.
    for (let round = -1; round < rounds; round += 1) {
      const now = {
        sqlite: await requestsPerSecond(inFolder.baseUrls, { ...inFolder, paths }, load),
        one: await requestsPerSecond(one.baseUrls, { ...one, paths }, load),
        four: await requestsPerSecond(four.baseUrls, { ...four, paths }, load),
      };
      for (const [at, { text }] of scripts.entries()) {
        const rate = await pgbench(small, { folder, text }, load);
        limits[at]?.push(...(round >= 0 ? [rate] : []));
      }
      if (round >= 0) {
        (['sqlite', 'one', 'four'] as const).forEach((name) => rates[name].push(now[name]));
      }
    }
    const baseline = median(rates.sqlite);
    for (const [name, label] of [
      ['one', 'one instance'],
      ['four', 'four instances'],
    ] as const) {
      const rate = median(rates[name]);
      const row = { what: `${what}, ${label} (baseline: SQLite)`, unit: '/s', measured: rate };
      rows.push({ ...row, baseline, ratio: rate / baseline });
      scripts.forEach((script, at) => {
        const baseline = limits[at] ?? [];
        rows.push(
          against(
            `${what}, ${label} (baseline: pgbench, ${script.what})`,
            '/s',
            { measured: rates[name], baseline },
            leastOf(script, name),
          ),
        );
      });
    }
    said(what);
  }
  const onMany = await instances(folder, 'big', big, 1, running);
  return [...rows, ...(await costOfSize(onMany, one))];
}

/** Makes the tables. @param data of this database alone: a folder knows the log of its own */
async function prepare(data: string, url: string): Promise<void> {
  const service = await startService(['serve', '--data', data], { DATABASE_URL: url });
  await service.stop();
}

interface Served {
  readonly baseUrls: readonly string[];
  readonly url: string;
  readonly key: string;
}

async function instances(
  folder: string,
  name: string,
  url: string,
  count: number,
  running: Stop,
): Promise<Served> {
  const env = { DATABASE_URL: url };
  const key = await benchKey(join(folder, `${name}-commands`), sampleTeamId, env);
  const baseUrls: string[] = [];
  for (let at = 0; at < count; at += 1) {
    baseUrls.push(await served(['--data', join(folder, `${name}-${at}`)], env, at, running));
  }
  return { baseUrls, url, key };
}

let told = false;
async function served(
  flags: readonly string[],
  env: Readonly<Record<string, string>>,
  at: number,
  running: Stop,
): Promise<string> {
  const service = await startService(['serve', ...flags], {
    ...noLimits,
    ...env,
  });
  running.push(service);
  if (!(await keepTo(service.pid, String(at % availableParallelism()))) && !told) {
    told = true;
    console.log('Not pinned: there is no taskset here.');
  }
  return service.baseUrl;
}

/** Four instances on two cores take turns with each other: a resolve's is promised for them, and less. */
function leastOf(
  { least, leastOfFour }: Script,
  name: 'one' | 'four',
): { readonly least: number } | undefined {
  const asked = name === 'one' ? least : leastOfFour;
  return asked === undefined ? undefined : { least: asked };
}

/** In turns, over rows from all of the data: once as the disk and the caches have them, then once more from memory. */
async function costOfSize(onMany: Served, onFew: Served): Promise<Row[]> {
  const rows: Row[] = [];
  const ofFew = operations(few);
  for (const [what, paths] of Object.entries(operations(many))) {
    // The instance on few has answered all of the rounds, which took as long.
    const asLong = { ...load, seconds: load.seconds * (rounds + 1) };
    await requestsPerSecond(onMany.baseUrls, { ...onMany, paths }, asLong);
    // What the server still has to do for all of those records (`autovacuum`), it does now.
    await sql(onMany.url, 'vacuum');
    await sql(onFew.url, 'vacuum');
    // Opened now: an idle one is closed by the service.
    const a = await OneConnection.open(onMany.baseUrls[0] ?? '');
    const b = await OneConnection.open(onFew.baseUrls[0] ?? '');
    const asks = Array.from({ length: turns }, () => [paths(), ofFew[what]?.() ?? ''] as const);
    const inTurns = async (): Promise<readonly [number, number]> => {
      const times: { many: number[]; few: number[] } = { many: [], few: [] };
      for (const [ofMany, ofB] of asks) {
        times.many.push((await a.send(a.request(ofMany, headersOf(onMany)))) / 1000);
        times.few.push((await b.send(b.request(ofB, headersOf(onFew)))) / 1000);
      }
      return [median(times.many), median(times.few)];
    };
    const sizes = `${many.users.toLocaleString('en')} users and ${many.points.toLocaleString('en')} points against a tenth`;
    const [first, firstOfFew] = await inTurns();
    const again = await inTurns();
    a.close();
    b.close();
    said(`${what}, by size`);
    rows.push(atMost(`${what}: ${sizes}`, 'ms', ...again, 1.3), {
      what: `… each for the first time`,
      unit: 'ms',
      measured: first,
      baseline: firstOfFew,
      ratio: first / firstOfFew,
    });
  }
  return rows;
}

const headersOf = ({ key }: Served): Target['headers'] => ({ 'x-service-api-key': key });
