import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { pauseMs } from '../features/search/pace.ts';
import { heldUpMs, TypeAhead } from './type-ahead.ts';
import type { TypedKey } from './type-ahead.ts';

const press = (key: string, at: number, more: Partial<TypedKey> = {}): TypedKey => ({
  ...{ key, at, isRepeat: false, isChord: false, isOutside: true },
  ...more,
});

/** What is begun by keys at these moments: the letters of each beginning. */
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
  it('begin a search, each slow one at once, quick ones together', () => {
    expect(begun([press('o', 0)])).toEqual(['o']);
    expect(begun([press('o', 0), press('k', 200)])).toEqual(['o', 'k']);
    expect(begun([press('o', 0), press('k', 70)])).toEqual(['ok']);
    expect(begun([press('ح', 0)])).toEqual(['ح']);
  });

  it.each([
    ['with Ctrl', press('o', 0, { isChord: true })],
    ['in a field', press('o', 0, { isOutside: false })],
    ['held down', press('o', 0, { isRepeat: true })],
    ['a digit', press('7', 0)],
    ['a space', press(' ', 0)],
    ['Escape', press('Escape', 0)],
  ])('not %s', (_what, key) => {
    expect(begun([key])).toEqual([]);
  });

  it('of a scanner begin nothing, whatever code it reads and wherever it is held up', () => {
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
    expect(heldUpMs).toBeGreaterThan(400);
  });
});
