import { isUuid } from '@caregate/domain';
import {
  isMonth,
  type CutPlan,
  type LegalHold,
  type ListedHold,
  type Month,
} from '@caregate/audit-log';
import { Command, InvalidArgumentError } from 'commander';
import {
  addHold,
  approveCut,
  listHolds,
  listSegments,
  proposeCut,
  releaseHold,
} from '../../audit/retention/retention.ts';
import { readKeyFile } from './approver-key-files.ts';
import { told } from '../start/run-command.ts';
import { withLog } from './audit-work.ts';
import { cutWork, lines, termsOf, withKey, type DataFlag, type KeyFlags } from './cut-work.ts';

const cutHelp = `
A cut erases the content of old records. It takes a proposal and two approvals by two different people, signed with their
own keys (caregate audit approver) within 7 days; the one who proposes may be one of the two. The log is then verified, the
cut is recorded with all signatures, and only the hashes of the records up to the end of that month remain, so that all
proofs stay valid; anybody with the log's public key can check that the cut was allowed. A cut cannot be undone: export the
records first (caregate audit export --format ndjson). Records younger than CAREGATE_AUDIT_RETENTION_YEARS (default 7,
minimum 6) and records under a legal hold are never cut.`;

type HoldFlags = DataFlag & Omit<LegalHold, 'id'>;

/** `caregate audit segments`: the months of the log. */
export function auditSegmentsCommand(): Command {
  return withLog(new Command('segments'))
    .summary('list the months of the log and whether each can be cut')
    .action((flags: DataFlag) =>
      cutWork(flags, async (store) => {
        const segments = await listSegments(store, termsOf(flags));
        const rows = segments.map(
          ({ month: of, firstSeq, lastSeq, records, state }) =>
            `${of}  ${state.padEnd(10)}  ${records} records, ${firstSeq} to ${lastSeq}`,
        );
        return told(
          segments.map(({ month: of, firstSeq, lastSeq, records, state }) => ({
            ...{ month: of, state, records, first_seq: firstSeq, last_seq: lastSeq },
          })),
          lines(rows, 'No records.'),
        );
      }),
    );
}

/** `caregate audit hold`: legal holds. */
export function auditHoldCommand(): Command {
  const hold = new Command('hold').summary(
    'manage legal holds, which protect records from being cut',
  );
  withLog(hold.command('add'))
    .summary('place a legal hold on all records, or on those of a patient or of some months')
    .requiredOption('--reference <text>', 'case number; must not identify a patient', reference)
    .option('--patient <uuid>', 'only records about this user', uuid)
    .option('--from <month>', 'from this month on, YYYY-MM', month)
    .option('--to <month>', 'up to this month, YYYY-MM', month)
    .action((flags: HoldFlags) =>
      cutWork(flags, async (store) => {
        const { reference: text, patient, from, to } = flags;
        const id = await addHold(store, {
          reference: text,
          ...(patient !== undefined && { patient }),
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
        });
        return told({ hold_id: id }, `Hold ${id} was placed.\n`);
      }),
    );
  withLog(hold.command('list'))
    .summary('list all holds, including released ones')
    .action((flags: DataFlag) =>
      cutWork(flags, async (store) => {
        const holds = await listHolds(store);
        return told(
          holds.map(({ id, ...known }) => ({ hold_id: id, ...known })),
          lines(holds.map(holdLine), 'No holds.'),
        );
      }),
    );
  withLog(hold.command('release'))
    .summary('release a legal hold')
    .argument('<hold id>', 'id shown by `list`')
    .action((id: string, flags: DataFlag) =>
      cutWork(flags, async (store) => {
        await releaseHold(store, id);
        return told({ hold_id: id, state: 'released' }, `Hold ${id} was released.\n`);
      }),
    );
  return hold;
}

/** `caregate audit cut`: retention cuts. */
export function auditCutCommand(): Command {
  const cut = new Command('cut').summary('erase the oldest months of the log; takes two people');
  withKey(withLog(cut.command('propose')))
    .summary('propose a cut up to the end of a month')
    .requiredOption('--until <month>', 'last month to cut, YYYY-MM', month)
    .addHelpText('after', cutHelp)
    .action((flags: KeyFlags & { readonly until: Month }) =>
      cutWork(flags, async (store) => {
        const key = await readKeyFile(flags.key, flags);
        const plan = await proposeCut(store, key, flags.until, termsOf(flags));
        const text = [
          `Proposed as ${plan.id}; today is ${new Date().toISOString().slice(0, 10)}.`,
          planText(plan),
          `To approve, each of two approvers runs: caregate audit cut approve ${plan.id} --key FILE`,
          '',
        ].join('\n');
        return told({ proposal_id: plan.id, plan: planJson(plan) }, text);
      }),
    );
  withKey(withLog(cut.command('approve')))
    .summary(
      'approve a cut that was proposed; verifies the log first, and cuts with the second approval',
    )
    .argument('<proposal id>', 'id printed by `propose`')
    .addHelpText('after', cutHelp)
    .action((id: string, flags: KeyFlags) =>
      cutWork(flags, async (store) => {
        const key = await readKeyFile(flags.key, flags);
        const { plan, by, isDone } = await approveCut(store, key, id, termsOf(flags));
        const text = isDone
          ? `Cut completed. ${planText(plan)}\n`
          : `Approved by ${by}; today is ${new Date().toISOString().slice(0, 10)}. ${planText(plan)}\nAnother approver has to approve it, too: nothing is cut yet.\n`;
        return told({ proposal_id: id, plan: planJson(plan), by, done: isDone }, text);
      }),
    );
  return cut;
}

function planJson({ since, until, fromSeq, beforeSeq, records, clockSteps }: CutPlan): unknown {
  const span = { since, until, from_seq: fromSeq, before_seq: beforeSeq };
  return { ...span, records, clock_steps: clockSteps };
}

function planText({ until, fromSeq, beforeSeq, records, clockSteps }: CutPlan): string {
  const steps =
    clockSteps === 0
      ? ''
      : ` The clock was changed ${clockSteps} times in this period: check the dates.`;
  return `Up to ${until}: ${records} records, ${fromSeq} to ${beforeSeq - 1}.${steps}`;
}

function holdLine(hold: ListedHold): string {
  const { id, reference: text, patient, from, to, since, released } = hold;
  const what = patient === undefined ? 'all patients' : `patient ${patient}`;
  const when = from === undefined && to === undefined ? '' : `, ${from ?? '…'} to ${to ?? '…'}`;
  const state = released === undefined ? 'active' : `released ${released.slice(0, 10)}`;
  return `${id}  ${state}, since ${since.slice(0, 10)}  ${text}: ${what}${when}`;
}

function month(text: string): Month {
  if (!isMonth(text)) {
    throw new InvalidArgumentError('Expected a month such as 2019-05.');
  }
  return text;
}

function uuid(text: string): string {
  if (!isUuid(text)) {
    throw new InvalidArgumentError('Expected a UUID.');
  }
  return text.toLowerCase();
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
