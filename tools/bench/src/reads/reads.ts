import { against, type Row, type Section } from '../measure.ts';
import { besideBaseline, perAnswer, type Measured } from './processor-time.ts';
import { forked, startServers, type ServerName, type Servers } from './servers.ts';
import { throughput } from './throughput.ts';

const turns = Number(process.env['BENCH_TURNS'] ?? 7);
/** V8 compiles in the first ones, when ratios turn around. A page costs as much as ten other answers. */
const warmAnswers = Number(process.env['BENCH_WARM'] ?? 20_000);
const measuredAnswers = Number(process.env['BENCH_ANSWERS'] ?? 20_000);
const ofPages = 0.1;
const ours: readonly ServerName[] = ['SQLite', 'PostgreSQL'];
const allConnections = (process.env['BENCH_CONNECTIONS'] ?? '10,1,50').split(',').map(Number);

/** What our answer may cost, as a multiple of a baseline. */
type Goals = readonly (readonly [ours: ServerName, baseline: ServerName, most: number])[];

interface Read {
  readonly path: string;
  readonly isPage?: true;
  readonly goals: (connections: number) => Goals;
}

export const reads: Section = {
  name: 'reads',
  title:
    'Processor time of an answer, all processes (PostgreSQL too), in turns: ours on both engines, the floor, what a team builds in a week',
  async run() {
    const servers = await startServers();
    try {
      const all = readsOf(servers);
      const rows: Row[] = [];
      for (const connections of allConnections) {
        if (connections !== allConnections[0]) await servers.startOursAgain();
        for (const [what, read] of all) {
          rows.push(...(await compare(what, read, servers, connections)));
        }
      }
      const [[what, { path }] = ['', { path: '' }]] = all;
      return [...rows, ...(await besideEmptyNest(what, path, servers))];
    } finally {
      await servers.stop();
    }
  },
};

function readsOf({ sample }: Servers): readonly (readonly [string, Read])[] {
  const { clientUserId, userId, orderId } = sample;
  const single = (connections: number): Goals => [
    ['SQLite', 'floor', 1.3],
    ['SQLite', 'week', 0.12],
    ['PostgreSQL', 'week', connections === 1 ? 0.5 : 0.25],
  ];
  const page = (ofFloor: number) => (): Goals => [
    ['SQLite', 'floor', ofFloor],
    ['SQLite', 'week', 0.05],
    ['PostgreSQL', 'week', 0.1],
  ];
  const points = `/v2/timeseries/${userId}/mindfulness_minutes/grouped?start_date=2020-01-01`;
  return [
    ['resolve a user', { path: `/v2/user/resolve/${clientUserId}`, goals: single }],
    ['latest insurance', { path: `/v2/user/${userId}/insurance/latest`, goals: single }],
    ['lab order result', { path: `/v3/order/${orderId}/result`, goals: single }],
    ['list page of 100', { path: '/v2/user?limit=100', isPage: true, goals: page(1.15) }],
    ['1,000 points', { path: points, isPage: true, goals: page(1.3) }],
  ];
}

async function compare(
  what: string,
  { path, isPage, goals }: Read,
  servers: Servers,
  connections: number,
): Promise<Row[]> {
  const targets = servers.targets(path);
  const names = Object.keys(targets) as ServerName[];
  const times: Record<ServerName, number[]> = { SQLite: [], PostgreSQL: [], week: [], floor: [] };
  const share = isPage ? ofPages : 1;
  const perTurn = Math.ceil((measuredAnswers * share) / turns / connections) * connections;
  const measure = (name: ServerName, amount: number): Promise<number> =>
    perAnswer(targets[name], connections, amount);
  for (const name of connections === allConnections[0] ? names : ours) {
    await measure(name, warmAnswers * share);
  }
  for (let turn = 0; turn < turns; turn += 1) {
    // Whoever comes first has the processor's caches of nobody's but the last.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      times[name].push(await measure(name, perTurn));
    }
  }
  const at = `${what}, ${connections} connection${connections === 1 ? '' : 's'}`;
  const rows = goals(connections).map(([measured, baseline, most]) =>
    against(
      `${at}: ${measured} / ${baseline}`,
      'us',
      { measured: times[measured], baseline: times[baseline] },
      { most },
    ),
  );
  for (const { what: of, measured, baseline, ratio } of rows) {
    console.log(
      `${of}: ${Math.round(measured)} / ${Math.round(baseline ?? 0)} us, ${ratio?.toFixed(2) ?? ''}x`,
    );
  }
  return rows;
}

async function besideEmptyNest(what: string, path: string, servers: Servers): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [name, target] of [
    ['/healthz', servers.targets('/healthz').SQLite],
    [what, servers.targets(path).SQLite],
  ] as const) {
    const answer = await fetch(target.url, { headers: { ...target.headers } });
    const nest = await forked('nest-server.ts', await answer.text());
    const empty: Measured = { url: `${nest.url}/`, pids: () => [nest.pid] };
    await perAnswer(target, 50, warmAnswers);
    await perAnswer(empty, 50, warmAnswers);
    if (name === '/healthz') {
      const pair = [target, empty] as const;
      const amount = { turns, answers: measuredAnswers };
      rows.push(await besideBaseline(`${name} / an empty NestJS`, pair, amount, { most: 1.3 }));
    } else {
      rows.push(...(await throughput(`${name} / an empty NestJS`, target, empty, turns)));
    }
    await nest.stop();
  }
  return rows;
}
