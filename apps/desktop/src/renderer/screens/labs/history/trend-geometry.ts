import { shareOf } from '../ranges/reference-range.ts';
import type { ReferenceRange } from '../ranges/reference-range.ts';

export const trendBox = { width: 64, height: 20 } as const;

interface TrendShape {
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Reaches the edge on a side without a bound. */
  readonly band: { readonly top: number; readonly bottom: number } | undefined;
}

const margin = 3;

/** Places values in the box, the oldest first, on a scale of all of them and the bounds of the range. */
export function trendShape(values: readonly number[], range: ReferenceRange): TrendShape {
  const [min, max] = range.kind === 'broken' ? [] : [range.min, range.max];
  const all = [...values, ...[min, max].filter((bound) => bound !== undefined)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const width = trendBox.width - 2 * margin;
  const height = trendBox.height - 2 * margin;
  const y = (value: number): number => {
    const share = least === most ? 0.5 : shareOf(value, least, most);
    return margin + (1 - Math.min(1, Math.max(0, share))) * height;
  };
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  return {
    points: values.map((value, place) => ({ x: margin + place * step, y: y(value) })),
    band:
      min === undefined && max === undefined
        ? undefined
        : {
            top: max === undefined ? 0 : y(max),
            bottom: min === undefined ? trendBox.height : y(min),
          },
  };
}
