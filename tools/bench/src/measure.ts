import { cpus, release, totalmem } from 'node:os';

export const rounds = Number(process.env['BENCH_ROUNDS'] ?? 7);
/** As many again come first: V8 compiles meanwhile, and ratios turn around. */
export const answers = Number(process.env['BENCH_ANSWERS'] ?? 20_000);

export interface Row {
  readonly what: string;
  readonly unit: string;
  readonly measured: number;
  readonly baseline?: number;
  /** `measured / baseline`, both taken in this run. */
  readonly ratio?: number;
  /** Half the range of the rounds' ratios. */
  readonly noise?: number;
  readonly goal?: Goal;
}

/** The most that the ratio, the measured value, or what is added to the baseline may be. */
export type Goal =
  | { readonly ratio: number }
  | { readonly value: number }
  | { readonly added: number };

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}

/** Measures in turns, so that ratios hold while the machine's speed drifts. The order turns around with each round. */
export async function measureInTurns(
  measurements: readonly (() => Promise<number>)[],
): Promise<number[][]> {
  const values = measurements.map((measure) => ({ measure, measured: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { measure, measured } of round % 2 === 0 ? values : values.toReversed()) {
      measured.push(await measure());
    }
  }
  return values.map(({ measured }) => measured);
}

export async function compareInTurns(
  what: string,
  unit: string,
  measurements: readonly [() => Promise<number>, () => Promise<number>],
  goal?: Goal,
): Promise<Row> {
  const [measured = [], baseline = []] = await measureInTurns(measurements);
  return compare(what, unit, [measured, baseline], goal);
}

export function compare(
  what: string,
  unit: string,
  [measured, baseline]: readonly [readonly number[], readonly number[]],
  goal?: Goal,
): Row {
  const ratios = measured.map((value, round) => value / (baseline[round] ?? NaN));
  const medians = { measured: median(measured), baseline: median(baseline) };
  return {
    ...{ what, unit, ...medians, ratio: medians.measured / medians.baseline },
    noise: (Math.max(...ratios) - Math.min(...ratios)) / 2,
    ...(goal && { goal }),
  };
}

/** A ratio misses its goal by more than the noise of its rounds. */
function isMissed({ goal, measured, baseline = 0, ratio = NaN, noise = 0 }: Row): boolean {
  if (goal === undefined) return false;
  // Written so that NaN misses its goal.
  if ('ratio' in goal) return !(ratio - noise <= goal.ratio);
  return !('added' in goal ? measured - baseline <= goal.added : measured <= goal.value);
}

function formatGoal({ goal, unit }: Row): string {
  if (goal === undefined) return '';
  if ('ratio' in goal) return `at most ${goal.ratio}x`;
  return 'added' in goal ? `at most ${goal.added} ${unit} added` : `at most ${goal.value} ${unit}`;
}

/** The first two lines of a Markdown table of {@link formatRow}s. */
export const head = `| what | measured | baseline | ratio | goal | |\n| ${Array(6).fill('-').join(' | ')} |`;

export function formatRow(row: Row): string {
  const cells = [
    row.what,
    `${format(row.measured)} ${row.unit}`,
    row.baseline === undefined ? '' : `${format(row.baseline)} ${row.unit}`,
    row.ratio === undefined ? '' : `${row.ratio.toFixed(2)}x`,
    formatGoal(row),
    isMissed(row) ? 'MISSED' : '',
  ];
  return `| ${cells.join(' | ')} |`;
}

const format = (value: number): string =>
  value >= 1000 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

export function describeMachine(): string {
  const processor = cpus()[0]?.model ?? 'unknown processor';
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} x ${processor}, ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`;
}
