import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { interruptionMs, getSearchDelay, pauseMs, TypeAhead } from './typing.ts';
import type { TypedKey } from './typing.ts';

const press = (key: string, at: number, more: Partial<TypedKey> = {}): TypedKey => ({
  ...{ key, at, isRepeat: false, isChord: false, isOutsideField: true },
  ...more,
});

/** The letters that each search begins with, of keys at these times. */
function begun(keys: readonly TypedKey[]): string[] {
  const ahead = new TypeAhead();
  const taken: string[] = [];
  for (const [place, one] of keys.entries()) {
    const wait = ahead.add(one);
    const next = keys[place + 1]?.at ?? Infinity;
    if (wait !== undefined && next - one.at > wait) taken.push(ahead.take());
  }
  return taken;
}

describe('letters typed outside a field', () => {
  it('begin a search: slow ones one by one, quick ones together', () => {
    expect(begun([press('o', 0)])).toEqual(['o']);
    expect(begun([press('o', 0), press('k', 200)])).toEqual(['o', 'k']);
    expect(begun([press('o', 0), press('k', 70)])).toEqual(['ok']);
    expect(begun([press('ح', 0)])).toEqual(['ح']);
  });

  it.each([
    ['with Ctrl', press('o', 0, { isChord: true })],
    ['in a field', press('o', 0, { isOutsideField: false })],
    ['held down', press('o', 0, { isRepeat: true })],
    ['a digit', press('7', 0)],
    ['a space', press(' ', 0)],
    ['Escape', press('Escape', 0)],
  ])('begin none: %s', (_what, key) => {
    expect(begun([key])).toEqual([]);
  });

  it('begin none if they are of a scanner, whatever the code and wherever it is interrupted', () => {
    const code = fc.stringMatching(/^[A-Za-z]{1,3}-?[A-Za-z\d]{5,20}$/u);
    const gaps = fc.infiniteStream(fc.integer({ min: 5, max: 75 }));
    const heldAt = fc.option(
      fc.record({ at: fc.integer({ min: 3, max: 9 }), ms: fc.integer({ min: 76, max: 400 }) }),
    );
    fc.assert(
      fc.property(code, gaps, heldAt, (text, gap, held) => {
        let at = 1000;
        const keys = [...Array.from(text), 'Enter'].map((key, place) => {
          const [next] = gap;
          at += held?.at === place ? held.ms : (next ?? 5);
          return press(key, at);
        });
        expect(begun(keys)).toEqual([]);
      }),
    );
    expect(pauseMs).toBeGreaterThan(75);
    expect(interruptionMs).toBeGreaterThan(400);
  });
});

const when = fc.integer({ min: 0, max: 1_000_000 });
const since = fc.integer({ min: 0, max: 249 });

describe('pauseAfter', () => {
  it('is 0 if the last two keys came at the pace of typing', () => {
    fc.assert(
      fc.property(when, fc.integer({ min: 81, max: 999 }), since, (before, gap, late) => {
        expect(getSearchDelay({ before, last: before + gap }, before + gap + late)).toBe(0);
      }),
    );
  });

  it('is a pause at the pace of a scanner, or if the key may be the first of a scan', () => {
    const gap = fc.oneof(
      fc.integer({ min: 0, max: 80 }),
      fc.integer({ min: 1000, max: 1_000_000 }),
      fc.constant(Infinity),
    );
    fc.assert(
      fc.property(when, gap, since, (last, ago, late) => {
        expect(getSearchDelay({ before: last - ago, last }, last + late)).toBe(pauseMs);
      }),
    );
  });

  it('is a pause if the text did not come from a key', () => {
    expect(getSearchDelay({ before: 0, last: 150 }, 400)).toBe(pauseMs);
    expect(getSearchDelay({ before: -Infinity, last: -Infinity }, 5)).toBe(pauseMs);
  });
});
