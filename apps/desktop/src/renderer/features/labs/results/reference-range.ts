import { readReferenceRange, type BiomarkerResult } from '@caregate/domain';
import type { Text } from '../../../i18n/text.tsx';

/** `broken` means that the lower bound is above the upper one. */
export interface ReferenceRange {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** The range as the laboratory wrote it. */
  readonly written?: string | undefined;
  readonly kind: 'none' | 'from' | 'upTo' | 'between' | 'broken';
}

export function readRange(
  result: Pick<BiomarkerResult, 'min_range_value' | 'max_range_value'>,
): ReferenceRange {
  const written = readReferenceRange(result);
  const min = toFinite(result.min_range_value);
  const max = toFinite(result.max_range_value);
  if (min === undefined) return { min, max, written, kind: max === undefined ? 'none' : 'upTo' };
  if (max === undefined) return { min, max, written, kind: 'from' };
  return { min, max, written, kind: min > max ? 'broken' : 'between' };
}

/** Returns the laboratory's own text, or otherwise the bounds. Numbers have the same digits in every language. */
export function formatRange({ kind, min, max, written }: ReferenceRange, text: Text): string {
  if (kind === 'none') return written ?? text('flag.noRange');
  return written ?? text(`range.${kind}`, { min: String(min), max: String(max) });
}

export type Side = 'below' | 'inside' | 'above';

export function findSide(value: number | undefined, range: ReferenceRange): Side | undefined {
  const { min = -Infinity, max = Infinity, kind } = range;
  if (value === undefined || kind === 'none' || kind === 'broken') return undefined;
  if (value < min) return 'below';
  return value > max ? 'above' : 'inside';
}

export function scale(width: number): number {
  return width === 0 || !Number.isFinite(width) ? 1 : Math.abs(width);
}

/** Returns the position of a value between `min` (0) and `max` (1), even if their difference overflows. */
export function computeShare(value: number, min: number, max: number): number {
  const width = max - min;
  return Number.isFinite(width)
    ? (value - min) / scale(width)
    : (value / 2 - min / 2) / (max / 2 - min / 2);
}

function toFinite(value: number | null | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
