import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { timed, typical, within, type Row, type Target } from './measure.ts';

const rounds = 5;
const warmUpRounds = 2;

export interface Rate {
  readonly perSecond: number;
  readonly seconds: number;
  readonly connections: number;
}

/** In turns A B A B …; each bound is the milliseconds that `a` may add at most. @throws Error for an answer that fails */
export async function addedAtRate(
  a: Target,
  b: Target,
  rate: Rate,
  bounds: readonly (readonly [quantile: number, mostMs: number])[],
): Promise<Row[]> {
  const times: { a: number[][]; b: number[][] } = { a: [], b: [] };
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const ofA = await atRate(a, rate);
    const ofB = await atRate(b, rate);
    if (ofA.failed + ofB.failed > 0) {
      throw new Error(`${ofA.failed + ofB.failed} requests of a bench failed`);
    }
    if (round >= 0) {
      times.a.push(ofA.times);
      times.b.push(ofB.times);
    }
  }
  return bounds.map(([q, most]) => {
    const [measured, baseline] = [typical(times.a, q), typical(times.b, q)];
    const what = `the same at ${rate.perSecond} requests a second, p${q * 100} (median of ${rounds} rounds)`;
    return within(what, 'ms', most, measured, baseline);
  });
}

const opening = 1;

/** Milliseconds. No request waits for another. The first second isn't counted: it opens the connections, which took longest. */
export async function atRate(
  target: Target,
  { perSecond, seconds, connections }: Rate,
): Promise<{ times: number[]; failed: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const took: Promise<number | undefined>[] = [];
  const began = performance.now();
  const wanted = perSecond * (opening + seconds);
  while (took.length < wanted) {
    const due = Math.min(wanted, Math.floor(((performance.now() - began) * perSecond) / 1000));
    while (took.length < due) {
      took.push(timed(target, agent));
    }
    // Not a busy loop: that would take a core from what is measured.
    await wait(1);
  }
  const all = await Promise.all(took);
  agent.destroy();
  const failed = all.filter((each) => each === undefined).length;
  const times = all.slice(perSecond * opening).filter((each) => each !== undefined);
  return { times, failed };
}
