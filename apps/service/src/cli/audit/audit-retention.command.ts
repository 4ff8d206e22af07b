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
A cut takes two people, each with a key of the role admin: in the variable ${ADMIN_KEY}, or on standard input.
One proposes, the other approves within 7 days. Then the log is verified, the cut recorded, and of the records up to the
end of that month nothing is left but their hashes, for which every proof still holds. It cannot be undone: keep an
export (caregate audit export --format ndjson). Nothing younger than CAREGATE_AUDIT_RETENTION_YEARS (7; 6 at least) and
nothing under a legal hold is taken.`;

interface DataFlag {
  readonly data: string;
}
type HoldFlags = DataFlag & Omit<LegalHold, 'id'>;

/** `caregate audit segments`: the months of the log. */
export function auditSegmentsCommand(): Command {
  return withData(new Command('segments'))
    .summary('list the months of the log: kept, held, or old enough to be cut')
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
  const hold = new Command('hold').summary('keep records from every cut, for a court or a review');
  withData(hold.command('add'))
    .summary('put records on hold: all, or those of a patient, or of some months')
    .requiredOption('--reference <text>', 'number of the case; nothing of a patient', reference)
    .option('--patient <uuid>', 'records where this user was seen or asked for', uuid)
    .option('--from <month>', 'of this month and later, YYYY-MM', month)
    .option('--to <month>', 'of this month and earlier, YYYY-MM', month)
    .action(({ data, ...asked }: HoldFlags) =>
      auditWork(() => `Hold ${addHold(data, asked)} is in force.\n`),
    );
  withData(hold.command('list'))
    .summary('list holds, released ones too')
    .action(({ data }: DataFlag) =>
      auditWork(() => lines(listHolds(data).map(holdLine), 'No holds.')),
    );
  withData(hold.command('release'))
    .summary('end a hold')
    .argument('<hold id>', 'as list shows it')
    .action((id: string, { data }: DataFlag) =>
      auditWork(() => {
        releaseHold(data, id);
        return `Hold ${id} is released.\n`;
      }),
    );
  return hold;
}

/** `caregate audit cut`: retention cuts. */
export function auditCutCommand(): Command {
  const cut = new Command('cut').summary('empty the oldest months of the log; takes two people');
  withData(cut.command('propose'))
    .summary('propose a cut up to the end of a month')
    .requiredOption('--until <month>', 'the last month to go, YYYY-MM', month)
    .addHelpText('after', cutHelp)
    .action((flags: DataFlag & { readonly until: Month }) =>
      auditWork(async () => {
        const plan = await proposeCut(termsOf(flags), await readAdminKey(), flags.until);
        return [
          `Proposed as ${plan.id}; today is ${new Date().toISOString().slice(0, 10)}.`,
          planText(plan),
          `Another person, with an admin key of their own: caregate audit cut approve ${plan.id}`,
          '',
        ].join('\n');
      }),
    );
  withData(cut.command('approve'))
    .summary('approve what another person proposed: verifies the log, then cuts it')
    .argument('<proposal id>', 'as propose showed it')
    .addHelpText('after', cutHelp)
    .action((id: string, flags: DataFlag) =>
      auditWork(async () => {
        const plan = await approveCut(termsOf(flags), await readAdminKey(), id);
        return `Cut. ${planText(plan)}\n`;
      }),
    );
  return cut;
}

function termsOf({ data }: DataFlag): RetentionTerms {
  // The key is this command's, no setting of the service.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([variable]) => variable !== ADMIN_KEY),
  );
  const { dataDir, auditRetentionYears: years } = readConfig(env, { dataDir: data });
  return { dataDir, years };
}

function planText({ until, fromSeq, beforeSeq, records, clockSteps }: CutPlan): string {
  const steps =
    clockSteps === 0 ? '' : ` The clock was set ${clockSteps} times there: look at the dates.`;
  return `Up to ${until}: ${records} records, ${fromSeq} to ${beforeSeq - 1}.${steps}`;
}

function holdLine(hold: ListedHold): string {
  const { id, reference: text, patient, from, to, since, released } = hold;
  const what = patient === undefined ? 'all patients' : `patient ${patient}`;
  const when = from === undefined && to === undefined ? '' : `, ${from ?? '…'} to ${to ?? '…'}`;
  const state = released === undefined ? 'in force' : `released ${released.slice(0, 10)}`;
  return `${id}  ${state}, since ${since.slice(0, 10)}  ${text}: ${what}${when}`;
}

function lines(found: readonly string[], none: string): string {
  return `${found.length === 0 ? none : found.join('\n')}\n`;
}

function month(text: string): Month {
  if (!isMonth(text)) {
    throw new InvalidArgumentError('Write a month such as 2019-05.');
  }
  return text;
}

function uuid(text: string): string {
  if (!isUuid(text)) {
    throw new InvalidArgumentError('Write a UUID.');
  }
  return text.toLowerCase();
}

/** Too short and plain for a name or a story: the log holds no free text. */
function reference(text: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._/-]{0,39}$/u.test(text)) {
    throw new InvalidArgumentError(
      'Write up to 40 letters, digits and . _ / - such as CASE-2026-17.',
    );
  }
  return text;
}
