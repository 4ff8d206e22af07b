import { failed } from '../../bridge/problem.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import type { SendRequest, Sent } from '../../bridge/print.ts';
import type { DeskAct } from '../audit/desk-recorder.ts';
import { claimNumber } from './held-prints.ts';
import type { Held } from './held-prints.ts';

interface SendParts {
  /** The problem, or undefined once it is recorded. */
  readonly record: (act: DeskAct) => Promise<Problem | undefined>;
  /** False once it was cancelled or discarded, or its window is gone. */
  readonly isWanted: () => boolean;
  /** Sends the bytes; undefined if only the page can print. */
  readonly spool: () => Promise<boolean | undefined>;
  /** Prints the page's sheets; starts at once. */
  readonly printSheets: () => Promise<Sent['result']>;
}

const documents = {
  insurance: 'insurance',
  labs: 'lab_report',
  disclosures: 'disclosures',
  label: 'label',
} as const satisfies Record<Held['kind'], DeskAct['document']>;

export function actOf({
  kind,
  pages,
  number,
  recordIds,
}: Held): Pick<DeskAct, 'document' | 'number' | 'pages' | 'recordIds'> {
  return { document: documents[kind], number, recordIds, ...(pages > 0 && { pages }) };
}

/**
 * Prints once it is recorded; `cancelled` if its number was used before. Sheets are recorded before they are laid
 * out, so that they print at once or not at all.
 */
export async function sendPrint(
  held: Held,
  { copies, pages }: Pick<SendRequest, 'copies' | 'pages'>,
  { record, isWanted, spool, printSheets }: SendParts,
): Promise<Outcome<Sent['result']>> {
  const isRecorded = pages && held.recordedCopies === copies;
  // One record per print.
  held.recordedCopies = undefined;
  if (!isRecorded) {
    if (!claimNumber(held)) return failed('cancelled');
    const problem = await record({ ...actOf(held), kind: 'print', copies });
    if (problem !== undefined) return { ok: false, problem };
    if (!isWanted()) return done('notSent');
  }
  if (pages) return done(await printSheets());
  const spooled = await spool();
  if (spooled !== undefined) return done(spooled ? 'sent' : 'notSent');
  held.recordedCopies = copies;
  return done('pagesNeeded');
}

function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}
