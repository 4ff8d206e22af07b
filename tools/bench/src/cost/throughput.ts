import autocannon from 'autocannon';
import { availableParallelism } from 'node:os';
import { against, type Row, type Target } from '../measure.ts';
import { keepTo } from '../postgres/load.ts';
import { connections, seconds, type Process } from './per-request.ts';

const rounds = 5;
const least = 0.33;

/** Requests a second with the server kept to one core and the load to the others, in turns with the baseline. */
export async function throughput(
  what: string,
  target: Target & Process,
  baseline: Target & Process,
): Promise<Row[]> {
  const last = availableParallelism() - 1;
  const isKept =
    last > 0 &&
    (await keepTo(target.pid, '0')) &&
    (await keepTo(baseline.pid, '0')) &&
    (await keepTo(process.pid, `1-${last}`));
  if (!isKept) {
    console.log('No throughput: there is one core, or no taskset.');
    return [];
  }
  try {
    const rates = { measured: [] as number[], baseline: [] as number[] };
    for (let round = -1; round < rounds; round += 1) {
      const [measured, empty] = [
        await requestsPerSecond(target),
        await requestsPerSecond(baseline),
      ];
      if (round >= 0) {
        rates.measured.push(measured);
        rates.baseline.push(empty);
      }
    }
    return [against(`${what}, requests a second`, '/s', rates, { least })];
  } finally {
    for (const pid of [target.pid, process.pid]) {
      await keepTo(pid, `0-${last}`);
    }
  }
}

async function requestsPerSecond({ url, headers }: Target): Promise<number> {
  const result = await autocannon({
    url,
    headers: { ...headers },
    connections,
    duration: seconds,
  });
  if (result.non2xx + result.errors > 0) {
    throw new Error(`${result.non2xx + result.errors} requests of a bench failed`);
  }
  return result.requests.average;
}
