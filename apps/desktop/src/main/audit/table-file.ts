import type { Outcome, Problem } from '../../bridge/problem.ts';
import type { DeskAct } from './desk-recorder.ts';

interface TableFileParts {
  /** Asks where to, then makes and writes it; false where nobody chose a place. Rejects as `make` does. */
  readonly save: (name: string, make: () => Promise<string>) => Promise<boolean>;
  /** Why it mustn't be written; undefined once it is recorded. */
  readonly record: (act: DeskAct) => Promise<Problem | undefined>;
  /** Whether somebody is still signed in. */
  readonly isOpen: () => boolean;
}

interface Table {
  readonly document: Extract<DeskAct['document'], 'activity'>;
  readonly rows: readonly (readonly string[])[];
  readonly recordIds: readonly string[];
}

/** Saves a table as CSV: recorded once a place is chosen and before a byte is written, whole or not at all. */
export async function saveTable(
  { document, rows, recordIds }: Table,
  { save, record, isOpen }: TableFileParts,
): Promise<Outcome<{ saved: boolean }>> {
  let problem: Problem | undefined;
  const make = async (): Promise<string> => {
    problem = isOpen() ? await record({ kind: 'export', document, recordIds }) : undefined;
    if (problem === undefined && !isOpen()) problem = { kind: 'locked' };
    if (problem !== undefined) throw new Error(problem.kind);
    return csvOf(rows);
  };
  try {
    // Of no patient: file names are seen by many programs.
    return { ok: true, value: { saved: await save(`caregate-${document}.csv`, make) } };
  } catch (error) {
    if (problem !== undefined) return { ok: false, problem };
    throw error;
  }
}

/** A plain number, with its sign: no program takes one for a formula. */
const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
/** What a spreadsheet begins a formula with, also in full width and after what it skips. */
const formula = /^[\s\0\u200b\ufeff]*[=+\-@＝＋－＠|%]|^[\t\r\n]/u;

/**
 * Rows as CSV (RFC 4180, CRLF, UTF-8 with its mark, so that spreadsheets read it as such). Values stay as they are, but for
 * text that a spreadsheet would run as a formula: it gets an apostrophe in front.
 */
function csvOf(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `${row.map(cellOf).join(',')}\r\n`);
  return `\uFEFF${lines.join('')}`;
}

function cellOf(value: string): string {
  const safe = formula.test(value) && !number.test(value) ? `'${value}` : value;
  return /[",;\r\n\t]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
