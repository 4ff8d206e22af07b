import { Agent, get } from 'node:http';
import { cpus, release, totalmem } from 'node:os';

/** One line of the bench's table: a figure, what it is held against, their ratio and the bound it was promised to keep. */
export interface Row {
  readonly what: string;
  readonly measured: number;
  readonly baseline?: number;
  readonly unit: string;
  /** measured / baseline, both taken in this run. */
  readonly ratio?: number;
  /** What the ratio is held to. */
  readonly goal?: Goal;
  /** What `measured`, less `baseline` where there is one, is held to in its unit: of rows whose promise is no ratio. */
  readonly limit?: number;
  /** How far the ratios of the rounds lie apart, halved. */
  readonly noise?: number;
  /** The promise, as text, and whether this run kept it. */
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

/** A row of rounds that took turns with their baseline's, whose ratio may be held to a goal. */
export function against(
  what: string,
  unit: string,
  rounds: { readonly measured: readonly number[]; readonly baseline: readonly number[] },
  goal?: Goal,
): Row {
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

/** A row whose ratio is held to an upper bound. */
export function atMost(
  what: string,
  unit: string,
  measured: number,
  baseline: number,
  most: number,
): Row {
  const ratio = measured / baseline;
  return {
    what,
    unit,
    measured,
    baseline,
    ratio,
    goal: { most },
    bound: `at most ${most}x`,
    kept: ratio <= most,
  };
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
  return baseline === undefined
    ? { what, unit, measured, limit, bound: `at most ${limit} ${unit}`, kept }
    : { what, unit, measured, baseline, limit, bound: `at most ${limit} ${unit} added`, kept };
}

export interface Target {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Asks two targets in turn over one kept connection each, A B A B …, and gives the median milliseconds of both.
 * Taking turns makes the ratio hold while the machine's speed drifts. Any answer but 200 is an error.
 */
export async function inTurns(
  a: Target,
  b: Target,
  pairs: number,
): Promise<{ a: number; b: number }> {
  const agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })] as const;
  const times: { a: number[]; b: number[] } = { a: [], b: [] };
  const warmUp = Math.ceil(pairs / 10);
  for (let turn = -warmUp; turn < pairs; turn += 1) {
    const tookA = await timed(a, agents[0]);
    const tookB = await timed(b, agents[1]);
    if (turn >= 0) {
      times.a.push(tookA);
      times.b.push(tookB);
    }
  }
  for (const agent of agents) {
    agent.destroy();
  }
  return { a: median(times.a), b: median(times.b) };
}

function timed(target: Target, agent: Agent): Promise<number> {
  const start = process.hrtime.bigint();
  return new Promise((resolve, reject) => {
    get(target.url, { agent, headers: { ...target.headers } }, (response) => {
      response.on('data', () => undefined);
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) {
          resolve(Number(process.hrtime.bigint() - start) / 1e6);
        } else {
          reject(new Error(`the service answered ${String(response.statusCode)} during a bench`));
        }
      });
    }).on('error', reject);
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
