import type { BiomarkerResult } from '@caregate/domain';

type Bounds = Pick<BiomarkerResult, 'min_range_value' | 'max_range_value'>;

/** A reference range as the laboratory gave it. `broken`: its lower bound is above its upper one. */
export type ReferenceRange =
  | { readonly kind: 'none' }
  | { readonly kind: 'between' | 'broken'; readonly min: number; readonly max: number }
  | { readonly kind: 'from'; readonly min: number }
  | { readonly kind: 'upTo'; readonly max: number };

export function rangeOf(result: Bounds): ReferenceRange {
  const min = finite(result.min_range_value);
  const max = finite(result.max_range_value);
  if (min !== undefined && max !== undefined) {
    return { kind: min > max ? 'broken' : 'between', min, max };
  }
  if (min !== undefined) return { kind: 'from', min };
  return max === undefined ? { kind: 'none' } : { kind: 'upTo', max };
}

export type Side = 'below' | 'inside' | 'above';

/** Where a value lies; the bounds themselves are inside. Undefined where that can't be told. */
export function sideOf(value: number | undefined, range: ReferenceRange): Side | undefined {
  if (value === undefined) return undefined;
  switch (range.kind) {
    case 'none':
    case 'broken':
      return undefined;
    case 'between':
      if (value < range.min) return 'below';
      return value > range.max ? 'above' : 'inside';
    case 'from':
      return value < range.min ? 'below' : 'inside';
    case 'upTo':
      return value > range.max ? 'above' : 'inside';
  }
}

/** How far outside a value is, in widths of the range, or of its one bound: only to sort by. 0 inside. */
export function distanceOutside(value: number, range: ReferenceRange): number {
  switch (range.kind) {
    case 'none':
    case 'broken':
      return 0;
    case 'between':
      return Math.max(0, range.min - value, value - range.max) / scale(range.max - range.min);
    case 'from':
      return Math.max(0, range.min - value) / scale(range.min);
    case 'upTo':
      return Math.max(0, value - range.max) / scale(range.max);
  }
}

/** A width to measure by: where there is none, one unit. */
export function scale(width: number): number {
  return width === 0 || !Number.isFinite(width) ? 1 : Math.abs(width);
}

/** A number that can be compared; a result without one has none. */
export function finite(value: number | null | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
