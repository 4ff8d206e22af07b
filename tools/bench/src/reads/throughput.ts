import { availableParallelism } from 'node:os';
import { against, takeTurns, type Row } from '../measure.ts';
import { keepTo } from '../postgres/load.ts';
import { busy, type Measured } from './processor-time.ts';

const least = 0.4;
const connections = 50;
const milliseconds = 3000;

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
  const rate = (of: Measured): Promise<number> => {
    const until = performance.now() + milliseconds;
    return busy(of, connections, () => performance.now() < until);
  };
  try {
    const rates = await takeTurns(
      turns,
      () => rate(target),
      () => rate(baseline),
    );
    return [against(`${what}, requests a second`, '/s', rates, { least })];
  } finally {
    for (const pid of [...target.pids(), process.pid]) {
      await keepTo(pid, `0-${last}`);
    }
  }
}
