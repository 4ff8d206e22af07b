import { describe, expect, it } from '@jest/globals';
import { FOCUS_KINDS, ModelPage } from './model-page.testing.ts';
import type { FocusKind } from './model-page.testing.ts';

/** Returns the same numbers from 0 to 1 in every run (Mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const symbols = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-./ ';

function helpersOf(random: () => number): {
  between: (min: number, max: number) => number;
  oneOf: <T>(all: ArrayLike<T>) => T;
  code: (min: number, max: number) => string;
} {
  const between = (min: number, max: number): number => min + random() * (max - min);
  const oneOf = <T>(all: ArrayLike<T>): T => all[Math.floor(random() * all.length)]!;
  const code = (min: number, max: number): string => {
    const length = Math.floor(between(min, max + 1));
    const inner = Array.from({ length: length - 2 }, () => oneOf(symbols)).join('');
    return oneOf('ABCXYZ0123') + inner + oneOf('ABCXYZ0123');
  };
  return { between, oneOf, code };
}

/** The gaps of a scanner: constant, or random from 5 to 40 ms, with delays by a busy computer. */
function scannerGap(random: () => number): () => number {
  const kind = random();
  const own = 5 + random() * 35;
  const gap = kind < 0.4 ? () => own : () => 5 + random() * 35;
  return () => gap() + (random() < 0.05 ? random() * 30 : 0);
}

/**
 * The gaps of a typist are log-normal with a median between 75 and 400 ms. 75 ms are 160 words a minute, which is
 * faster than all of the 168,000 people in Dhakal et al. (2018). One key in seven overlaps the previous one and follows
 * it after 15 to 60 ms.
 */
function personGap(random: () => number): () => number {
  const middle = 75 + random() * 325;
  const spread = 0.25 + random() * 0.3;
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return () =>
    random() < 1 / 7 ? 15 + random() * 45 : Math.max(15, middle * Math.exp(spread * normal()));
}

describe('10,000 scans of 6 to 40 characters, with gaps of 5 to 40 ms and any focus, between typed texts', () => {
  const random = seeded(20_250_307);
  const { between, oneOf, code } = helpersOf(random);
  const page = new ModelPage();
  const expected: string[] = [];
  const typedBefore: string[] = [];
  const typedAfter: string[] = [];
  let at = 0;
  for (let scan = 0; scan < 10_000; scan += 1) {
    const focus: FocusKind = oneOf(FOCUS_KINDS);
    if (random() < 0.3) {
      const gap = personGap(random);
      for (const key of code(2, 8)) page.press({ key, at: (at += gap()) }, 'field');
      at += 450;
    }
    at += between(60, 2000) + 500;
    const scanned = code(6, 40);
    typedBefore.push(page.text);
    const gap = scannerGap(random);
    for (const key of scanned) {
      if (random() < 0.1) page.press({ key: 'Shift', at: at + 1 }, focus);
      page.press({ key, at: (at += gap()) }, focus);
    }
    const end = oneOf(['Enter', 'Tab']);
    page.press({ key: end, at: (at += gap()) }, focus);
    if (random() < 0.2) page.press({ key: end, at: (at += gap()) }, focus);
    expected.push(scanned);
    typedAfter.push(page.text);
    if (page.text.length > 100) page.text = '';
  }

  it('are all recognized, each once and complete', () => {
    expect(page.scanned).toEqual(expected);
    expect(page.broken).toBe(0);
  });

  it('leave the typed text as it was, and submit and press nothing', () => {
    expect(typedAfter).toEqual(typedBefore);
    expect(page.submitted).toEqual([]);
    expect(page.pressed).toBe(0);
    expect(page.tabbed).toBe(0);
    expect(new Set(typedBefore).size).toBeGreaterThan(1000);
  });
});

describe('1,000 texts typed at the pace of people', () => {
  const random = seeded(17_031_985);
  const { between, oneOf, code } = helpersOf(random);
  const page = new ModelPage();
  const expected: string[] = [];
  let at = 0;
  for (let entry = 0; entry < 1000; entry += 1) {
    page.text = '';
    at += between(100, 5000);
    const gap = personGap(random);
    const typed = code(6, 20);
    for (const key of typed) page.press({ key, at: (at += gap()) }, 'field');
    page.press({ key: oneOf(['Enter', 'Enter', 'Tab']), at: (at += gap()) }, 'field');
    expected.push(typed);
    if (page.submitted.length + page.tabbed !== entry + 1 || page.text !== typed) {
      throw new Error(`entry ${entry} became ${page.text}`);
    }
  }

  it('are never taken for scans, and each is submitted once as it was typed', () => {
    expect(page.scanned).toEqual([]);
    expect(page.broken).toBe(0);
    expect(page.submitted.length + page.tabbed).toBe(1000);
    expect(expected).toEqual(expect.arrayContaining(page.submitted));
  });
});
