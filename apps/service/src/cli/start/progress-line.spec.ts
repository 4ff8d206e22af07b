import { describe, expect, it } from '@jest/globals';
import { progressLine } from './progress-line.ts';

function terminal(
  isTTY = true,
  columns = 80,
): {
  written: string[];
  draw: (atMs: number, what: string, done: number, of?: number) => void;
  clear: () => void;
} {
  const written: string[] = [];
  let now = 0;
  const line = progressLine({ isTTY, columns, write: (text) => written.push(text) }, () => now);
  return {
    written,
    draw: (atMs, ...progress) => {
      now = atMs;
      line.draw(...progress);
    },
    clear: () => {
      line.clear();
    },
  };
}

describe('a line of progress', () => {
  it('tells after two seconds how far the work is, and how long it takes yet', () => {
    const { written, draw, clear } = terminal();
    draw(0, 'users', 0, 4000);
    draw(1900, 'users', 900, 4000);
    expect(written).toEqual([]);
    draw(2000, 'users', 1000, 4000);
    draw(2050, 'users', 1020, 4000);
    draw(100_000, 'users', 2000, 4000);
    clear();
    expect(written).toEqual([
      '\rusers  1,000 of 4,000  0:06 left\u001B[K',
      '\rusers  2,000 of 4,000  1:40 left\u001B[K',
      '\r\u001B[K',
    ]);
  });

  it('begins anew with each step, and tells no time of what it does not know', () => {
    const { written, draw } = terminal();
    draw(0, 'users', 0, 10);
    draw(9000, 'points', 0, 1000);
    draw(10_000, 'points', 500, 1000);
    draw(20_000, 'records', 7);
    expect(written).toEqual([
      '\rpoints  0 of 1,000\u001B[K',
      '\rpoints  500 of 1,000  0:01 left\u001B[K',
      '\rrecords  7\u001B[K',
    ]);
  });

  it('shows a step that begins at once, and counts anew what is read twice', () => {
    const { written, draw } = terminal();
    draw(0, 'records', 0, 100);
    draw(5000, 'records', 100, 100);
    draw(5010, 'points', 0, 4);
    draw(6000, 'records', 50, 100);
    draw(7000, 'records', 25, 100);
    draw(8000, 'records', 50, 100);
    expect(written).toEqual([
      '\rrecords  100 of 100  0:00 left\u001B[K',
      '\rpoints  0 of 4\u001B[K',
      '\rrecords  50 of 100\u001B[K',
      '\rrecords  25 of 100\u001B[K',
      '\rrecords  50 of 100  0:02 left\u001B[K',
    ]);
  });

  it('is as wide as the terminal, or as one of 80 columns that does not tell its width', () => {
    const [narrow, unknown] = [terminal(true, 30), terminal(true, 0)];
    for (const { draw } of [narrow, unknown]) {
      draw(5000, 'x'.repeat(100), 1);
    }
    expect(narrow.written).toEqual([`\r${'x'.repeat(29)}\u001B[K`]);
    expect(unknown.written).toEqual([`\r${'x'.repeat(79)}\u001B[K`]);
  });

  it('is nothing without a terminal, nor before it was drawn', () => {
    const piped = terminal(false);
    piped.draw(5000, 'users', 1, 2);
    piped.clear();
    const quick = terminal();
    quick.draw(10, 'users', 1, 2);
    quick.clear();
    expect([piped.written, quick.written]).toEqual([[], []]);
  });
});
