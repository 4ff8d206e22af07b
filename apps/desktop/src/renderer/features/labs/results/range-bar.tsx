import type { CSSProperties } from 'react';
import { useText } from '../../../i18n/text.tsx';
import { formatRange, scale, computeShare, type ReferenceRange } from './reference-range.ts';
import styles from './range-bar.module.css';

/**
 * Shows where a value is in its reference range. It is a single styled element, since 500 SVGs take 1.5 times as long
 * to render.
 */
export function RangeBar(props: {
  readonly value: number | undefined;
  readonly range: ReferenceRange;
}) {
  const shape = computeRangeBar(props.value, props.range);
  if (shape === undefined) return null;
  const { from, to, marker } = shape;
  const places = { '--from': `${from}%`, '--to': `${to}%`, '--at': `${marker}%` };
  return (
    <span
      aria-hidden="true"
      className={styles['bar']}
      style={places as CSSProperties}
      data-outside={(marker < from && 'below') || (marker > to && 'above') || undefined}
    />
  );
}

export function RangeWords({ range }: { range: ReferenceRange }) {
  const text = useText();
  return <bdi className="quiet">{formatRange(range, text)}</bdi>;
}

/** In percent of the bar. A range that starts at 0 or ends at 100 is open on that side. */
interface RangeBarShape {
  readonly from: number;
  readonly to: number;
  readonly marker: number;
}

const bandStart = 20;
const bandEnd = 80;
const edge = 5;

export function computeRangeBar(
  value: number | undefined,
  { min, max, kind }: ReferenceRange,
): RangeBarShape | undefined {
  if (value === undefined || kind === 'broken') return undefined;
  if (min !== undefined && max !== undefined) {
    const isOnly = min === max && value === min;
    const share = isOnly ? 0.5 : computeShare(value, min, max);
    return createRangeBar(bandStart + share * (bandEnd - bandStart), bandStart, bandEnd);
  }
  if (min !== undefined) {
    return createRangeBar(bandStart + ((value - min) / scale(min)) * 50, bandStart, 100);
  }
  if (max !== undefined) {
    return createRangeBar(bandEnd + ((value - max) / scale(max)) * 50, 0, bandEnd);
  }
  return undefined;
}

function createRangeBar(place: number, from: number, to: number): RangeBarShape {
  return { from, to, marker: Math.min(100 - edge, Math.max(edge, place)) };
}
