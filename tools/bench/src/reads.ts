import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inTurns, median, type Row, type Section, type Target } from './measure.ts';
import { end, startService } from './service.ts';

const rounds = 5;
const seconds = 3;
const connections = 10;
const pairs = 2000;

/** Far more than the bench sends, so that what is measured is the service and not its limiter's refusals. */
export const noLimits = {
  CAREGATE_RATE_LIMIT_PER_KEY: '100000000',
  CAREGATE_RATE_LIMIT_PER_ADDRESS: '100000000',
};

export const reads: Section = {
  name: 'reads',
  title: 'Single reads through the whole service against a bare Fastify route with the same bytes',
  async run() {
    const service = await startService(['demo'], noLimits);
    const { sample, keys } = service.ready;
    const headers = { 'x-service-api-key': keys['integration'] ?? '' };
    const paths = {
      'resolve a user': `/v2/user/resolve/${encodeURIComponent(sample.client_user_id)}`,
      'latest insurance': `/v2/user/${sample.user_id}/insurance/latest`,
      'lab order result': `/v3/order/${sample.order_id}/result`,
    };
    const rows: Row[] = [];
    for (const [what, path] of Object.entries(paths)) {
      rows.push(...(await against(what, { url: `${service.baseUrl}${path}`, headers })));
    }
    await service.stop();
    return rows;
  },
};

async function against(what: string, target: Target): Promise<Row[]> {
  const answer = await fetch(target.url, { headers: { ...target.headers } });
  if (answer.status !== 200) {
    throw new Error(`${what}: the service answered ${answer.status}`);
  }
  const bare = await bareServer(await answer.text());
  const baseline = { url: bare.url };
  const whole: number[] = [];
  const plain: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    whole.push(await requestsPerSecond(target));
    plain.push(await requestsPerSecond(baseline));
  }
  const latency = await inTurns(target, baseline, pairs);
  await bare.stop();
  const throughput = { measured: median(whole), baseline: median(plain) };
  return [
    {
      what: `${what}, requests a second`,
      unit: '/s',
      ...throughput,
      ratio: throughput.measured / throughput.baseline,
    },
    {
      what: `${what}, one at a time`,
      unit: 'ms',
      measured: latency.a,
      baseline: latency.b,
      ratio: latency.a / latency.b,
    },
  ];
}

async function requestsPerSecond(target: Target): Promise<number> {
  const result = await autocannon({
    url: target.url,
    headers: { ...target.headers },
    connections,
    duration: seconds,
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests of a bench failed`);
  }
  return result.requests.average;
}

async function bareServer(body: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const child = fork(fileURLToPath(new URL('bare-server.ts', import.meta.url)));
  child.send(body);
  const [url] = (await once(child, 'message')) as [string];
  return { url: `${url}/`, stop: () => end(child) };
}
