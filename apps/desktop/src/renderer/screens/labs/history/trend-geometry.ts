import type { ReferenceRange } from '../ranges/reference-range.ts';

/** Width and height of the drawing. */
export const trendBox = { width: 64, height: 20 } as const;

interface TrendShape {
  /** From left to right, whatever the language. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** The reference range; it reaches an edge where it has no bound on that side. */
  readonly band: { readonly top: number; readonly bottom: number } | undefined;
}

const margin = 3;

/** Where values stand in the box, the oldest first; the scale has all of them and the bounds of the range. */
export function trendShape(values: readonly number[], range: ReferenceRange): TrendShape {
  const bounds = boundsOf(range);
  const all = [...values, ...bounds.filter((bound) => bound !== undefined)];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const width = trendBox.width - 2 * margin;
  const height = trendBox.height - 2 * margin;
  const y = (value: number): number => margin + (1 - shareOf(value, least, most)) * height;
  const step = values.length > 1 ? width / (values.length - 1) : 0;
  const [min, max] = bounds;
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

/** A range whose bounds are reversed says nothing. */
function boundsOf(range: ReferenceRange): readonly [min?: number | undefined, max?: number] {
  switch (range.kind) {
    case 'none':
    case 'broken':
      return [];
    case 'between':
      return [range.min, range.max];
    case 'from':
      return [range.min];
    case 'upTo':
      return [undefined, range.max];
  }
}

/** 0 to 1; in the middle where all are the same. The width of the widest ranges is more than a number holds. */
function shareOf(value: number, least: number, most: number): number {
  if (least === most) return 0.5;
  const width = most - least;
  const share = Number.isFinite(width)
    ? (value - least) / width
    : (value / 2 - least / 2) / (most / 2 - least / 2);
  return Math.min(1, Math.max(0, share));
}
