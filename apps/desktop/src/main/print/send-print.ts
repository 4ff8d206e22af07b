import { failed } from '../../bridge/problem.ts';
import type { Outcome, Problem } from '../../bridge/problem.ts';
import type { SendRequest, Sent } from '../../bridge/print.ts';
import type { DeskAct } from '../audit/desk-recorder.ts';
import { claimNumber } from './held-prints.ts';
import type { Held } from './held-prints.ts';

interface SendParts {
  /** Why it mustn't be printed; undefined once it is recorded. */
  readonly record: (act: DeskAct) => Promise<Problem | undefined>;
  /** Whether it is still to be printed: not cancelled or forgotten since it was asked for, nor its window gone. */
  readonly isWanted: () => boolean;
  /** Hands the bytes over: whether they were taken; undefined where only the page can print. */
  readonly spool: () => Promise<boolean | undefined>;
  /** Prints the sheets that the page has laid out; begins at once. */
  readonly printSheets: () => Promise<Sent['result']>;
}

/** As the service calls them. */
const documents = {
  insurance: 'insurance',
  labs: 'lab_report',
  disclosures: 'disclosures',
  label: 'label',
} as const satisfies Record<Held['kind'], DeskAct['document']>;

/** What is recorded of a document before it is printed or saved. */
export function actOf({
  kind,
  pages,
  number,
  recordIds,
}: Held): Pick<DeskAct, 'document' | 'number' | 'pages' | 'recordIds'> {
  return { document: documents[kind], number, recordIds, ...(pages > 0 && { pages }) };
}

/**
 * Prints what is held, once it is recorded; `cancelled` where its number was used before. Where its bytes can't be handed over by themselves the page is asked for
 * its sheets: that is recorded before, so that they print as soon as they are laid out, or not at all.
 */
export async function sendPrint(
  held: Held,
  { copies, pages }: Pick<SendRequest, 'copies' | 'pages'>,
  { record, isWanted, spool, printSheets }: SendParts,
): Promise<Outcome<Sent['result']>> {
  const isRecorded = pages && held.recordedCopies === copies;
  // One print, one record.
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
