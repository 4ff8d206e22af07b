import { done, failed } from '../../shared/problem.ts';
import type { Outcome, Problem } from '../../shared/problem.ts';
import type { SendRequest, Sent } from '../../shared/print.ts';
import type { DeskAct } from '../audit/desk-recorder.ts';
import { claimNumber } from './print-store.ts';
import type { StoredPrint } from './print-store.ts';

interface SendParts {
  readonly record: (act: DeskAct) => Promise<Problem | undefined>;
  readonly isWanted: () => boolean;
  /** Sends the bytes and returns whether they were taken; undefined if only the page can print. */
  readonly spool: () => Promise<boolean | undefined>;
  /** Prints the page's sheets; starts at once. */
  readonly printSheets: () => Promise<Sent['result']>;
}

const documents = {
  insurance: 'insurance',
  labs: 'lab_report',
  disclosures: 'disclosures',
  label: 'label',
} as const satisfies Record<StoredPrint['kind'], DeskAct['document']>;

export function actOf({
  kind,
  pages,
  number,
  recordIds,
}: StoredPrint): Pick<DeskAct, 'document' | 'number' | 'pages' | 'recordIds'> {
  return { document: documents[kind], number, recordIds, ...(pages > 0 && { pages }) };
}

/** Sheets are recorded before they are laid out, so that they print at once or not at all. */
export async function sendPrint(
  stored: StoredPrint,
  { copies, pages }: Pick<SendRequest, 'copies' | 'pages'>,
  { record, isWanted, spool, printSheets }: SendParts,
): Promise<Outcome<Sent>> {
  const isRecorded = pages && stored.recordedCopies === copies;
  // One record per print.
  stored.recordedCopies = undefined;
  if (!isRecorded) {
    if (!claimNumber(stored)) return failed('cancelled');
    const problem = await record({ ...actOf(stored), kind: 'print', copies });
    if (problem !== undefined) return { ok: false, problem };
    if (!isWanted()) return done({ result: 'notSent' });
  }
  if (pages) return done({ result: await printSheets() });
  const isTaken = await spool();
  if (isTaken !== undefined) return done({ result: isTaken ? 'sent' : 'notSent' });
  stored.recordedCopies = copies;
  return done({ result: 'pagesNeeded' });
}
