import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { dayText } from '../../../components/dates.tsx';
import type { ReferenceRange } from '../ranges/reference-range.ts';
import type { DatedValue } from './earlier-values.ts';
import { trendBox, trendShape } from './trend-geometry.ts';
import styles from './history.module.css';

/** A sparkline of the values over the range, left to right in every language. */
export function Trend(props: {
  readonly values: readonly DatedValue[];
  readonly range: ReferenceRange;
}): ReactElement | null {
  const { values, range } = props;
  const intl = useIntl();
  if (values.length < 2) return null;
  const { points, band } = trendShape(
    values.map(({ value }) => value),
    range,
  );
  const last = points.at(-1);
  const said = values.map(({ date, written }) => `${dayText(intl, date) ?? date}: ${written}`);
  const { width, height } = trendBox;
  return (
    <svg
      role="img"
      aria-label={intl.formatList(said, { type: 'unit' })}
      viewBox={`0 0 ${String(width)} ${String(height)}`}
      className={styles['trend']}
    >
      {band !== undefined && (
        <rect x={0} y={band.top} width={width} height={Math.max(1, band.bottom - band.top)} />
      )}
      <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {last !== undefined && <circle cx={last.x} cy={last.y} r={2.5} />}
    </svg>
  );
}
