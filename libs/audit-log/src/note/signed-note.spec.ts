import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { BadCheckpointError } from '../errors.ts';
import { formatNote, parseNote, parseSignatures, withSignatures } from './signed-note.ts';

const line = (name: string, id: number, byte = 7): string =>
  `— ${name} ${Buffer.from([0, 0, 0, id, byte, byte]).toString('base64')}\n`;
const note = `first\n\nlast\n\n${line('a', 1)}${line('a', 2)}${line('b', 1)}`;

describe('a note', () => {
  it('is split at its last empty line, and written as it was', () => {
    const parsed = parseNote(note);
    expect(parsed.text).toBe('first\n\nlast\n');
    expect(parsed.signatures.map(({ name, id }) => [name, id[3]])).toEqual([
      ['a', 1],
      ['a', 2],
      ['b', 1],
    ]);
    expect(formatNote(parsed)).toBe(note);
  });

  it('keeps signatures of keys it does not know, and one of each key', () => {
    const added = parseSignatures(line('a', 2, 9) + line('c', 1));
    expect(formatNote(withSignatures(parseNote(note), added))).toBe(
      `first\n\nlast\n\n${line('a', 1)}${line('b', 1)}${line('a', 2, 9)}${line('c', 1)}`,
    );
  });

  it.each([
    ['nothing', ''],
    ['no signature', 'text\n\n'],
    ['no empty line', `text\n${line('a', 1)}`],
    ['no final newline', note.slice(0, -1)],
    ['a tab', `te\txt\n\n${line('a', 1)}`],
    ['a carriage return', note.replaceAll('\n', '\r\n')],
    ['half a character', `te\ud800xt\n\n${line('a', 1)}`],
    ['another dash', note.replaceAll('—', '-')],
    ['a plus in a name', `text\n\n${line('a+b', 1)}`],
    ['a wide space in a name', `text\n\n${line('a\u3000b', 1)}`],
    ['no name', `text\n\n${line('', 1)}`],
    ['base64 with bits to spare', `text\n\n— a AAAAAQf=\n`],
    ['an id alone', `text\n\n— a AAAAAQ==\n`],
    ['more signatures than any log has', `text\n\n${line('a', 1).repeat(65)}`],
  ])('is refused with %s', (_what, text) => {
    expect(() => parseNote(text)).toThrow(BadCheckpointError);
  });

  it('is refused, and never anything worse, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\n', '—', ' ', 'A', '=', '+', '\u0000') }),
        (text) => {
          try {
            expect(formatNote(parseNote(text))).toBe(text);
          } catch (error) {
            expect(error).toBeInstanceOf(BadCheckpointError);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
