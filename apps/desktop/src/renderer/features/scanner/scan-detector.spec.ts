import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { ModelPage } from './model-page.testing.ts';
import type { FocusKind } from './model-page.testing.ts';
import { isRepeated, getUsCharacter } from './scan-detector.ts';

/** Returns the keys of the text's characters, followed by the named keys. */
function keys(text: string, ...after: string[]): string[] {
  return [...Array.from(text), ...after];
}

/** Presses the keys, each `gap` milliseconds after the previous one. Returns the time of the last one. */
function send(
  page: ModelPage,
  pressed: readonly string[],
  options: { from: number; gap: number; focus?: FocusKind },
): number {
  const { from, gap, focus = 'field' } = options;
  let at = from;
  for (const key of pressed) page.press({ key, at: (at += gap) }, focus);
  return at;
}

describe('a scan', () => {
  it.each([
    ['is six characters, 10 ms apart', 'ABC123', 10, ['ABC123']],
    ['is not five characters', 'ABC12', 10, []],
    ['is keys every 40 ms', 'MRN-000101', 40, ['MRN-000101']],
    ['is not keys every 46 ms', 'MRN-000101', 46, []],
  ])('%s', (_name, text, gap, scanned) => {
    const page = new ModelPage();
    send(page, keys(text, 'Enter'), { from: 1000, gap });
    expect(page.scanned).toEqual(scanned);
    expect(page.text).toBe(scanned.length > 0 ? '' : text);
    expect(page.submitted).toEqual(scanned.length > 0 ? [] : [text]);
  });

  it('is not a key that is held down', () => {
    const page = new ModelPage();
    for (let count = 0; count < 20; count += 1) {
      page.press({ key: '7', at: 1000 + 33 * count, repeat: count > 0 }, 'field');
    }
    page.press({ key: 'Enter', at: 1000 + 33 * 20 }, 'field');
    expect(page.scanned).toEqual([]);
    expect(page.submitted).toEqual(['7'.repeat(20)]);
  });

  it('is not a text whose Enter comes later: the text stays and is submitted', () => {
    const page = new ModelPage();
    const at = send(page, keys('MRN-000101'), { from: 1000, gap: 8 });
    page.press({ key: 'Enter', at: at + 300 }, 'field');
    expect(page.scanned).toEqual([]);
    expect(page.submitted).toEqual(['MRN-000101']);
  });

  it('is also read as a US keyboard types it, whatever the layout of the computer', () => {
    const page = new ModelPage();
    // This is MRN-000101 from a US scanner on a French keyboard layout.
    const codes = [
      'KeyM',
      'KeyR',
      'KeyN',
      'Minus',
      ...Array.from('000101', (one) => `Digit${one}`),
    ];
    let at = 1000;
    Array.from(',RN)ààà&à&').forEach((key, place) => {
      const usKey = getUsCharacter({ key, code: codes[place]!, shiftKey: place < 3 });
      page.press({ key, usKey, at: (at += 8) }, 'field');
    });
    page.press({ key: 'Enter', at: at + 8 }, 'field');
    expect(page.scanned).toEqual([',RN)ààà&à&']);
    expect(page.scannedAsUs).toEqual(['MRN-000101']);
    expect(page.text).toBe('');
  });

  it('includes the US character of a key that is a dead key here', () => {
    const page = new ModelPage();
    let at = 1000;
    for (const key of [...Array.from('MRN'), 'Dead', ...Array.from('0001')]) {
      const code = key === 'Dead' ? 'Minus' : '';
      page.press(
        { key, usKey: getUsCharacter({ key, code, shiftKey: false }), at: (at += 8) },
        'field',
      );
    }
    page.press({ key: 'Enter', at: at + 8 }, 'field');
    expect(page.scannedAsUs).toEqual(['MRN-0001']);
  });

  it('leaves out control characters, the longest prefix, and spaces around the code', () => {
    const page = new ModelPage([']', ']C1']);
    let at = send(page, keys(']C1MRN-00'), { from: 1000, gap: 8 });
    // The scanner sends GS as Ctrl+], which must not run a command, and STX as the control character itself.
    page.press({ key: ']', at: (at += 8), chord: true }, 'field');
    send(page, ['\u0002', ...keys('0101 ', 'Enter')], { from: at, gap: 8 });
    expect(page.scanned).toEqual(['MRN-000101']);
    expect(page.text).toBe('');
  });

  it('consumes a second Enter and a Tab right after it, and none later', () => {
    const page = new ModelPage();
    send(page, keys('MRN-000101', 'Enter', 'Enter', 'Tab'), {
      from: 1000,
      gap: 8,
      focus: 'button',
    });
    expect(page.scanned).toEqual(['MRN-000101']);
    expect([page.pressed, page.tabbed]).toEqual([0, 0]);
    send(page, ['Enter'], { from: 3000, gap: 8, focus: 'button' });
    expect(page.pressed).toBe(1);
  });

  it('consumes no Enter after the clock was set back', () => {
    const page = new ModelPage();
    send(page, keys('MRN-000101', 'Enter'), { from: 5000, gap: 8 });
    page.press({ key: 'Enter', at: 1000 }, 'button');
    expect(page.pressed).toBe(1);
  });

  it('presses no button by a space, and moves the focus in a list by its first two letters only', () => {
    const page = new ModelPage();
    send(page, keys('1A  BC EF', 'Enter'), { from: 1000, gap: 8, focus: 'button' });
    expect(page.pressed).toBe(0);
    send(page, keys('ABCDEFGH', 'Enter'), { from: 3000, gap: 8, focus: 'list' });
    expect(page.jumped).toBe(2);
    expect(page.scanned).toHaveLength(2);
  });
});

describe('a code that is interrupted', () => {
  it('is never taken for a shorter one, wherever and however long', () => {
    const code = 'MRN-000101-000202';
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: code.length - 1 }),
        fc.integer({ min: 1, max: 400 }),
        fc.integer({ min: 5, max: 40 }),
        (place, held, gap) => {
          const page = new ModelPage();
          page.text = 'note: ';
          const at = send(page, keys(code.slice(0, place)), { from: 1000, gap });
          send(page, keys(code.slice(place), 'Enter'), { from: at + held - gap, gap });
          const whole = page.scanned.join() === code;
          if (!whole) expect([page.scanned, page.broken]).toEqual([[], 1]);
          expect(page.text).toBe('note: ');
          expect(page.submitted).toEqual([]);
        },
      ),
    );
  });

  it('leaves the next scan complete', () => {
    const page = new ModelPage();
    const at = send(page, keys('MRN-0'), { from: 1000, gap: 8 });
    send(page, keys('MRN-000101', 'Enter'), { from: at + 500, gap: 8 });
    expect(page.scanned).toEqual(['MRN-000101']);
  });
});

describe('isRepeated', () => {
  const before = { code: 'A', at: 1000 };

  it.each([
    ['the first scan', 'A', 1000, undefined, undefined, false],
    ['the same code within 500 ms', 'A', 1300, before, undefined, true],
    ['the same code while it is looked up', 'A', 9000, before, 'A', true],
    ['another code within 500 ms', 'B', 1050, before, 'A', false],
    ['another code while the first is looked up', 'B', 9000, before, 'A', false],
    ['another code later', 'B', 1501, before, undefined, false],
    ['the same code later', 'A', 1501, before, undefined, false],
  ] as const)('%s', (_name, code, at, taken, pending, verdict) => {
    expect(isRepeated({ code, at }, taken, pending)).toBe(verdict);
  });
});
