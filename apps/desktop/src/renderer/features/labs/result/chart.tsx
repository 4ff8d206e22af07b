import type { CSSProperties } from 'react';
import { useIntl } from 'react-intl';
import type { BiomarkerResult } from '@caregate/domain';
import { formatDate } from '../../../ui/values/dates.tsx';
import { formatRange, computeShare, type ReferenceRange } from '../results/reference-range.ts';
import { isFlagged, interpretResult } from '../results/result-reading.ts';
import { useText } from '../../../i18n/text.tsx';
import type { Point } from '../history/earlier-values.ts';
import styles from './chart.module.css';

/** A chart of values by date with the reference range. Time runs from left to right in every language. */
export function Chart(props: {
  readonly name: string;
  /** At least two points, oldest first. */
  readonly points: readonly Point[];
  readonly range: ReferenceRange;
  /** The result that is open. */
  readonly current: BiomarkerResult;
}) {
  const { name, points, range, current } = props;
  const text = useText();
  const intl = useIntl();
  const { points: places, band, ticks } = computeChartShape(points, range);
  const flagged = points.map(({ measured }) => isFlagged(interpretResult(measured)));
  const labeled = new Set([
    flagged.lastIndexOf(true),
    points.findIndex(({ measured }) => measured === current),
  ]);
  const [first, last] = [points[0]?.date ?? '', points.at(-1)?.date ?? ''];
  return (
    <figure
      className={`stack gap1 ${styles['chart'] ?? ''}`}
      role="img"
      aria-label={text('result.chart', {
        name,
        count: points.length,
        first: formatDate(intl, first),
        last: formatDate(intl, last),
        range: formatRange(range, text),
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
        {band !== undefined && (
          <span className={`meta ${styles['band'] ?? ''}`} style={toPositionStyle(0, band.top)}>
            {text('labs.range')} <bdi>{formatRange(range, text)}</bdi>
          </span>
        )}
        {ticks.map(({ value, y }) => (
          <span
            key={value}
            className={`quiet meta numbers ${styles['tick'] ?? ''}`}
            style={toPositionStyle(0, y)}
          >
            {String(value)}
          </span>
        ))}
        {points.map(({ measured, date }, index) => {
          const { x = 0, y = 0 } = places[index] ?? {};
          const { flag } = interpretResult(measured);
          return (
            <span
              key={index}
              className={styles['point']}
              style={toPositionStyle(x, y)}
              title={`${formatDate(intl, date)}: ${measured.result}`}
              data-flag={flag}
              data-current={measured === current || undefined}
              data-side={(x > 50 && 'start') || 'end'}
            >
              {labeled.has(index) && (
                <b className={flagged[index] === true ? 'flagged' : undefined}>
                  <bdi>
                    {flagged[index] === true
                      ? `${measured.result} ${text(`flag.${flag}`)} · ${formatDate(intl, date)}`
                      : measured.result}
                  </bdi>
                </b>
              )}
            </span>
          );
        })}
      </div>
      <p className="line between quiet meta">
        <bdi>{formatDate(intl, first)}</bdi>
        <bdi>{formatDate(intl, last)}</bdi>
      </p>
    </figure>
  );
}

function toPositionStyle(x: number, y: number): CSSProperties {
  return { '--x': `${String(x)}%`, '--y': `${String(y)}%` } as CSSProperties;
}

interface ChartShape {
  /** In percent of the chart's width and height; `y` starts at the top. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
  readonly band: { readonly top: number; readonly bottom: number } | undefined;
  readonly ticks: readonly { readonly value: number; readonly y: number }[];
}

/** Margins in percent. */
const margin = { x: 3, y: 8 } as const;

/** @param points at least two, in chronological order */
export function computeChartShape(
  points: readonly { readonly at: number; readonly value: number }[],
  range: ReferenceRange,
): ChartShape {
  const [min, max] = range.kind === 'broken' ? [] : [range.min, range.max];
  const bounds = [min, max].filter((bound) => bound !== undefined);
  const values = [...points.map(({ value }) => value), ...bounds];
  const ticks = computeTicks(Math.min(...values), Math.max(...values));
  const [least, most] = [Math.min(...values, ...ticks), Math.max(...values, ...ticks)];
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const y = (value: number): number => {
    const share = least === most ? 0.5 : computeShare(value, least, most);
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
    ticks: ticks.map((value) => ({ value, y: y(value) })),
  };
}

/** Returns up to seven round numbers that include both limits. If that isn't possible, returns only `least`. */
function computeTicks(least: number, most: number): number[] {
  const rough = (most - least) / 4;
  if (!Number.isFinite(rough) || rough <= 0) return [least];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((one) => one * power >= rough) ?? 10);
  const decimals = Math.max(0, -Math.floor(Math.log10(step)));
  const [start, end] = [Math.floor(least / step), Math.ceil(most / step)];
  const count = end - start + 1;
  const isUsable = count >= 2 && count <= 7 && decimals <= 100;
  if (!isUsable || ![start, end].every((at) => Number.isFinite(at * step))) return [least];
  return Array.from({ length: count }, (_, index) =>
    Number(((start + index) * step).toFixed(decimals)),
  );
}
