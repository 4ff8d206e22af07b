import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { median, typical, type Row, type Section, type Target } from './measure.ts';
import { noLimits } from './reads.ts';
import { end, startService, workFolder } from './service.ts';

const rounds = 5;
const seconds = 3;
const connections = 50;
const perSecond = 1000;
const warmUpRounds = 2;

export const audit: Section = {
  name: 'audit',
  title:
    'Every answer recorded before it leaves, against the same service with recording replaced by nothing',
  async run() {
    const folder = workFolder();
    const demo = await startService(['demo', '--data', folder.path]);
    const { sample, keys } = demo.ready;
    await demo.stop();
    const headers = { 'x-service-api-key': keys['integration'] ?? '' };
    const path = `/v3/order/${sample.order_id}/result`;
    const recorded = await startServer(folder.path, 'recorded');
    const unrecorded = await startServer(folder.path, 'unrecorded');
    const a = { url: `${recorded.url}${path}`, headers };
    const b = { url: `${unrecorded.url}${path}`, headers };
    const rows = [await throughput(a, b), ...(await latency(a, b))];
    await recorded.stop();
    await unrecorded.stop();
    folder.remove();
    return rows;
  },
};

async function throughput(a: Target, b: Target): Promise<Row> {
  const counts: { a: number[]; b: number[] } = { a: [], b: [] };
  for (let round = -1; round < rounds; round += 1) {
    const [ofA, ofB] = [await requestsPerSecond(a), await requestsPerSecond(b)];
    if (round >= 0) {
      counts.a.push(ofA);
      counts.b.push(ofB);
    }
  }
  const [measured, baseline] = [median(counts.a), median(counts.b)];
  return {
    what: `lab order result over ${connections} connections, requests a second`,
    unit: '/s',
    measured,
    baseline,
    ratio: measured / baseline,
    bound: 'at least 0.8x',
    kept: measured / baseline >= 0.8,
  };
}

async function latency(a: Target, b: Target): Promise<Row[]> {
  const times: { a: number[][]; b: number[][] } = { a: [], b: [] };
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const [ofA, ofB] = [await atRate(a), await atRate(b)];
    if (round >= 0) {
      times.a.push(ofA);
      times.b.push(ofB);
    }
  }
  const added = (q: number, most: number): Row => {
    const [measured, baseline] = [typical(times.a, q), typical(times.b, q)];
    return {
      what: `the same at ${perSecond} requests a second, p${q * 100} (median of ${rounds} rounds)`,
      unit: 'ms',
      measured,
      baseline,
      bound: `at most ${most} ms added`,
      kept: measured - baseline <= most,
    };
  };
  return [added(0.5, 1), added(0.99, 5)];
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

/** Milliseconds of each answer at a fixed rate: what is asked doesn't wait for what was asked before. */
async function atRate(target: Target): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: Promise<number>[] = [];
  const began = performance.now();
  const wanted = perSecond * seconds;
  while (took.length < wanted) {
    const due = Math.min(wanted, Math.floor(((performance.now() - began) * perSecond) / 1000));
    while (took.length < due) {
      took.push(timed(target, agent));
    }
    // Not a busy loop: that would take a core from what is measured.
    await wait(1);
  }
  const times = await Promise.all(took);
  agent.destroy();
  return times;
}

function timed(target: Target, agent: Agent): Promise<number> {
  const start = performance.now();
  return new Promise((resolve, reject) => {
    get(target.url, { agent, headers: { ...target.headers } }, (response) => {
      response.resume();
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) {
          resolve(performance.now() - start);
        } else {
          reject(new Error(`the service answered ${String(response.statusCode)} during a bench`));
        }
      });
    }).on('error', reject);
  });
}

async function startServer(
  folder: string,
  recording: 'recorded' | 'unrecorded',
): Promise<{ url: string; stop: () => Promise<void> }> {
  const file = fileURLToPath(new URL('audit-server.ts', import.meta.url));
  const child = fork(file, [folder, recording], { env: { ...process.env, ...noLimits } });
  const [url] = (await once(child, 'message')) as [string];
  return { url, stop: () => end(child) };
}
