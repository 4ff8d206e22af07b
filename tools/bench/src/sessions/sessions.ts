import { findPostgres, PostgresMissingError, startPostgres } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { emptyNest, perRequest } from '../cost/per-request.ts';
import { total, type ThreadTimes } from '../cost/thread-times.ts';
import { median, quantile, type Row, type Section } from '../measure.ts';
import { command, noLimits, startService, workFolder } from '../service.ts';
import { signIn, type AtDesk } from './bench-desk.ts';
import { untilRefused } from './until-refused.ts';

const pin = '290517';
const unlocks = 60;
const rounds = 5;
const promised = { unlockMs: 300, cost: 0.3, refusedMs: 1000 };
const [insurance] = sampleEnvelopes({ users: 1, kinds: ['insurance'] });
const path = `/v2/user/${insurance?.kind === 'insurance' ? insurance.user_id : ''}/insurance/latest`;

export const sessions: Section = {
  name: 'sessions',
  title:
    'People at desks: unlock by PIN, what person and proof cost beside the same read by a key, and how soon somebody is out',
  async run() {
    const rows = await onFolder(async (data) => {
      const service = await startService(['serve', '--data', data], noLimits);
      try {
        const person = await signIn(data, service.baseUrl);
        return [
          ...(await unlocking(service.baseUrl, person)),
          ...(await proofCost(service, person)),
        ];
      } finally {
        await service.stop();
      }
    });
    rows.push(...(await onFolder((data) => refused('SQLite', data, 1))));
    return [...rows, ...(await onPostgres())];
  },
};

async function onFolder(body: (data: string) => Promise<Row[]>): Promise<Row[]> {
  const folder = workFolder();
  try {
    await command(['import', '-', '--data', folder.path], (stdin) => {
      for (const envelope of sampleEnvelopes({ users: 3, teamId: sampleTeamId })) {
        stdin.write(`${JSON.stringify(envelope)}\n`);
      }
      stdin.end();
      return Promise.resolve();
    });
    return await body(folder.path);
  } finally {
    folder.remove();
  }
}

async function onPostgres(): Promise<Row[]> {
  try {
    findPostgres();
  } catch (error) {
    if (error instanceof PostgresMissingError) {
      console.log(`PostgreSQL is left out: ${error.message}`);
      return [];
    }
    throw error;
  }
  const before = process.env['DATABASE_URL'];
  const server = await startPostgres();
  process.env['DATABASE_URL'] = server.url;
  try {
    return await onFolder((data) => refused('PostgreSQL', data, 2));
  } finally {
    delete process.env['DATABASE_URL'];
    if (before !== undefined) {
      process.env['DATABASE_URL'] = before;
    }
    await server.stop();
  }
}

/** From the request to the whole answer; the session is locked before each. */
async function unlocking(baseUrl: string, person: AtDesk): Promise<Row[]> {
  const ask = async (method: string, what: string, body?: object): Promise<number> => {
    const url = `${baseUrl}/access/sessions/current/${what}`;
    const headers = { ...person.headers(method, url), 'content-type': 'application/json' };
    const began = performance.now();
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body ?? {}) });
    await answer.text();
    if (!answer.ok) {
      throw new Error(`${what}: the service answered ${answer.status}`);
    }
    return performance.now() - began;
  };
  await ask('PUT', 'pin', { pin });
  const times: number[] = [];
  for (let turn = 0; turn < unlocks; turn += 1) {
    await ask('POST', 'lock');
    times.push(await ask('POST', 'unlock', { pin }));
  }
  const p95 = quantile(times, 0.95);
  return [
    { what: 'unlock by PIN, over HTTP: median', unit: 'ms', measured: median(times) },
    {
      ...{ what: 'unlock by PIN, over HTTP: p95', unit: 'ms', measured: p95 },
      ...{ bound: `at most ${promised.unlockMs} ms`, kept: p95 <= promised.unlockMs },
    },
  ];
}

/** Processor time of the same read by the person and by their key, in turns with an empty NestJS of the same bytes. */
async function proofCost(
  { baseUrl, pid }: { readonly baseUrl: string; readonly pid: number },
  person: AtDesk,
): Promise<Row[]> {
  const url = baseUrl + path;
  const headers = { 'x-service-api-key': person.key };
  const empty = await emptyNest(await (await fetch(url, { headers })).text());
  const times: Record<'person' | 'key' | 'empty', ThreadTimes[]> = {
    ...{ person: [], key: [], empty: [] },
  };
  try {
    for (let round = -1; round < rounds; round += 1) {
      const byPerson = await perRequest({ url, pid }, () => person.headers('GET', url));
      const byKey = await perRequest({ url, headers, pid });
      const byNobody = await perRequest(empty);
      if (round >= 0) {
        times.person.push(byPerson);
        times.key.push(byKey);
        times.empty.push(byNobody);
      }
    }
  } finally {
    await empty.stop();
  }
  const baseline = median(times.empty.map(total));
  const main = (one: ThreadTimes): number => one.get('main') ?? 0;
  const added = (of: (one: ThreadTimes) => number): number =>
    median(times.person.map(of)) - median(times.key.map(of));
  const row = (what: string, measured: number): Row => ({
    ...{ what: `latest insurance ${what}`, unit: 'us', measured, baseline },
    ratio: measured / baseline,
  });
  const onMain = row('by a person: added on the main thread', added(main));
  return [
    row('by their key: all threads', median(times.key.map(total))),
    row('by a person: all threads', median(times.person.map(total))),
    {
      ...onMain,
      bound: `at most ${promised.cost}x`,
      kept: (onMain.ratio ?? Infinity) <= promised.cost,
    },
  ];
}

/** A person who is disabled and a desk that is revoked by a command, while they read at every instance. */
async function refused(engine: string, data: string, instances: number): Promise<Row[]> {
  const started = [];
  for (let instance = 0; instance < instances; instance += 1) {
    // On a database, each instance and the commands have an audit log of their own.
    const own = instances === 1 ? data : `${data}/${instance}`;
    started.push(await startService(['serve', '--data', own], noLimits));
  }
  const rows: Row[] = [];
  try {
    const urls = started.map(({ baseUrl }) => baseUrl);
    for (const act of ['staff disable', 'desks revoke'] as const) {
      const person = await signIn(data, urls[0] ?? '');
      const id = act === 'staff disable' ? person.staffId : person.deskId;
      const end = [...act.split(' '), id, '--data', data];
      const { ms, readsAfter } = await untilRefused(urls, { path, person }, () => command(end));
      rows.push({
        what: `${engine}, ${instances} instance${instances === 1 ? '' : 's'}: refused after ${act}`,
        ...{ unit: 'ms', measured: ms, bound: `at most ${promised.refusedMs} ms` },
        kept: ms <= promised.refusedMs && readsAfter === 0,
      });
    }
  } finally {
    for (const service of started) {
      await service.stop();
    }
  }
  return rows;
}
