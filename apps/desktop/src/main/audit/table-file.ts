import { done } from '../../bridge/problem.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import type { DeskAct } from './desk-recorder.ts';

interface SaveParts<C> {
  /** False if cancelled. Rejects as `make` does. */
  readonly save: (name: string, make: () => Promise<C>) => Promise<boolean>;
  readonly record: (act: DeskAct) => Promise<Problem | undefined>;
  /** Whether it may still be saved: nobody locked the desk meanwhile. */
  readonly isOpen: () => boolean;
}

/** Recorded after the user chose a place, before the first byte; writes the whole file or none. */
export async function saveRecorded<C>(
  // File names are seen by many programs: no patient in them.
  { name, content }: { readonly name: string; readonly content: () => C },
  act: DeskAct,
  { save, record, isOpen }: SaveParts<C>,
): Promise<Outcome<{ saved: boolean }>> {
  let problem: Problem | undefined;
  const make = async (): Promise<C> => {
    problem = isOpen() ? await record(act) : undefined;
    if (problem === undefined && !isOpen()) problem = { kind: 'locked' };
    if (problem !== undefined) throw new Error(problem.kind);
    return content();
  };
  try {
    return done({ saved: await save(name, make) });
  } catch (error) {
    if (problem !== undefined) return { ok: false, problem };
    throw error;
  }
}

export function saveTable(
  table: Pick<DeskAct, 'document' | 'recordIds'> & {
    readonly rows: readonly (readonly string[])[];
  },
  parts: SaveParts<string>,
): Promise<Outcome<{ saved: boolean }>> {
  const { document, rows, recordIds } = table;
  const file = { name: `caregate-${document}.csv`, content: () => csvOf(rows) };
  return saveRecorded(file, { kind: 'export', document, recordIds }, parts);
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
