import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { formatCsvHeader, formatCsvLine, formatCsvRow } from './csv.ts';
import { recordBody } from '../records.testing.ts';

/** Parses CSV by the grammar of RFC 4180. An empty cell without quotes is null. */
function parse(text: string): (string | null)[][] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  let at = 0;
  while (at < text.length) {
    let cell: string | null = null;
    if (text[at] === '"') {
      cell = '';
      for (at += 1; text[at] !== '"' || text[at + 1] === '"'; at += 1) {
        if (text[at] === '"') {
          at += 1;
        }
        cell += text[at] ?? '';
        if (at >= text.length) {
          throw new Error('A quoted cell without its end');
        }
      }
      at += 1;
    }
    row.push(cell);
    if (text[at] === ',') {
      at += 1;
      continue;
    }
    if (text.slice(at, at + 2) !== '\r\n') {
      throw new Error('Neither a comma nor the end of a line');
    }
    at += 2;
    rows.push(row);
    row = [];
  }
  return rows;
}

const withoutMark = (cell: string | null): string | null => cell?.replace(/^'/u, '') ?? null;

const nasty = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('=', '＝', '+', '-', '@', '\t', '\r', '\n', "'", '"', ',', ';', 'a'),
  }),
);
const cells = fc.array(fc.option(nasty), { minLength: 2, maxLength: 8 });

describe('a CSV export', () => {
  it('reads back as what was written', () => {
    fc.assert(
      fc.property(fc.array(cells), (rows) => {
        const back = parse(rows.map(formatCsvLine).join(''));
        expect(back.map((row) => row.map(withoutMark))).toEqual(rows);
      }),
    );
  });

  it('has no cell that a spreadsheet takes for a formula', () => {
    fc.assert(
      fc.property(cells, (row) => {
        for (const cell of parse(formatCsvLine(row)).flat()) {
          expect(cell ?? '').not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/u);
        }
      }),
    );
  });

  it('tells nothing apart from an empty text', () => {
    expect(formatCsvLine([null, '', 0])).toBe(',"","0"\r\n');
  });

  it('has a row a record under a row of names, with its details and patients', () => {
    const record = recordBody({ details: { limit: '2', note: '=1' }, patients: ['a-1', 'b-2'] });
    const [header, row] = parse(formatCsvHeader('seq') + formatCsvRow(record));
    const byName = new Map(header?.map((name, column) => [name, row?.[column]]));
    expect(byName.get('seq')).toBe('7');
    expect(byName.get('recorded_at')).toBe('2026-03-01T09:30:00.000Z');
    expect(byName.get('order_id')).toBeNull();
    expect(JSON.parse(byName.get('details') ?? '')).toEqual({ limit: '2', note: '=1' });
    expect(byName.get('patients')).toBe('a-1 b-2');
    expect(header).toHaveLength(row?.length ?? 0);
  });

  it('leaves no column of a record out', () => {
    const columns = Object.keys(recordBody()).filter(
      (name) => name !== 'version' && name !== 'recorded_at_us',
    );
    const [header] = parse(formatCsvHeader('seq'));
    expect(new Set(header)).toEqual(new Set([...columns, 'recorded_at']));
  });
});
