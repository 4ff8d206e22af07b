import type { Outcome, Problem } from '../../bridge/problem.ts';
import type { DeskAct } from './desk-recorder.ts';

interface TableFileParts {
  /** Asks where to save, and writes; false if cancelled. Rejects as `make` does. */
  readonly save: (name: string, make: () => Promise<string>) => Promise<boolean>;
  /** The problem, or undefined once it is recorded. */
  readonly record: (act: DeskAct) => Promise<Problem | undefined>;
  readonly isOpen: () => boolean;
}

interface Table {
  readonly document: Extract<DeskAct['document'], 'activity'>;
  readonly rows: readonly (readonly string[])[];
  readonly recordIds: readonly string[];
}

/** Saves a CSV file: recorded after the place is chosen and before a byte is written; all or nothing. */
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
    // File names are seen by many programs: no patient in them.
    return { ok: true, value: { saved: await save(`caregate-${document}.csv`, make) } };
  } catch (error) {
    if (problem !== undefined) return { ok: false, problem };
    throw error;
  }
}

/** Numbers are never run as formulas. */
const number = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
/** How a formula begins, also in full width and after skipped characters. */
const formula = /^[\s\0\u200b\ufeff]*[=+\-@＝＋－＠|%]|^[\t\r\n]/u;

/** CSV (RFC 4180, CRLF, UTF-8 with BOM). Text that a spreadsheet would run as a formula gets an apostrophe in front. */
function csvOf(rows: readonly (readonly string[])[]): string {
  const lines = rows.map((row) => `${row.map(cellOf).join(',')}\r\n`);
  return `\uFEFF${lines.join('')}`;
}

function cellOf(value: string): string {
  const safe = formula.test(value) && !number.test(value) ? `'${value}` : value;
  return /[",;\r\n\t]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
