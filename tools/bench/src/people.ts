import { startPostgres } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import type { UserInfo } from '@caregate/domain';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { total, threadTimes } from './cost/thread-times.ts';
import { typedAtADesk } from './desktop/typing.ts';
import { median, quantile, type Row, type Section } from './measure.ts';
import { sql } from './postgres/load.ts';
import { noLimits } from './reads.ts';
import { command, startService, workFolder } from './service.ts';

/** PEOPLE is for trying a change out; what is promised is held against a million. */
const people = Number(process.env['PEOPLE'] ?? 1_000_000);
/** After a start, and once more of other people: by then V8 has compiled what searches run through. */
const asked = 600;
const promisedMs = 10;
const typedTexts = 75;
const promisedAtDeskMs = 150;

export const peopleSearch: Section = {
  name: 'people',
  title: `Searches for people while they are typed, ${people.toLocaleString('en')} people in a team: one after another, over HTTP, audit record included`,
  async run() {
    const rows = await measured('SQLite', undefined);
    const kept = process.env['PEOPLE_DATABASE_URL'];
    if (kept !== undefined) {
      return [...rows, ...(await measured('PostgreSQL', kept))];
    }
    const server = await startPostgres();
    try {
      return [...rows, ...(await measured('PostgreSQL', await server.database()))];
    } finally {
      await server.stop();
    }
  },
};

async function measured(engine: string, databaseUrl: string | undefined): Promise<Row[]> {
  const folder = dataFolder(databaseUrl);
  const before = process.env['DATABASE_URL'];
  if (databaseUrl !== undefined) {
    process.env['DATABASE_URL'] = databaseUrl;
  }
  try {
    const began = performance.now();
    if (!folder.isFilled) {
      await fill(folder.path);
    }
    const seconds = (performance.now() - began) / 1000;
    const key = await deskKey(folder.path);
    const service = await startService(['serve', '--data', folder.path], noLimits);
    const processorOf = (): Promise<() => number> => processorMs(service.pid, databaseUrl);
    const first = await searches(service.baseUrl, key, texts(0), processorOf);
    const found = await searches(service.baseUrl, key, texts(1), processorOf);
    const typed = texts(2)
      .map(({ text }) => text)
      .filter((_, place) => place % (asked / typedTexts) === 0);
    const desk = await typedAtADesk(service.baseUrl, key, typed);
    await service.stop();
    const row = (what: string, ms: number): Row => ({
      what: `${engine}: ${what}`,
      unit: 'ms',
      measured: ms,
    });
    const times = found.map(({ ms }) => ms);
    const processor = found.map(({ usedMs }) => usedMs);
    const p95 = quantile(times, 0.95);
    return [
      row('median', median(times)),
      { ...row('p95', p95), ...{ bound: `at most ${promisedMs} ms`, kept: p95 <= promisedMs } },
      row(`the first ${asked} after a start, median`, median(first.map(({ ms }) => ms))),
      row(
        `the first ${asked} after a start, p95`,
        quantile(
          first.map(({ ms }) => ms),
          0.95,
        ),
      ),
      row('typed at a desk, from the last key to its rows, median', median(desk)),
      {
        ...row('typed at a desk, from the last key to its rows, p95', quantile(desk, 0.95)),
        bound: `at most ${promisedAtDeskMs} ms`,
        kept: quantile(desk, 0.95) <= promisedAtDeskMs,
      },
      row('processor time, median', median(processor)),
      row('processor time, p95', quantile(processor, 0.95)),
      ...ways.map((way) => {
        const its = found.filter((each) => each.way === way).map(({ usedMs }) => usedMs);
        return row(`processor time, p95 of ${way}`, quantile(its, 0.95));
      }),
      ...(folder.isFilled
        ? []
        : [{ what: `${engine}: people imported`, unit: '/s', measured: people / seconds }]),
    ];
  } finally {
    delete process.env['DATABASE_URL'];
    if (before !== undefined) {
      process.env['DATABASE_URL'] = before;
    }
    folder.remove();
  }
}

/** PEOPLE_DATA and PEOPLE_DATABASE_URL have the people already: filling a store takes most of the time. */
function dataFolder(databaseUrl: string | undefined): {
  readonly path: string;
  readonly isFilled: boolean;
  remove: () => void;
} {
  const kept = process.env['PEOPLE_DATA'];
  return databaseUrl === undefined && kept !== undefined
    ? { path: kept, isFilled: true, remove: () => undefined }
    : {
        ...workFolder(),
        isFilled: databaseUrl === process.env['PEOPLE_DATABASE_URL'] && databaseUrl !== undefined,
      };
}

async function fill(data: string): Promise<void> {
  await command(['import', '-', '--data', data], async (stdin) => {
    const kinds = ['user', 'user_info'] as const;
    for (const envelope of sampleEnvelopes({ users: people, teamId: sampleTeamId, kinds })) {
      if (!stdin.write(`${JSON.stringify(envelope)}\n`)) {
        await once(stdin, 'drain');
      }
    }
    stdin.end();
  });
}

async function deskKey(data: string): Promise<string> {
  const flags = ['--team', sampleTeamId, '--role', 'front_desk', '--label', 'bench'];
  const printed = await command(['keys', 'create', ...flags, '--data', data, '--json']);
  return (JSON.parse(printed) as { key: string }).key;
}

/** What a receptionist types. */
const ways = [
  ...(['the beginning of a name', 'the beginnings of two', 'a name', 'a part of a name'] as const),
  ...(['a birth date', 'a name and a birth date', 'a phone number'] as const),
];
type Way = (typeof ways)[number];

/** Of people from all over the store, each time of others. */
function texts(turn: number): { readonly way: Way; readonly text: string }[] {
  const some: { way: Way; text: string }[] = [];
  for (let n = 0; some.length < asked; n += 1) {
    const first = Math.floor((people / asked) * n) + turn;
    const [envelope] = sampleEnvelopes({ users: 1, first, kinds: ['user_info'] });
    const info: UserInfo = envelope?.kind === 'user_info' ? envelope.info : {};
    const [given, family] = [info.first_name ?? 'Amara', info.last_name ?? 'Okonkwo'];
    const birth = info.dob ?? '1986-04-12';
    const typed: Readonly<Record<Way, string>> = {
      'the beginning of a name': given.slice(0, 4),
      'the beginnings of two': `${given.slice(0, 3)} ${family.slice(0, 3)}`,
      'a name': `${family} ${given}`,
      'a part of a name': family.slice(1, 5),
      'a birth date': birth,
      'a name and a birth date': `${family} ${birth}`,
      'a phone number': (info.phone_number ?? '0101').slice(-7),
    };
    some.push(...ways.map((way) => ({ way, text: typed[way] })));
  }
  return some.filter(({ text }) => Array.from(text).length >= 4).slice(0, asked);
}

interface Asked {
  readonly way: Way;
  readonly ms: number;
  /** Of the processor: other work on the machine tells in the clock alone. */
  readonly usedMs: number;
}

async function searches(
  baseUrl: string,
  key: string,
  all: readonly { readonly way: Way; readonly text: string }[],
  processorOf: () => Promise<() => number>,
): Promise<Asked[]> {
  const agent = new Agent({ keepAlive: true });
  const ask = (text: string): Promise<void> =>
    search(`${baseUrl}/desk/people/search`, { agent, key, text });
  // Opens the connections, whose processor time is counted.
  await ask('nobody at all');
  const used = await processorOf();
  const found: Asked[] = [];
  for (const { way, text } of all) {
    const usedBefore = used();
    const began = performance.now();
    await ask(text);
    found.push({ way, ms: performance.now() - began, usedMs: used() - usedBefore });
  }
  agent.destroy();
  return found;
}

/** What the service has used of the processor, and the connections that its server of PostgreSQL has open for it. */
async function processorMs(pid: number, databaseUrl: string | undefined): Promise<() => number> {
  const found =
    databaseUrl === undefined
      ? ''
      : await sql(
          databaseUrl,
          `select pid from pg_stat_activity where datname = current_database()
          and backend_type = 'client backend' and pid <> pg_backend_pid()`,
        );
  const last = new Map(
    found
      .split('\n')
      .filter(Boolean)
      .map((one) => [Number(one), 0]),
  );
  const usedNs = (one: number): number => {
    try {
      last.set(one, total(threadTimes(one)));
    } catch {
      // A connection that was closed meanwhile used no more.
    }
    return last.get(one) ?? 0;
  };
  return () => [pid, ...last.keys()].reduce((sum, one) => sum + usedNs(one), 0) / 1e6;
}

function search(
  url: string,
  { agent, key, text }: { agent: Agent; key: string; text: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-service-api-key': key, 'content-type': 'application/json' };
    const asking = request(url, { method: 'POST', agent, headers }, (response) => {
      response.on('data', () => undefined);
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) {
          resolve();
        } else {
          reject(new Error(`the service answered ${String(response.statusCode)} to a search`));
        }
      });
    });
    asking.on('error', reject);
    asking.end(JSON.stringify({ text, limit: 8 }));
  });
}
