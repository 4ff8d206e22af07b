import { shareOf } from '../results/reference-range.ts';
import type { ReferenceRange } from '../results/reference-range.ts';

interface ChartShape {
  /** In percent of the width and of the height, from the top. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly band: { readonly top: number; readonly bottom: number } | undefined;
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

/** Room for the marks, in percent. */
const margin = { x: 3, y: 8 } as const;

/** @param points at least two, in the order of time */
export function chartShape(
  points: readonly { readonly at: number; readonly value: number }[],
  range: ReferenceRange,
): ChartShape {
  const [min, max] = range.kind === 'broken' ? [] : [range.min, range.max];
  const bounds = [min, max].filter((bound) => bound !== undefined);
  const values = [...points.map(({ value }) => value), ...bounds];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const y = (value: number): number => {
    const share = least === most ? 0.5 : shareOf(value, least, most);
    return margin.y + (1 - Math.min(1, Math.max(0, share))) * (100 - 2 * margin.y);
  };
  const x = (at: number): number =>
    margin.x + (first === last ? 0.5 : (at - first) / (last - first)) * (100 - 2 * margin.x);
  return {
    points: points.map(({ at, value }) => ({ x: x(at), y: y(value) })),
    band:
      bounds.length === 0
        ? undefined
        : {
            top: max === undefined ? 0 : y(max),
            bottom: min === undefined ? 100 : y(min),
          },
    ticks: ticksBetween(least, most).map((value) => ({ value, y: y(value) })),
  };
}

/** Round numbers from least to most, five at most; none where a number can't tell them apart. */
function ticksBetween(least: number, most: number): number[] {
  const rough = (most - least) / 4;
  if (!Number.isFinite(rough) || rough <= 0) return [least];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  const start = Math.ceil(least / step);
  const count = Math.floor(most / step) - start + 1;
  if (!(count >= 1 && count <= 6) || decimals > 100) return [least];
  return Array.from({ length: count }, (_, index) =>
    Number(((start + index) * step).toFixed(decimals)),
  );
}
