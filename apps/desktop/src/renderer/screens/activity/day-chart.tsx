import { useEffect, useId, useRef, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Days } from '../../state/sessions/use-sessions.ts';
import styles from './day-chart.module.css';

export function Swatch({ look }: { readonly look: number }): ReactElement {
  return <span aria-hidden="true" className={styles['swatch']} data-look={look % LOOKS} />;
}

interface Drawn {
  readonly group: string;
  readonly locale: string;
  readonly unit: string;
  readonly look: number;
  readonly gapWord: string;
}

/** Charts of one `group` share an axis. */
export function DayChart(
  props: Drawn & {
    readonly days: readonly string[];
    readonly values: readonly number[];
    readonly range: readonly [first: string, last: string];
    readonly label: string;
    readonly gaps: readonly Days[];
    readonly say: (place: number) => string;
  },
): ReactElement {
  const { days, values, range, group, label, locale, unit, look, gaps, gapWord, say } = props;
  const readoutId = useId();
  const [at, setAt] = useState<number>();
  const place = useRef<HTMLDivElement>(null);
  const drawn = useRef<uPlot>(undefined);
  const shownGaps = useRef(gaps);
  useEffect(() => {
    shownGaps.current = gaps;
  });
  const [first, last] = range;
  useEffect(() => {
    const parent = place.current;
    if (parent === null) return undefined;
    const onPlace = (place: number | null | undefined): void => {
      setAt(place ?? undefined);
    };
    const about = {
      ...{ first, last, group, locale, unit, look, onPlace },
      gaps: () => shownGaps.current,
      gapWord,
    };
    const chart = new uPlot(optionsOf(parent, about), [[], []], parent);
    drawn.current = chart;
    const sizes = new ResizeObserver(() => {
      chart.setSize({ width: parent.clientWidth, height });
    });
    sizes.observe(parent);
    return () => {
      sizes.disconnect();
      chart.destroy();
      drawn.current = undefined;
    };
  }, [first, last, group, locale, unit, look, gapWord]);
  useEffect(() => {
    drawn.current?.setData([days.map(secondsOf), [...values]]);
  }, [days, values, first, last, group, locale, unit, look, gapWord]);
  const shown = at !== undefined && at < days.length ? at : undefined;
  const onKeyDown = (event: KeyboardEvent): void => {
    const end = days.length - 1;
    // Time runs from left to right in every language.
    const wanted = {
      ArrowRight: shown === undefined ? 0 : shown + 1,
      ArrowLeft: shown === undefined ? end : shown - 1,
      Home: 0,
      End: end,
    }[event.key];
    const chart = drawn.current;
    if (wanted === undefined || chart === undefined || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const next = Math.min(end, Math.max(0, wanted));
    chart.setCursor({ left: chart.valToPos(secondsOf(days[next] ?? ''), 'x'), top: 0 });
    setAt(next);
  };
  return (
    <div className="stack one">
      <div
        ref={place}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, days.length - 1)}
        aria-valuenow={shown ?? 0}
        aria-valuetext={say(shown ?? 0)}
        aria-describedby={readoutId}
        onKeyDown={onKeyDown}
        className={styles['chart']}
      />
      <p id={readoutId} className={`row13 medium ${styles['readout'] ?? ''}`}>
        {shown === undefined ? ' ' : say(shown)}
      </p>
    </div>
  );
}

const LOOKS = 3;
const height = 170;
const beyond = 40;
/** In UTC each day is as wide as the next. */
function secondsOf(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 1000;
}

function optionsOf(
  parent: HTMLElement,
  about: Drawn &
    Days & {
      readonly gaps: () => readonly Days[];
      readonly onPlace: (place: number | null | undefined) => void;
    },
): uPlot.Options {
  const { color, outlineColor, borderColor, fontFamily } = getComputedStyle(parent);
  const { first, last, group, locale, unit, look, gaps, gapWord, onPlace } = about;
  const fill = fillOf(outlineColor, look);
  const format = new Intl.DateTimeFormat(locale, {
    timeZone: 'UTC',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
  });
  const isOneYear = first.slice(0, 4) === last.slice(0, 4);
  const written = (at: number): string => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, value]),
    );
    const { day: date = '', month = '', year = '' } = parts;
    return isOneYear ? `${date} ${month}` : `${date} ${month} ${year}`;
  };
  const numbers = new Intl.NumberFormat(locale);
  const axis: uPlot.Axis = {
    stroke: color,
    font: `12px ${fontFamily}`,
    grid: { stroke: borderColor, width: 1 },
    ticks: { stroke: borderColor, width: 1 },
  };
  return {
    width: parent.clientWidth,
    height,
    padding: [8, beyond, 0, 0],
    legend: { show: false },
    hooks: {
      drawAxes: [
        gapsBehind(gaps, gapWord, { tint: borderColor, color, font: `12px ${fontFamily}` }),
      ],
      drawSeries: [columnsIn(fill)],
      setCursor: [
        ({ cursor }) => {
          onPlace(cursor.idx);
        },
      ],
    },
    cursor: { sync: { key: group }, drag: { x: true, y: false } },
    scales: {
      // Half a day at both ends, for whole columns.
      x: { time: true, range: zoomable(secondsOf(first) - day / 2, secondsOf(last) + day / 2) },
      y: { range: (_chart, _least, most) => [0, Math.max(1, most) * 1.05] },
    },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    axes: [
      {
        ...axis,
        space: 90,
        size: 32,
        // Isolated, or right-to-left languages put the day after the month.
        values: (_chart, splits) => splits.map((at) => `\u2068${written(at * 1000)}\u2069`),
      },
      {
        ...axis,
        size: 72,
        values: (_chart, splits) =>
          splits.map((value) => `\u2068${numbers.format(value)}\u2069 ${unit}`),
      },
    ],
    series: [
      {},
      {
        stroke: outlineColor,
        fill: () => fill,
        width: 1,
        points: { show: false },
        paths: bars,
      },
    ],
  };
}

function zoomable(first: number, last: number): uPlot.Range.Function {
  return (chart, least, most) => {
    const all = chart.data[0];
    // Unzoomed, uPlot passes the first and last day with data, or null.
    const isZoom =
      Number.isFinite(least) &&
      Number.isFinite(most) &&
      (least !== all[0] || most !== all.at(-1)) &&
      least > first &&
      most < last;
    return isZoom ? [least, most] : [first, last];
  };
}

const day = 86_400;
const barsOf = uPlot.paths.bars?.({ size: [0.8, 40] });
/** Narrower days have no gaps: they would be thinner than a pixel. */
const minDayPixels = 4;

/** Bars while there is room; else `columnsIn` draws. */
const bars: uPlot.Series.PathBuilder = (chart, series, from, to) =>
  pixelsOfDay(chart) < minDayPixels ? null : (barsOf?.(chart, series, from, to) ?? null);

/** Fills each pixel to its highest day: one path of a thousand columns takes thirty times as long. */
function columnsIn(color: string | CanvasPattern): (chart: uPlot, series: number) => void {
  return (chart, series) => {
    const width = pixelsOfDay(chart);
    if (width >= minDayPixels) return;
    const { ctx } = chart;
    const bottom = Math.round(chart.valToPos(0, 'y', true));
    const plot = chart.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(plot.left, plot.top, plot.width, plot.height);
    ctx.clip();
    ctx.fillStyle = color;
    for (const [pixel, value] of highestByPixel(chart, series)) {
      const top = Math.round(chart.valToPos(value, 'y', true));
      ctx.fillRect(pixel, top, Math.ceil(width), bottom - top);
    }
    ctx.restore();
  };
}

/** Solid, striped, dotted, and again: two sources are told apart without colour. */
function fillOf(color: string, look: number): string | CanvasPattern {
  const kind = look % LOOKS;
  const tile = document.createElement('canvas').getContext('2d');
  if (kind === 0 || tile === null) return color;
  tile.canvas.width = 6;
  tile.canvas.height = 6;
  tile.fillStyle = color;
  for (let at = 0; at < 6; at += 1) {
    if (kind === 1) tile.fillRect(at, 5 - at, 2, 1);
    else if (at % 3 === 0) tile.fillRect(at, at, 2, 2);
  }
  return tile.createPattern(tile.canvas, 'repeat') ?? color;
}

function gapsBehind(
  gaps: () => readonly Days[],
  word: string,
  { tint, color, font }: { readonly tint: string; readonly color: string; readonly font: string },
): (chart: uPlot) => void {
  return (chart) => {
    const { ctx, bbox } = chart;
    const end = bbox.left + bbox.width;
    const inPlot = (seconds: number): number =>
      Math.min(end, Math.max(bbox.left, chart.valToPos(seconds, 'x', true)));
    ctx.save();
    for (const gap of gaps()) {
      const from = inPlot(secondsOf(gap.first) - day / 2);
      const width = inPlot(secondsOf(gap.last) + day / 2) - from;
      ctx.globalAlpha = 0.45;
      ctx.fillStyle = tint;
      ctx.fillRect(from, bbox.top, width, bbox.height);
      ctx.globalAlpha = 1;
      ctx.font = font;
      ctx.fillStyle = color;
      ctx.textAlign = 'center';
      if (ctx.measureText(word).width + 16 < width) {
        ctx.fillText(word, from + width / 2, bbox.top + bbox.height / 2);
      }
    }
    ctx.restore();
  };
}

function pixelsOfDay(chart: uPlot): number {
  return pixelsOfSecond(chart) * day;
}

function pixelsOfSecond(chart: uPlot): number {
  const { min = 0, max = 1 } = chart.scales['x'] ?? {};
  return chart.bbox.width / (max - min);
}

function highestByPixel(chart: uPlot, series: number): ReadonlyMap<number, number> {
  const [seconds] = chart.data;
  const values = chart.data[series] ?? [];
  const [from, to] = chart.series[series]?.idxs ?? [0, -1];
  const { min = 0 } = chart.scales['x'] ?? {};
  const perSecond = pixelsOfSecond(chart);
  // A second marks the middle of its day.
  const start = chart.bbox.left - (perSecond * day) / 2;
  const highest = new Map<number, number>();
  for (let at = from; at <= to; at += 1) {
    const pixel = Math.floor(start + ((seconds[at] ?? min) - min) * perSecond);
    highest.set(pixel, Math.max(highest.get(pixel) ?? 0, values[at] ?? 0));
  }
  return highest;
}
