import { scale } from './reference-range.ts';
import type { ReferenceRange } from './reference-range.ts';

/** Where things are on a bar that is 100 wide. */
interface RangeBarShape {
  /** The range; an end at 0 or 100 is open. */
  readonly from: number;
  readonly to: number;
  readonly openStart: boolean;
  readonly openEnd: boolean;
  readonly marker: number;
  /** The value lies beyond what the bar shows, on this side. */
  readonly broken: 'start' | 'end' | undefined;
}

const bandStart = 25;
const bandEnd = 75;
const edge = 4;

/** The bar of a value in its range; undefined where there is nothing to draw it by. */
export function rangeBarShape(
  value: number | undefined,
  range: ReferenceRange,
): RangeBarShape | undefined {
  if (value === undefined) return undefined;
  switch (range.kind) {
    case 'none':
    case 'broken':
      return undefined;
    case 'between': {
      const { min, max } = range;
      const place = bandStart + shareOf(value, min, max) * (bandEnd - bandStart);
      return shape(min === max && value === min ? 50 : place, bandStart, bandEnd);
    }
    case 'from':
      return shape(bandStart + ((value - range.min) / scale(range.min)) * 50, bandStart, 100);
    case 'upTo':
      return shape(bandEnd + ((value - range.max) / scale(range.max)) * 50, 0, bandEnd);
  }
}

/** How far from min to max a value is: 0 to 1 within. The width of the widest ranges is more than a number holds. */
function shareOf(value: number, min: number, max: number): number {
  const width = max - min;
  return Number.isFinite(width)
    ? (value - min) / scale(width)
    : (value / 2 - min / 2) / (max / 2 - min / 2);
}

function shape(place: number, from: number, to: number): RangeBarShape {
  const marker = Math.min(100 - edge, Math.max(edge, place));
  const beyond = place > marker ? 'end' : 'start';
  return {
    from,
    to,
    openStart: from === 0,
    openEnd: to === 100,
    marker,
    broken: place === marker ? undefined : beyond,
  };
}
