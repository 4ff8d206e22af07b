import { Agent, get } from 'node:http';
import { cpus, release, totalmem } from 'node:os';

export interface Row {
  readonly what: string;
  readonly measured: number;
  readonly baseline?: number;
  readonly unit: string;
  /** measured / baseline, both taken in this run. */
  readonly ratio?: number;
  readonly goal?: Goal;
  /** What `measured`, less `baseline` where there is one, is held to in its unit: of rows whose promise is no ratio. */
  readonly limit?: number;
  /** How far the ratios of the rounds lie apart, halved. */
  readonly noise?: number;
  readonly bound?: string;
  readonly kept?: boolean;
}

export type Goal = { readonly most: number } | { readonly least: number };

export interface Section {
  readonly name: string;
  readonly title: string;
  /** Why it can't run on this machine; asked only where it wasn't named. */
  readonly leftOut?: () => Promise<string | undefined>;
  run(): Promise<readonly Row[]>;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = Math.min(sorted.length - 1, Math.floor(sorted.length * q));
  const value = sorted[at];
  if (value === undefined) {
    throw new Error('a quantile of no values');
  }
  return value;
}

/** The quantile of each round, and the median of those: one stall of the machine is not taken for the service's. */
export const typical = (rounds: readonly (readonly number[])[], q: number): number =>
  median(rounds.map((times) => quantile(times, q)));

interface Rounds {
  readonly measured: readonly number[];
  readonly baseline: readonly number[];
}

/** A B A B …, so that the ratio holds while the machine's speed drifts. */
export async function takeTurns(
  turns: number,
  measure: () => Promise<number>,
  ofBaseline: () => Promise<number>,
): Promise<Rounds> {
  const rounds = { measured: [] as number[], baseline: [] as number[] };
  for (let turn = 0; turn < turns; turn += 1) {
    rounds.measured.push(await measure());
    rounds.baseline.push(await ofBaseline());
  }
  return rounds;
}

export function against(what: string, unit: string, rounds: Rounds, goal?: Goal): Row {
  const [measured, baseline] = [median(rounds.measured), median(rounds.baseline)];
  const ratio = measured / baseline;
  const ratios = rounds.measured.map((one, round) => one / (rounds.baseline[round] ?? NaN));
  const noise = (Math.max(...ratios) - Math.min(...ratios)) / 2;
  const row = { what, unit, measured, baseline, ratio, noise };
  if (goal === undefined) {
    return row;
  }
  return 'most' in goal
    ? { ...row, goal, bound: `at most ${goal.most}x`, kept: ratio <= goal.most }
    : { ...row, goal, bound: `at least ${goal.least}x`, kept: ratio >= goal.least };
}

export function atMost(
  what: string,
  unit: string,
  measured: number,
  baseline: number,
  most: number,
): Row {
  return against(what, unit, { measured: [measured], baseline: [baseline] }, { most });
}

/** A row held to an upper bound in its own unit; with a baseline, what it adds to that. */
export function within(
  what: string,
  unit: string,
  limit: number,
  measured: number,
  baseline?: number,
): Row {
  const kept = measured - (baseline ?? 0) <= limit;
  const row = { what, unit, measured, limit, bound: `at most ${limit} ${unit}`, kept };
  return baseline === undefined ? row : { ...row, baseline, bound: `${row.bound} added` };
}

export interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export async function inTurns(
  a: Target,
  b: Target,
  pairs: number,
): Promise<{ a: number; b: number }> {
  const [ofA, ofB] = [a, b].map((target) => {
    const agent = new Agent({ keepAlive: true });
    const time = async (): Promise<number> => {
      const took = await timed(target, agent);
      if (took === undefined) {
        throw new Error('a request of a bench failed');
      }
      return took;
    };
    return { agent, time };
  }) as [Asked, Asked];
  await takeTurns(Math.ceil(pairs / 10), ofA.time, ofB.time);
  const { measured, baseline } = await takeTurns(pairs, ofA.time, ofB.time);
  ofA.agent.destroy();
  ofB.agent.destroy();
  return { a: median(measured), b: median(baseline) };
}

interface Asked {
  readonly agent: Agent;
  readonly time: () => Promise<number>;
}

/** Milliseconds; undefined where it failed. */
export function timed(target: Target, agent: Agent): Promise<number | undefined> {
  const start = performance.now();
  return new Promise((resolve) => {
    const failed = (): void => {
      resolve(undefined);
    };
    get(target.url, { agent, headers: { ...target.headers } }, (response) => {
      response.resume();
      response.on('error', failed);
      response.on('end', () => {
        resolve(response.statusCode === 200 ? performance.now() - start : undefined);
      });
    }).on('error', failed);
  });
}

export function machine(): string {
  const [cpu] = cpus();
  const gib = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} x ${cpu?.model ?? 'unknown processor'}, ${gib} GiB, Linux ${release()}, Node ${process.versions.node}`;
}

export function table(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.what,
    `${shown(row.measured)} ${row.unit}`,
    row.baseline === undefined ? '' : `${shown(row.baseline)} ${row.unit}`,
    row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}x`,
    row.bound ?? '',
    row.kept === undefined ? '' : row.kept ? 'kept' : 'MISSED',
  ]);
  const all = [['what', 'measured', 'baseline', 'ratio', 'promise', ''], ...lines];
  const widths = (all[0] ?? []).map((_, column) =>
    Math.max(...all.map((line) => (line[column] ?? '').length)),
  );
  const printed = all.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`,
  );
  printed.splice(1, 0, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`);
  return printed.join('\n');
}

function shown(value: number): string {
  if (value >= 1000) {
    return Math.round(value).toLocaleString('en');
  }
  return value >= 10 ? value.toFixed(1) : value.toFixed(3);
}

type Results = Readonly<Record<Section['name'], readonly Row[]>>;

/** With a goal, ratios past it by more than the noise of their rounds; without, rows that were not kept. */
export function misses(results: Results): string[] {
  return Object.entries(results).flatMap(([section, rows]) =>
    rows.filter(isMissed).map((row) => `${section}: ${missText(row)}`),
  );
}

function isMissed({ ratio, goal, noise = 0, kept }: Row): boolean {
  if (goal === undefined || ratio === undefined) {
    return kept === false;
  }
  // A ratio that is no number keeps no promise.
  return !('most' in goal ? ratio - noise <= goal.most : ratio + noise >= goal.least);
}

function missText({ what, ratio, bound = '', noise = 0 }: Row): string {
  const measured = ratio === undefined ? '' : ` ${ratio.toFixed(2)}x (noise ${noise.toFixed(2)}),`;
  return `${what}:${measured} ${bound}`;
}
