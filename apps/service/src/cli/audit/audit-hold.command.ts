import { HOLD_OPERATIONS } from '../../audit/system-record.ts';
import { Command, InvalidArgumentError } from 'commander';
import {
  listHolds,
  newHold,
  type LegalHold,
  type ListedHold,
} from '../../audit/retention/legal-holds.ts';
import { OperatorError } from '../../config/operator-error.ts';
import { uuid } from '../start/access-command.ts';
import type { ProgressLine } from '../start/progress-line.ts';
import { output } from '../start/run-command.ts';
import { recorded } from './audit-recorded.ts';
import { auditWork, withData, withLogs } from './audit-work.ts';

interface DataFlag {
  readonly data: string;
}
type HoldFlags = DataFlag & Omit<LegalHold, 'id'>;

const help = `
A legal hold marks records that must be kept beyond their time. No record is erased by this version: holds are placed and
released in the log itself, for the day on which records are old enough to be.`;

export function auditHoldCommand(): Command {
  const hold = new Command('hold')
    .summary('manage legal holds on records')
    .addHelpText('after', help);
  withData(hold.command('add'))
    .summary('place a legal hold on all records, or on those of a patient or of some months')
    .requiredOption('--reference <text>', 'case number; must not identify a patient', reference)
    .option('--patient <uuid>', 'only records about this user', uuid)
    .option('--from <month>', 'from this month on, YYYY-MM', month)
    .option('--to <month>', 'up to this month, YYYY-MM', month)
    .action(({ data, reference: text, patient, from, to }: HoldFlags) =>
      auditWork(async () => {
        const { id, details } = newHold({
          reference: text,
          ...(patient !== undefined && { patient }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        });
        await recorded(data, HOLD_OPERATIONS.add, details);
        return output({ hold_id: id }, `Hold ${id} was placed.\n`);
      }),
    );
  withData(hold.command('list'))
    .summary('list all holds, including released ones')
    .action((flags: DataFlag) =>
      auditWork(async (progress) => {
        const holds = await holdsOf(flags, progress);
        return output(
          holds.map(({ id, ...known }) => ({ hold_id: id, ...known })),
          `${holds.length === 0 ? 'No holds.' : holds.map(holdLine).join('\n')}\n`,
        );
      }),
    );
  withData(hold.command('release'))
    .summary('release a legal hold')
    .argument('<hold id>', 'id shown by `list`')
    .action((id: string, flags: DataFlag) =>
      auditWork(async (progress) => {
        const holds = await holdsOf(flags, progress);
        if (!holds.some((one) => one.id === id && one.released === undefined)) {
          throw new OperatorError('No active hold has this id.');
        }
        await recorded(flags.data, HOLD_OPERATIONS.release, { hold: id });
        return output({ hold_id: id, state: 'released' }, `Hold ${id} was released.\n`);
      }),
    );
  return hold;
}

function holdsOf(flags: DataFlag, progress: ProgressLine): Promise<ListedHold[]> {
  return withLogs(flags, progress, listHolds);
}

function holdLine(hold: ListedHold): string {
  const { id, reference: text, patient, from, to, since, released } = hold;
  const what = patient === undefined ? 'all patients' : `patient ${patient}`;
  const when = from === undefined && to === undefined ? '' : `, ${from ?? '…'} to ${to ?? '…'}`;
  const state = released === undefined ? 'active' : `released ${released.slice(0, 10)}`;
  return `${id}  ${state}, since ${since.slice(0, 10)}  ${text}: ${what}${when}`;
}

function month(text: string): string {
  if (!/^(?:19|20|21)\d\d-(?:0[1-9]|1[0-2])$/u.test(text)) {
    throw new InvalidArgumentError('Expected a month such as 2019-05.');
  }
  return text;
}

/** Restricted, since the log must not contain free text. */
function reference(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$/u.test(text)) {
    throw new InvalidArgumentError(
      'Expected up to 40 letters, digits and . _ / - such as CASE-2026-17.',
    );
  }
  return text;
}
