import { describe, expect, it } from '@jest/globals';
import { tellFilling } from './fill-progress.ts';

/** What is written while a fill takes a minute, told of ten times a second. */
function toldIn(terminal: { isTTY: boolean; columns?: number }, line = false): string[] {
  const written: string[] = [];
  const lines: string[] = [];
  let ms = 0;
  const write = (text: string): boolean => written.push(text) > 0;
  const tell = tellFilling({
    terminal: { columns: 200, ...terminal, write },
    ...(line && {
      line: (text: string) => {
        lines.push(text);
      },
    }),
    now: () => ms,
  });
  for (; ms <= 60_000; ms += 100) {
    tell(10 * ms, 600_000);
  }
  return line ? lines : written;
}

describe('the progress of a fill', () => {
  it('is one line of a terminal, from the third second on, and is taken away at the end', () => {
    const written = toldIn({ isTTY: true });
    expect(written).toHaveLength(581);
    expect(written[0]).toBe(
      '\rThe search of this store is made, once: 20,000 of 600,000 orders and people, 0:58 left\u001B[K',
    );
    expect(written.at(-2)).toContain('599,000 of 600,000 orders and people, 0:01 left');
    expect(written.at(-1)).toBe('\r\u001B[K');
  });

  it('is not longer than the terminal is wide', () => {
    const [first = ''] = toldIn({ isTTY: true, columns: 40 });
    expect(first).toHaveLength('\r'.length + 39 + '\u001B[K'.length);
  });

  it('is a line every ten seconds without a terminal', () => {
    const written = toldIn({ isTTY: false });
    expect(written).toHaveLength(6);
    expect(written[1]).toBe(
      'The search of this store is made, once: 120,000 of 600,000 orders and people, 0:48 left\n',
    );
    expect(toldIn({ isTTY: false }, true)).toEqual(written.map((text) => text.trimEnd()));
  });

  it('says nothing of a fill that takes less than two seconds', () => {
    const written: string[] = [];
    let ms = 0;
    const tell = tellFilling({
      terminal: { isTTY: true, columns: 80, write: (text) => written.push(String(text)) > 0 },
      now: () => ms,
    });
    for (; ms <= 1900; ms += 100) {
      tell(ms, 1900);
    }
    expect(written).toEqual([]);
  });
});
