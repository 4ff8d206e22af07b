import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  between,
  threadTimes,
  total,
  v8Threads,
  warmUp,
  type ThreadTimes,
} from '../cost/thread-times.ts';
import { addedAtRate } from '../fixed-rate.ts';
import { median, type Row, type Section, type Target } from '../measure.ts';
import { noLimits } from '../reads.ts';
import { end, startService, workFolder } from '../service.ts';
import { bareSync } from './bare-sync.ts';

const rounds = 5;
const seconds = 3;
const connections = 50;
/** The thread that writes the audit log. */
const logThread = 'audit log';
const rate = { perSecond: 1000, seconds, connections };
const bounds = [
  [0.5, 0.5],
  [0.99, 3],
] as const;

export const audit: Section = {
  name: 'audit',
  title:
    'Every answer recorded before it leaves, against the same service with recording replaced by nothing',
  async run() {
    const [folder, copy] = [workFolder(), workFolder()];
    const demo = await startService(['demo', '--data', folder.path]);
    const { sample, keys } = demo.ready;
    await demo.stop();
    // One process writes the log of a folder.
    cpSync(folder.path, copy.path, { recursive: true });
    const headers = { 'x-service-api-key': keys['integration'] ?? '' };
    const path = `/v3/order/${sample.order_id}/result`;
    const recorded = await startServer(folder.path, 'recorded');
    const unrecorded = await startServer(copy.path, 'unrecorded');
    const a = { url: `${recorded.url}${path}`, headers, pid: recorded.pid };
    const b = { url: `${unrecorded.url}${path}`, headers, pid: unrecorded.pid };
    const rows = [...(await throughput(a, b)), ...(await addedAtRate(a, b, rate, bounds))];
    rows.push(...(await bareSync(folder.path)));
    await recorded.stop();
    await unrecorded.stop();
    folder.remove();
    copy.remove();
    return rows;
  },
};

/** Of one round: what came back a second, and in which threads the processor was for an answer, in microseconds. */
interface Round {
  readonly used: ThreadTimes;
  readonly perSecond: number;
  readonly main: number;
  readonly log: number;
  /** V8's compilation and collections. */
  readonly v8: number;
  readonly others: number;
  readonly load: number;
  /** The part of the time in which the main thread had nothing to do, or no core. */
  readonly idle: number;
}

async function throughput(a: Served, b: Served): Promise<Row[]> {
  const [ofA, ofB]: [Round[], Round[]] = [[], []];
  for (const target of [a, b]) {
    await warmUp(async () => (await loaded(target)).used);
  }
  for (let round = 0; round < rounds; round += 1) {
    ofA.push(await loaded(a));
    ofB.push(await loaded(b));
  }
  const of = (part: Exclude<keyof Round, 'used'>): { measured: number; baseline: number } => ({
    measured: median(ofA.map((round) => round[part])),
    baseline: median(ofB.map((round) => round[part])),
  });
  const { measured, baseline } = of('perSecond');
  const ratio = measured / baseline;
  return [
    {
      what: `lab order result over ${connections} connections, requests a second`,
      ...{ unit: '/s', measured, baseline, ratio, bound: 'at least 0.9x', kept: ratio >= 0.9 },
    },
    { what: 'of these: main thread, for an answer', unit: 'us', ...of('main') },
    { what: 'log thread', unit: 'us', ...of('log') },
    { what: "V8's own threads", unit: 'us', ...of('v8') },
    { what: 'other threads of the service', unit: 'us', ...of('others') },
    { what: 'the load itself', unit: 'us', ...of('load') },
    { what: 'main thread without work, or without a core', unit: '%', ...of('idle') },
  ];
}

interface Served extends Target {
  readonly pid: number;
}

async function loaded(target: Served): Promise<Round> {
  const before = threadTimes(target.pid);
  const ofLoad = process.cpuUsage();
  const began = performance.now();
  const result = await autocannon({
    url: target.url,
    headers: { ...target.headers },
    connections,
    duration: seconds,
  });
  const tookUs = (performance.now() - began) * 1000;
  const { user, system } = process.cpuUsage(ofLoad);
  const used = between(before, threadTimes(target.pid));
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests of a bench failed`);
  }
  const count = result.requests.total;
  const [main, log, v8] = [usOf(used, 'main'), usOf(used, logThread), usOf(used, v8Threads)];
  return {
    used,
    perSecond: result.requests.average,
    main: main / count,
    log: log / count,
    v8: v8 / count,
    others: (total(used) / 1000 - main - log - v8) / count,
    load: (user + system) / count,
    idle: 100 * (1 - main / tookUs),
  };
}

function usOf(used: ThreadTimes, thread: string): number {
  return (used.get(thread) ?? 0) / 1000;
}

async function startServer(
  folder: string,
  recording: 'recorded' | 'unrecorded',
): Promise<{ url: string; pid: number; stop: () => Promise<void> }> {
  const file = fileURLToPath(new URL('audit-server.ts', import.meta.url));
  const child = fork(file, [folder, recording], { env: { ...process.env, ...noLimits } });
  const [url] = (await once(child, 'message')) as [string];
  return { url, pid: child.pid ?? 0, stop: () => end(child) };
}
