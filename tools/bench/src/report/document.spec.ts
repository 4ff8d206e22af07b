import { describe, expect, it } from '@jest/globals';
import { atMost } from '../measure.ts';
import { withTables } from './document.ts';

const sections = [
  { name: 'start', title: 'A start' },
  { name: 'reads', title: 'Reads' },
  { name: 'people', title: 'People' },
];
const results = {
  reads: [atMost('a read', 'us', 30, 10, 2)],
  start: [{ what: 'ready', unit: 's', measured: 1 }],
  people: [],
};
const empty =
  'Above.\n\n<!-- measured: written by npm run bench -->\n<!-- /measured -->\n\nBelow.\n';

describe('the tables of a run in a document', () => {
  const once = withTables(empty, sections, results, 'A machine, a day');

  it('stand between what was there, in the order of the sections, those that ran alone', () => {
    expect(once.startsWith('Above.\n\n<!-- measured')).toBe(true);
    expect(once.endsWith('<!-- /measured -->\n\nBelow.\n')).toBe(true);
    expect(once).toMatch(
      /A machine, a day\n\n### A start\n\n[^]*ready[^]*\n\n### Reads\n\n[^]*a read/u,
    );
    expect(once).toContain('3.00x');
    expect(once).not.toContain('### People');
  });

  it('take the place of those of the run before', () => {
    expect(withTables(once, sections, results, 'A machine, a day')).toBe(once);
    const other = withTables(once, sections, { start: results.start }, 'Another day');
    expect(other).not.toContain('a read');
    expect(other).not.toContain('A machine');
  });

  it.each([
    ['no place', 'Above.'],
    ['no end', empty.replace('<!-- /measured -->', '')],
    ['two places', empty + empty],
  ])('are refused by a document with %s', (_, document) => {
    expect(() => withTables(document, sections, results, '')).toThrow('needs one');
  });
});
