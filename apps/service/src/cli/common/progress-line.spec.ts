import { expect, it } from '@jest/globals';
import { createProgressLine } from './progress-line.ts';

function terminal(isTTY = true, columns = 80) {
  const written: string[] = [];
  let now = 0;
  const line = createProgressLine(
    { isTTY, columns, write: (text) => written.push(text) },
    () => now,
  );
  const draw = (atMs: number, step: string, done: number, total?: number): void => {
    now = atMs;
    line.draw(step, done, total);
  };
  return { written, draw, clear: line.clear };
}

it('shows after two seconds how far the work is, and clears the line at its end', () => {
  const { written, draw, clear } = terminal();
  draw(0, 'users', 0, 4000);
  draw(1900, 'users', 900, 4000);
  expect(written).toEqual([]);
  draw(2000, 'users', 1000, 4000);
  draw(2050, 'users', 1020, 4000);
  draw(9000, 'records', 7);
  clear();
  expect(written).toEqual([
    '\rusers  1,000 of 4,000\u001B[K',
    '\rrecords  7\u001B[K',
    '\r\u001B[K',
  ]);
});

it('shows nothing without a terminal', () => {
  const { written, draw, clear } = terminal(false);
  draw(5000, 'users', 1, 2);
  clear();
  expect(written).toEqual([]);
});
