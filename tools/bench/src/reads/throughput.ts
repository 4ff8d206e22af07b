import autocannon from 'autocannon';
import { availableParallelism } from 'node:os';
import { against, type Row, type Target } from '../measure.ts';
import { keepTo } from '../postgres/load.ts';
import type { Measured } from './processor-time.ts';

const least = 0.4;
const load = { connections: 50, duration: 3 };

/** Requests a second with the server on one core and the load on the others, in turns with the baseline. */
export async function throughput(
  what: string,
  target: Measured,
  baseline: Measured,
  turns: number,
): Promise<Row[]> {
  const last = availableParallelism() - 1;
  const servers = [...target.pids(), ...baseline.pids()];
  const isPinned =
    last > 0 &&
    (await Promise.all(servers.map((pid) => keepTo(pid, '0')))).every(Boolean) &&
    (await keepTo(process.pid, `1-${last}`));
  if (!isPinned) {
    console.log('No throughput: there is one core, or no taskset.');
    return [];
  }
  try {
    const rates = { measured: [] as number[], baseline: [] as number[] };
    for (let turn = 0; turn < turns; turn += 1) {
      rates.measured.push(await requestsPerSecond(target));
      rates.baseline.push(await requestsPerSecond(baseline));
    }
    return [against(`${what}, requests a second`, '/s', rates, { least })];
  } finally {
    for (const pid of [...target.pids(), process.pid]) {
      await keepTo(pid, `0-${last}`);
    }
  }
}

async function requestsPerSecond({ url, headers }: Target): Promise<number> {
  const result = await autocannon({ url, headers: { ...headers }, ...load });
  if (result.non2xx + result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests of a bench failed`);
  }
  return result.requests.average;
}
