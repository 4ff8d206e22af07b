import { isUuid } from '@caregate/domain';
import { Command, InvalidArgumentError } from 'commander';
import { AuditReader } from '../../audit/log/audit-reader.ts';
import { isMonth, type Month } from '../../audit/retention/months.ts';
import type { CutPlan } from '../../audit/retention/cut-plan.ts';
import type { LegalHold, ListedHold } from '../../audit/retention/legal-holds.ts';
import {
  addHold,
  approveCut,
  listHolds,
  proposeCut,
  releaseHold,
  type RetentionTerms,
} from '../../audit/retention/retention.ts';
import { segments } from '../../audit/retention/segments.ts';
import { readConfig } from '../../config/read-config.ts';
import { ADMIN_KEY, readAdminKey } from './admin-key-input.ts';
import { auditWork, withData } from './audit-work.ts';

const cutHelp = `
A cut erases the content of old records and takes two people, each with an API key of the role admin, given in
${ADMIN_KEY} or on standard input. One proposes, the other approves within 7 days. The log is then verified, the cut is
recorded, and only the hashes of the records up to the end of that month remain, so that all proofs stay valid. A cut
cannot be undone: export the records first (caregate audit export --format ndjson). Records younger than
CAREGATE_AUDIT_RETENTION_YEARS (default 7, minimum 6) and records under a legal hold are never cut.`;

interface DataFlag {
  readonly data: string;
}
type HoldFlags = DataFlag & Omit<LegalHold, 'id'>;

/** `caregate audit segments`: the months of the log. */
export function auditSegmentsCommand(): Command {
  return withData(new Command('segments'))
    .summary('list the months of the log and whether each can be cut')
    .action((flags: DataFlag) =>
      auditWork(() => {
        const { dataDir, years } = termsOf(flags);
        const reader = new AuditReader(dataDir);
        try {
          return lines(
            segments(reader.db, { nowMs: Date.now(), years }).map(
              ({ month, firstSeq, lastSeq, records, state }) =>
                `${month}  ${state.padEnd(10)}  ${records} records, ${firstSeq} to ${lastSeq}`,
            ),
            'No records.',
          );
        } finally {
          reader.close();
        }
      }),
    );
}

/** `caregate audit hold`: legal holds. */
export function auditHoldCommand(): Command {
  const hold = new Command('hold').summary(
    'manage legal holds, which protect records from being cut',
  );
  withData(hold.command('add'))
    .summary('place a legal hold on all records, or on those of a patient or of some months')
    .requiredOption('--reference <text>', 'case number; must not identify a patient', reference)
    .option('--patient <uuid>', 'only records about this user', uuid)
    .option('--from <month>', 'from this month on, YYYY-MM', month)
    .option('--to <month>', 'up to this month, YYYY-MM', month)
    .action(({ data, ...asked }: HoldFlags) =>
      auditWork(() => `Hold ${addHold(data, asked)} was placed.\n`),
    );
  withData(hold.command('list'))
    .summary('list all holds, including released ones')
    .action(({ data }: DataFlag) =>
      auditWork(() => lines(listHolds(data).map(holdLine), 'No holds.')),
    );
  withData(hold.command('release'))
    .summary('release a legal hold')
    .argument('<hold id>', 'id shown by `list`')
    .action((id: string, { data }: DataFlag) =>
      auditWork(() => {
        releaseHold(data, id);
        return `Hold ${id} was released.\n`;
      }),
    );
  return hold;
}

/** `caregate audit cut`: retention cuts. */
export function auditCutCommand(): Command {
  const cut = new Command('cut').summary('erase the oldest months of the log; takes two people');
  withData(cut.command('propose'))
    .summary('propose a cut up to the end of a month')
    .requiredOption('--until <month>', 'last month to cut, YYYY-MM', month)
    .addHelpText('after', cutHelp)
    .action((flags: DataFlag & { readonly until: Month }) =>
      auditWork(async () => {
        const plan = await proposeCut(termsOf(flags), await readAdminKey(), flags.until);
        return [
          `Proposed as ${plan.id}; today is ${new Date().toISOString().slice(0, 10)}.`,
          planText(plan),
          `To approve, another person with their own admin key runs: caregate audit cut approve ${plan.id}`,
          '',
        ].join('\n');
      }),
    );
  withData(cut.command('approve'))
    .summary('approve a cut that another person proposed; verifies the log first')
    .argument('<proposal id>', 'id printed by `propose`')
    .addHelpText('after', cutHelp)
    .action((id: string, flags: DataFlag) =>
      auditWork(async () => {
        const plan = await approveCut(termsOf(flags), await readAdminKey(), id);
        return `Cut completed. ${planText(plan)}\n`;
      }),
    );
  return cut;
}

function termsOf({ data }: DataFlag): RetentionTerms {
  // This variable is not a setting of the service.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([variable]) => variable !== ADMIN_KEY),
  );
  const { dataDir, auditRetentionYears: years } = readConfig(env, { dataDir: data });
  return { dataDir, years };
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

function lines(found: readonly string[], none: string): string {
  return `${found.length === 0 ? none : found.join('\n')}\n`;
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
