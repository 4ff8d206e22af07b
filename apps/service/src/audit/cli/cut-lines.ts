import { readFileSync } from 'node:fs';
import { parseVerifierKey, type VerifierKey, type VerifyReport } from '@caregate/audit-log';

/** What is erased of a log that was verified, and who agreed to it. */
export function cutLines(
  { cut, unproven, cuts }: Pick<VerifyReport, 'cut' | 'unproven' | 'cuts'>,
  areKeysGiven: boolean,
): string[] {
  const last = cuts.findLast(({ terms }) => terms.beforeSeq >= cut);
  const old = `Records 0 to ${unproven - 1} were erased before cuts carried a proof, by the log's own word.`;
  const by =
    last === undefined ? '' : `, approved by ${last.approvedBy.join(' and ')} (record ${last.seq})`;
  const proven = `Records ${unproven} to ${cut - 1} were erased by a retention cut${by}.`;
  const warning =
    'No public keys of approvers were given (--approvers): whoever has the key of the log could have named their own.';
  return [
    ...(unproven > 0 ? [old] : []),
    ...(cut > unproven ? [proven] : []),
    ...(cut > unproven && !areKeysGiven ? [warning] : []),
  ];
}

/** What an upgrade took over that no checkpoint proved. */
export function notProvedLines({ notProved }: Pick<VerifyReport, 'notProved'>): string[] {
  return notProved === undefined
    ? []
    : [
        `Records ${notProved.first} to ${notProved.end - 1} were not proved at the upgrade (they followed the last checkpoint of the earlier version).`,
      ];
}

/** Public keys of approvers, in a file with one a line, or one as it is. @throws BadCheckpointError */
export function approversIn(given: string | undefined): { readonly approvers?: VerifierKey[] } {
  if (given === undefined) {
    return {};
  }
  const text = given.includes('+') ? given : readFileSync(given, 'utf8');
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return { approvers: lines.map(parseVerifierKey) };
}
