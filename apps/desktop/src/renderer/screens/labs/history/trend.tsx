import type { ReactElement } from 'react';
import { useIntl } from 'react-intl';
import { dayText } from '../../../components/values/dates.tsx';
import { shareOf } from '../../../components/results/reference-range.ts';
import type { ReferenceRange } from '../../../components/results/reference-range.ts';
import type { DatedValue } from './earlier-values.ts';
import styles from './history.module.css';

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
  const said = values.map(({ date, written }) => `${dayText(intl, date)}: ${written}`);
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

export const trendBox = { width: 64, height: 20 } as const;

interface TrendShape {
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly band: { readonly top: number; readonly bottom: number } | undefined;
}

const margin = 3;

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
