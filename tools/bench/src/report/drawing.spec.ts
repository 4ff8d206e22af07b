import { describe, expect, it } from '@jest/globals';
import { within, type Goal, type Row } from '../measure.ts';
import { misses } from './check.ts';
import { drawing } from './drawing.ts';

const row = (what: string, ratio: number, goal: Goal, kept: boolean): Row => ({
  ...{ what, unit: 'us', measured: ratio, baseline: 1, ratio, goal, kept, bound: 'promised' },
});

const results = {
  start: [{ what: 'a start', unit: 's', measured: 1 }],
  cost: [
    row('half of the most', 1, { most: 2 }, true),
    row('ten times the most', 20, { most: 2 }, false),
  ],
  reads: [row('half of the least', 0.25, { least: 0.5 }, false)],
};

describe('the drawing of a run', () => {
  const svg = drawing(results, 'a machine with <two> cores & more');
  const bars = [
    ...svg.matchAll(/<rect class="(kept|missed)" x="(\d+)" y="\d+" width="([\d.]+)"/gu),
  ];
  const goals = [...svg.matchAll(/<line class="goal" x1="([\d.]+)"/gu)];

  it('has a bar for each row with a goal, by section, and the goal of each section as a line', () => {
    expect(bars.map(([, kind]) => kind)).toEqual(['kept', 'missed', 'missed']);
    expect(goals).toHaveLength(2);
    expect(svg).not.toContain('a start');
    expect(svg.indexOf('>cost<')).toBeLessThan(svg.indexOf('>half of the most'));
    expect(svg.indexOf('>ten times the most')).toBeLessThan(svg.indexOf('>reads<'));
  });

  it('has bars as long as the part of the goal that was taken, past the line where it is missed', () => {
    const [half, cut, twice] = bars.map(([, , x, width]) => Number(x) + Number(width));
    const line = Number(goals[0]?.[1]);
    const from = Number(bars[0]?.[2]);
    expect(half).toBeCloseTo(from + (line - from) / 2, 1);
    expect(twice).toBeCloseTo(from + (line - from) * 2, 1);
    expect(cut).toBeGreaterThan(twice as number);
    expect(svg).toContain('20.00x …');
  });

  it('has a bar for what is held to a limit in its own unit, too', () => {
    const rows = [
      within('a slow second', 'ms', 50, 75),
      within('a gateway', 'ms', 1, 2.5, 2),
      { what: 'no promise', unit: 'ms', measured: 1 },
    ];
    const drawn = drawing({ stall: rows }, '');
    const [slow, added] = [...drawn.matchAll(/width="([\d.]+)" height="16"/gu)].map(([, width]) =>
      Number(width),
    );
    const [, line] = /<line class="goal" x1="([\d.]+)"/u.exec(drawn) ?? [];
    const unit = Number(line) - 600;
    expect(slow).toBeCloseTo(1.5 * unit, 0);
    expect(added).toBeCloseTo(0.5 * unit, 0);
    expect(drawn).toContain('>75 ms<');
    expect(drawn).toContain('>0.50 ms<');
    expect(misses({ stall: rows })).toEqual(['stall: a slow second: at most 50 ms']);
    expect(drawn).not.toContain('no promise');
  });

  it('cuts what would not fit beside a bar, and leaves of what it is and the promise', () => {
    const long = drawing({ cost: [row(`a read ${'x'.repeat(200)}`, 1, { most: 2 }, true)] }, '');
    const [, label = ''] = /<text class="what"[^>]*>([^<]*)</u.exec(long) ?? [];
    expect(label.length).toBeLessThanOrEqual(84);
    expect(label).toMatch(/^a read x+ … x+, promised$/u);
  });

  it('is XML whatever the machine is called, and of the same results the same', () => {
    expect(svg).toContain('a machine with &lt;two&gt; cores &amp; more');
    expect(svg.match(/<text/gu)).toHaveLength(svg.match(/<\/text>/gu)?.length ?? 0);
    expect(drawing(results, 'a machine with <two> cores & more')).toBe(svg);
  });
});
