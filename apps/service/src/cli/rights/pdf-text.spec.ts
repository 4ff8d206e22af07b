import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Paper } from './pdf-paper.ts';
import { linesOf, runsOf } from './pdf-text.ts';

const shownAs = (text: string): string[] => runsOf(text).map((run) => run.text);

describe('a text on paper', () => {
  it.each([
    ['Apt 4B', ['Apt 4B']],
    ['Apt ليلى 12 (x)', ['Apt ', '12', 'ليلى ', ' (x)']],
    ['ليلى (12)', ['(', '12', ')', 'ليلى ']],
  ])('is in runs that stand from left to right, brackets turned: %s', (text, runs) => {
    expect(shownAs(text).join('|')).toBe(runs.join('|'));
  });

  it('has a font for each script, and the number of a character that no font has', () => {
    const scripts = 'José Đặng Ελλάδα Олена ליאת ليلى हिन्दी 欧阳雨桐 あおい 한국어 ไทย ქართული';
    expect(shownAs(scripts).join('')).not.toContain('[U+');
    expect(new Set(runsOf(scripts).map(({ font }) => font)).size).toBeGreaterThan(6);
    expect(shownAs('\u{20BB7}野家').join('')).toBe('[U+20BB7]野家');
  });

  it('is not turned around by signs in it that nobody sees', () => {
    expect(shownAs('\u202Egnp.exe\u202C ä')).toEqual(['gnp.exe ä']);
  });

  it('is broken at spaces, and within a word of 200 letters, and loses nothing', () => {
    const widthOf = (text: string): number => text.length;
    expect(linesOf('one two three', 7, widthOf)).toEqual(['one two', 'three']);
    const name = `Zoë ${'ن'.repeat(200)}`;
    const lines = linesOf(name, 30, widthOf);
    expect(lines.every((line) => line.length <= 30)).toBe(true);
    expect(lines.join('').replace(/\s/u, '')).toBe(name.replace(/\s/u, ''));
  });

  it('in Arabic is shaped, and its words stand from right to left', async () => {
    const head = { name: 'ليلى الحدّاد', id: 'x', date: 'y' };
    const paper = new Paper(head, () => undefined);
    paper.paragraph('شارع الحمراء');
    const folder = mkdtempSync(join(tmpdir(), 'caregate-paper-'));
    try {
      const file = join(folder, 'paper.pdf');
      writeFileSync(file, await paper.bytes());
      // Poppler reads letters by the position of their glyphs.
      const text = execFileSync('pdftotext', [file, '-'], { encoding: 'utf8' });
      expect(text).toContain('ليلى الحدّاد');
      expect(text).toContain('شارع الحمراء');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
