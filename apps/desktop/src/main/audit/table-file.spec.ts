import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import type { DeskAct } from './desk-recorder.ts';
import { saveTable } from './table-file.ts';

/** What is written of a table. */
async function csvOf(rows: readonly (readonly string[])[]): Promise<string> {
  let written = '';
  const answer = await saveTable(
    { document: 'activity', rows, recordIds: [] },
    {
      isOpen: () => true,
      record: () => Promise.resolve(undefined),
      save: async (_name, make) => {
        written = await make();
        return true;
      },
    },
  );
  expect(answer).toEqual({ ok: true, value: { saved: true } });
  return written;
}

/** A reader of RFC 4180 of its own: the cells of a file, its mark left out. */
function cellsOf(file: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 1; at < file.length; at += 1) {
    const one = file[at] ?? '';
    if (quoted) {
      if (one !== '"') cell += one;
      else if (file[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else quoted = false;
    } else if (one === '"') quoted = true;
    else if (one === ',') {
      row.push(cell);
      cell = '';
    } else if (one === '\r' && file[at + 1] === '\n') {
      rows.push([...row, cell]);
      [row, cell] = [[], ''];
      at += 1;
    } else cell += one;
  }
  return rows;
}

describe('a table as CSV', () => {
  it('comes back as it was, and no cell begins like a formula', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({
        unit: fc.constantFrom('=', '+', '-', '@', '"', ',', '\r', '\n', '\t', '1', '＝'),
      }),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 1 }), { minLength: 1 }),
        async (rows) => {
          const read = cellsOf(await csvOf(rows));
          expect(read.map((row) => row.length)).toEqual(rows.map((row) => row.length));
          for (const [at, row] of rows.entries()) {
            for (const [column, value] of row.entries()) {
              const found = read[at]?.[column] ?? '';
              expect([value, `'${value}`]).toContain(found);
              expect(found).not.toMatch(/^\s*[=@＝＋－＠]|^[\t\r\n]|^[+-](?![\d])/u);
            }
          }
        },
      ),
    );
  });

  it('has numbers exactly, with their signs', async () => {
    expect(await csvOf([['-12.50', '+3', '1e-7', '0.30000000000000004', '-1+2']])).toBe(
      "\uFEFF-12.50,+3,1e-7,0.30000000000000004,'-1+2\r\n",
    );
  });
});

describe('saving a table', () => {
  const table = { document: 'activity', rows: [['a', '1']], recordIds: ['r'] } as const;
  function parts(given: { refused?: boolean; chosen?: boolean; locksAt?: number } = {}) {
    const did: string[] = [];
    let asked = 0;
    return {
      did,
      isOpen: () => (asked += 1) <= (given.locksAt ?? Infinity),
      record: ({ kind, document, recordIds }: DeskAct) => {
        did.push(`record ${kind} ${document} ${recordIds.join(' ')}`);
        return Promise.resolve(given.refused === true ? ({ kind: 'offline' } as const) : undefined);
      },
      save: async (name: string, make: () => Promise<string>) => {
        did.push(`ask ${name}`);
        if (given.chosen === false) return false;
        did.push(`write ${await make()}`);
        return true;
      },
    };
  }

  it('is recorded after a place is chosen and before it is written', async () => {
    const made = parts();
    expect(await saveTable(table, made)).toEqual({ ok: true, value: { saved: true } });
    expect(made.did).toEqual([
      'ask caregate-activity.csv',
      'record export activity r',
      'write \uFEFFa,1\r\n',
    ]);
  });

  it('writes nothing that is not recorded, and records nothing where nobody chose a place', async () => {
    const refused = parts({ refused: true });
    expect(await saveTable(table, refused)).toEqual({ ok: false, problem: { kind: 'offline' } });
    expect(refused.did.some((one) => one.startsWith('write'))).toBe(false);
    const none = parts({ chosen: false });
    expect(await saveTable(table, none)).toEqual({ ok: true, value: { saved: false } });
    expect(none.did).toEqual(['ask caregate-activity.csv']);
  });

  it.each([0, 1])('writes nothing where it was locked meanwhile', async (locksAt) => {
    const made = parts({ locksAt });
    expect(await saveTable(table, made)).toEqual({ ok: false, problem: { kind: 'locked' } });
    expect(made.did.some((one) => one.startsWith('write'))).toBe(false);
  });
});
