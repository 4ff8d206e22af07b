import autocannon from 'autocannon';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { addedAtRate } from '../fixed-rate.ts';
import { median, type Row, type Section, type Target } from '../measure.ts';
import { noLimits } from '../reads.ts';
import { end, startService, workFolder } from '../service.ts';

const rounds = 5;
const seconds = 3;
const connections = 50;
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
    const a = { url: `${recorded.url}${path}`, headers };
    const b = { url: `${unrecorded.url}${path}`, headers };
    const rows = [await throughput(a, b), ...(await addedAtRate(a, b, rate, bounds))];
    await recorded.stop();
    await unrecorded.stop();
    folder.remove();
    copy.remove();
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
    bound: 'at least 0.9x',
    kept: measured / baseline >= 0.9,
  };
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

async function startServer(
  folder: string,
  recording: 'recorded' | 'unrecorded',
): Promise<{ url: string; stop: () => Promise<void> }> {
  const file = fileURLToPath(new URL('audit-server.ts', import.meta.url));
  const child = fork(file, [folder, recording], { env: { ...process.env, ...noLimits } });
  const [url] = (await once(child, 'message')) as [string];
  return { url, stop: () => end(child) };
}
