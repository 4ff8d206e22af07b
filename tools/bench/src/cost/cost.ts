import { against, type Row, type Section, type Target } from '../measure.ts';
import { indexed, noLimits, startService } from '../service.ts';
import { filled } from '../timeseries.ts';
import { emptyNest, perRequest } from './per-request.ts';
import { throughput } from './throughput.ts';
import { total, warmUp, type ThreadTimes } from './thread-times.ts';

const rounds = 5;
/** The thread that writes the audit log. */
const logThread = 'audit log';

/** What a request may cost, as a multiple of the empty NestJS: of the main thread, of the log's, or of all threads. */
interface Bounds {
  readonly main?: number;
  readonly log?: number;
  readonly all?: number;
  /** Whether its throughput is compared too. */
  readonly throughput?: true;
}

export const cost: Section = {
  name: 'cost',
  title:
    'Processor time of an answer by thread, in turns with an empty NestJS on Fastify that answers the same bytes',
  async run() {
    const service = await startService(['demo'], noLimits);
    const { sample, keys } = service.ready;
    const headers = { 'x-service-api-key': keys['integration'] ?? '' };
    const one: Bounds = { main: 2, log: 0.7, throughput: true };
    const paths: readonly (readonly [string, string, Bounds])[] = [
      ['resolve a user', `/v2/user/resolve/${encodeURIComponent(sample.client_user_id)}`, one],
      ['latest insurance', `/v2/user/${sample.user_id}/insurance/latest`, one],
      ['lab order result', `/v3/order/${sample.order_id}/result`, one],
      ['/healthz', '/healthz', { all: 1.6 }],
      ['a list page of 100', '/v2/user/?limit=100', { all: 4 }],
    ];
    const rows: Row[] = [];
    for (const [what, path, bounds] of paths) {
      // What the answers before left to the index is not of these.
      await indexed(service);
      const url = `${service.baseUrl}${path}`;
      rows.push(...(await costOf({ what, url, headers, pid: service.pid }, bounds)));
    }
    await service.stop();
    const points = await filled(1, 1000);
    rows.push(
      ...(await costOf(
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

async function costOf(target: Measured, bounds: Bounds): Promise<Row[]> {
  const answer = await fetch(target.url, { headers: { ...target.headers } });
  if (answer.status !== 200) {
    throw new Error(`${target.what}: the service answered ${answer.status}`);
  }
  const baseline = await emptyNest(await answer.text());
  const times: { whole: ThreadTimes[]; empty: ThreadTimes[] } = { whole: [], empty: [] };
  await warmUp(() => perRequest(target));
  await warmUp(() => perRequest(baseline));
  for (let round = 0; round < rounds; round += 1) {
    times.whole.push(await perRequest(target));
    times.empty.push(await perRequest(baseline));
  }
  const rates = bounds.throughput ? await throughput(target.what, target, baseline) : [];
  await baseline.stop();
  const empty = times.empty.map(total);
  const row = (part: string, most: number | undefined, of: (one: ThreadTimes) => number): Row =>
    against(
      `${target.what}, ${part}`,
      'us',
      { measured: times.whole.map(of), baseline: empty },
      most === undefined ? undefined : { most },
    );
  const { main, log, all } = bounds;
  return [
    ...(all === undefined ? [row('main thread', main, (one) => one.get('main') ?? 0)] : []),
    ...(log === undefined ? [] : [row('log thread', log, (one) => one.get(logThread) ?? 0)]),
    row('all threads', all, total),
    ...rates,
  ];
}
