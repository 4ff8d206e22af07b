import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { median, type Row, type Section, type Target } from '../measure.ts';
import { noLimits } from '../reads.ts';
import { end, startService } from '../service.ts';
import { filled } from '../timeseries.ts';
import { between, threadTimes, total, type ThreadTimes } from './thread-times.ts';

const rounds = 5;
const seconds = 3;
const connections = 50;
/** The thread that writes the audit log. */
const logThread = 'audit log';

/** What a request may cost, as a multiple of the empty NestJS: of the main thread, of the log's, or of all threads. */
interface Bounds {
  readonly main?: number;
  readonly log?: number;
  readonly all?: number;
}

export const cost: Section = {
  name: 'cost',
  title:
    'Processor time of an answer by thread, in turns with an empty NestJS on Fastify that answers the same bytes',
  async run() {
    const service = await startService(['demo'], noLimits);
    const { sample, keys } = service.ready;
    const headers = { 'x-service-api-key': keys['integration'] ?? '' };
    const paths: readonly (readonly [string, string, Bounds])[] = [
      [
        'resolve a user',
        `/v2/user/resolve/${encodeURIComponent(sample.client_user_id)}`,
        { main: 2, log: 0.7 },
      ],
      ['latest insurance', `/v2/user/${sample.user_id}/insurance/latest`, { main: 2, log: 0.7 }],
      ['lab order result', `/v3/order/${sample.order_id}/result`, { main: 2, log: 0.7 }],
      ['/healthz', '/healthz', { all: 1.6 }],
      ['a list page of 100', '/v2/user/?limit=100', { all: 4 }],
    ];
    const rows: Row[] = [];
    for (const [what, path, bounds] of paths) {
      const url = `${service.baseUrl}${path}`;
      rows.push(...(await against({ what, url, headers, pid: service.pid }, bounds)));
    }
    await service.stop();
    const points = await filled(1, 1000);
    rows.push(
      ...(await against(
        { what: 'a timeseries page of 1,000', ...points.target, pid: points.pid },
        { all: 4 },
      )),
    );
    await points.stop();
    return rows;
  },
};

interface Measured extends Target {
  readonly what: string;
  readonly pid: number;
}

async function against(target: Measured, bounds: Bounds): Promise<Row[]> {
  const answer = await fetch(target.url, { headers: { ...target.headers } });
  if (answer.status !== 200) {
    throw new Error(`${target.what}: the service answered ${answer.status}`);
  }
  const child = fork(fileURLToPath(new URL('nest-server.ts', import.meta.url)));
  child.send(await answer.text());
  const [url] = (await once(child, 'message')) as [string];
  const baseline = { url: `${url}/`, pid: child.pid ?? 0 };
  const times: { whole: ThreadTimes[]; empty: ThreadTimes[] } = { whole: [], empty: [] };
  for (let round = -1; round < rounds; round += 1) {
    const [whole, empty] = [await perRequest(target), await perRequest(baseline)];
    if (round >= 0) {
      times.whole.push(whole);
      times.empty.push(empty);
    }
  }
  await end(child);
  const empty = median(times.empty.map(total));
  const row = (part: string, most: number | undefined, of: (one: ThreadTimes) => number): Row => {
    const measured = median(times.whole.map(of));
    const ratio = measured / empty;
    return {
      what: `${target.what}, ${part}`,
      unit: 'us',
      measured,
      baseline: empty,
      ratio,
      ...(most !== undefined && { bound: `at most ${most}x`, kept: ratio <= most }),
    };
  };
  const { main, log, all } = bounds;
  return [
    ...(all === undefined ? [row('main thread', main, (one) => one.get('main') ?? 0)] : []),
    ...(log === undefined ? [] : [row('log thread', log, (one) => one.get(logThread) ?? 0)]),
    row('all threads', all, total),
  ];
}

/** Microseconds of processor time for a request, by thread. */
async function perRequest({ url, headers, pid }: Target & { pid: number }): Promise<ThreadTimes> {
  const before = threadTimes(pid);
  const result = await autocannon({
    url,
    headers: { ...headers },
    connections,
    duration: seconds,
  });
  const used = between(before, threadTimes(pid));
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests of a bench failed`);
  }
  return new Map([...used].map(([name, ns]) => [name, ns / 1000 / result.requests.total]));
}
