import type { CSSProperties, ReactElement } from 'react';
import { useIntl } from 'react-intl';
import type { BiomarkerResult } from '@caregate/domain';
import { dayText } from '../../../ui/values/dates.tsx';
import { rangeText } from '../results/reference-range.ts';
import type { ReferenceRange } from '../results/reference-range.ts';
import { isFlagged, readingOf } from '../results/result-reading.ts';
import { useText } from '../../../i18n/text.tsx';
import type { Point } from '../history/earlier-values.ts';
import { chartShape } from './chart-shape.ts';
import styles from './chart.module.css';

/** Values by their days, in the reference range; time goes from left to right in every language. */
export function Chart(props: {
  readonly name: string;
  /** At least two, oldest first. */
  readonly points: readonly Point[];
  readonly range: ReferenceRange;
  /** The result that is opened. */
  readonly current: BiomarkerResult;
}): ReactElement {
  const { name, points, range, current } = props;
  const text = useText();
  const intl = useIntl();
  const { points: places, band, ticks } = chartShape(points, range);
  const flagged = points.map(({ measured }) => isFlagged(readingOf(measured)));
  const labeled = new Set([
    flagged.lastIndexOf(true),
    points.findIndex(({ measured }) => measured === current),
  ]);
  const [first, last] = [points[0]?.date ?? '', points.at(-1)?.date ?? ''];
  return (
    <figure
      className={styles['chart']}
      role="img"
      aria-label={text('result.chart', {
        name,
        count: points.length,
        first: dayText(intl, first),
        last: dayText(intl, last),
        range: rangeText(range, text),
      })}
    >
      <div className={styles['area']}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {band !== undefined && (
            <rect x={0} y={band.top} width={100} height={Math.max(0.5, band.bottom - band.top)} />
          )}
          {ticks.map(({ value, y }) => (
            <path key={value} d={`M0 ${String(y)}H100`} />
          ))}
          <polyline points={places.map(({ x, y }) => `${String(x)},${String(y)}`).join(' ')} />
        </svg>
        {ticks.map(({ value, y }) => (
          <span key={value} className={styles['tick']} style={at(0, y)}>
            {String(value)}
          </span>
        ))}
        {points.map(({ measured, date }, index) => {
          const { x = 0, y = 0 } = places[index] ?? {};
          return (
            <span
              key={index}
              className={styles['point']}
              style={at(x, y)}
              title={`${dayText(intl, date)}: ${measured.result}`}
              data-flag={readingOf(measured).flag}
              data-current={measured === current || undefined}
              data-side={(x > 50 && 'start') || 'end'}
            >
              {labeled.has(index) && (
                <b className={flagged[index] === true ? 'flagged' : undefined}>{measured.result}</b>
              )}
            </span>
          );
        })}
      </div>
      <p className={`quiet meta ${styles['days'] ?? ''}`}>
        <bdi>{dayText(intl, first)}</bdi>
        <bdi>{dayText(intl, last)}</bdi>
      </p>
    </figure>
  );
}

function at(x: number, y: number): CSSProperties {
  return { '--x': `${String(x)}%`, '--y': `${String(y)}%` } as CSSProperties;
}
