import { writeFileSync } from 'node:fs';
import { Agent, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { addedAtRate, atRate } from './fixed-rate.ts';
import { besideBaseline, perAnswer, type Measured } from './reads/processor-time.ts';
import { atMost, inTurns, median, timed, type Row, type Section, type Target } from './measure.ts';
import { benchKey, noLimits, type Running, startService, workFolder } from './service.ts';

/** As many connections as there are requests while the upstream restarts. */
const rate = { perSecond: 500, seconds: 3, connections: 2000 };
const bounds = [
  [0.5, 1],
  [0.99, 3],
] as const;
const pairs = 2000;
const rounds = 7;
const warmAnswers = 20_000;
const slowCalls = 1000;
const slowMs = 2000;
const warmUpMs = 100;

export const gateway: Section = {
  name: 'gateway',
  title: 'Reads through a gateway against the same upstream asked directly',
  async run() {
    const folder = workFolder();
    const demo = await startService(['demo', '--data', join(folder.path, 'upstream')], noLimits);
    const { sample, keys, team_id: teamId } = demo.ready;
    const key = keys['integration'] ?? '';
    await demo.stop();
    const upstream = await serveUpstream(folder.path);
    const through = await serveGateway(folder.path, 'gateway', upstream.baseUrl, teamId, key);
    const paths = {
      'resolve a user': `/v2/user/resolve/${encodeURIComponent(sample.client_user_id)}`,
      'lab order result': `/v3/order/${sample.order_id}/result`,
      'a page of minutes': `/v2/timeseries/${sample.user_id}/mindfulness_minutes/grouped?start_date=2020-01-01`,
    };
    const rows: Row[] = [];
    for (const [what, path] of Object.entries(paths)) {
      const a = { url: `${through.baseUrl}${path}`, headers: through.headers };
      const b = { url: `${upstream.baseUrl}${path}`, headers: { 'x-service-api-key': key } };
      const latency = await inTurns(a, b, pairs);
      rows.push({
        what: `${what}, one at a time`,
        unit: 'ms',
        measured: latency.a,
        baseline: latency.b,
        ratio: latency.a / latency.b,
      });
      if (what === 'lab order result') {
        rows.push(
          await processorTime(
            what,
            // Its upstream is another machine.
            { ...a, pids: () => [through.pid] },
            { ...b, pids: () => [upstream.pid] },
          ),
        );
        rows.push(...(await addedAtRate(a, b, rate, bounds)));
        rows.push(await whileRestarting(a, upstream));
      }
    }
    await through.stop();
    await upstream.stop();
    rows.push(await withSlowCalls(folder.path, teamId, sample.order_id));
    folder.remove();
    return rows;
  },
};

async function processorTime(what: string, a: Measured, b: Measured): Promise<Row> {
  await perAnswer(a, 10, warmAnswers);
  await perAnswer(b, 10, warmAnswers);
  const title = `${what}, processor time (baseline: the upstream's own)`;
  return await besideBaseline(title, [a, b], { turns: rounds, answers: warmAnswers });
}

interface Upstream extends Omit<Running, 'metrics' | 'ready'> {
  restart(): Promise<void>;
}

async function serveUpstream(folder: string): Promise<Upstream> {
  const serve = ['serve', '--data', join(folder, 'upstream')];
  let running = await startService(serve, noLimits);
  const { baseUrl } = running;
  return {
    baseUrl,
    pid: running.pid,
    stop: () => running.stop(),
    restart: async () => {
      await running.stop();
      running = await startService(serve, noLimits, Number(new URL(baseUrl).port));
    },
  };
}

async function serveGateway(
  folder: string,
  name: string,
  upstream: string,
  teamId: string,
  key: string,
): Promise<Running & { readonly headers: Readonly<Record<string, string>> }> {
  const data = join(folder, name);
  const keyFile = join(folder, `${name}.key`);
  writeFileSync(keyFile, key, { mode: 0o600 });
  const own = await benchKey(data, teamId);
  const upstreams = join(folder, `${name}.json`);
  const entry = { base_url: upstream, api_key_file: keyFile };
  writeFileSync(upstreams, JSON.stringify({ [teamId]: entry }), { mode: 0o600 });
  const env = { ...noLimits, CAREGATE_UPSTREAMS: upstreams };
  const running = await startService(['serve', '--data', data], env);
  return { ...running, headers: { 'x-service-api-key': own } };
}

async function whileRestarting(target: Target, upstream: Upstream): Promise<Row> {
  const asking = atRate(target, { ...rate, seconds: 8 });
  await wait(1500);
  await upstream.restart();
  const { failed, times } = await asking;
  return {
    what: `failed of ${failed + times.length} at ${rate.perSecond} a second while the upstream restarts`,
    unit: '',
    measured: failed,
    bound: 'none',
    kept: failed === 0,
  };
}

/** Compares late rounds with earlier late ones, not with the first: until a heap has found its size it grows anyway. */
async function withSlowCalls(folder: string, teamId: string, orderId: string): Promise<Row> {
  const body = '{"metadata":{},"results":[]}';
  let answersAfterMs = warmUpMs;
  const slow = createServer((_, response) => {
    setTimeout(
      () => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
      answersAfterMs,
    );
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
  const through = await serveGateway(folder, 'slow', address, teamId, 'bench-key');
  const target = { url: `${through.baseUrl}/v3/order/${orderId}/result`, headers: through.headers };
  const agent = new Agent({ keepAlive: true });
  const wave = async (): Promise<number> => {
    const open = Array.from({ length: slowCalls }, () => timed(target, agent));
    await wait(answersAfterMs * 0.75);
    const bytes = await residentBytes(through);
    const failed = (await Promise.all(open)).filter((took) => took === undefined).length;
    if (failed > 0) {
      throw new Error(`${failed} slow requests of a bench failed`);
    }
    return bytes / 2 ** 20;
  };
  for (let warmUp = 0; warmUp < 20; warmUp += 1) {
    await wave();
  }
  answersAfterMs = slowMs;
  const waves: number[] = [];
  while (waves.length < 30) {
    waves.push(await wave());
  }
  agent.destroy();
  await through.stop();
  slow.closeAllConnections();
  slow.close();
  return atMost(
    `memory with ${slowCalls} slow calls open, times 26 to 30 (baseline: 16 to 20)`,
    'MiB',
    median(waves.slice(25)),
    median(waves.slice(15, 20)),
    1.1,
  );
}

async function residentBytes({ metrics }: Running): Promise<number> {
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(await metrics())?.[1]);
}
