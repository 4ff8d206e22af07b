import { REVIEW_HOURS, REVIEW_OUTCOMES, type ReviewOutcome } from '@caregate/domain';
import { Command, Option } from 'commander';
import { grantJson, type Grant } from '../access/grant.ts';
import { OperatorError } from '../config/operator-error.ts';
import { findRecords } from './audit/audit-work.ts';
import type { ProgressLine } from './start/progress-line.ts';
import { GRANT_OPERATIONS, grantProblems } from './grant-check.ts';
import { base, withRecordedStore, withStore, type Common } from './start/access-command.ts';
import { output, print } from './start/run-command.ts';
import type { RecordBody } from '../audit/record/record-body.ts';

interface ListOptions extends Common {
  readonly team?: string;
  readonly all?: true;
}
interface ReviewOptions extends Common {
  readonly outcome: ReviewOutcome;
  readonly by: string;
  readonly note?: string;
}

const exitCodes =
  '\nExit codes: 0 success, 1 failure (disk, store) or a grant that differs from the audit log, 2 usage error or unknown grant.';

const listHelp = `
All grants and reviews are compared with their records in the audit log, which has hashes of the texts, with the salts
kept beside the texts. A grant that was edited, added or removed is reported on standard error, and the exit code is 1.
(A service that was killed while it granted access may leave a record without a grant.) A log that
was altered, or has records missing, is an error, too.`;

export function breakGlassCommand(): Command {
  return new Command('break-glass')
    .summary('list and review uses of emergency access')
    .description(
      `Lists and reviews uses of emergency access; a review is due within ${REVIEW_HOURS} hours.`,
    )
    .addHelpText('after', exitCodes)
    .addCommand(listCommand())
    .addCommand(reviewCommand());
}

function listCommand(): Command {
  return base('list', 'list grants awaiting review, oldest first')
    .option('--team <uuid>', 'only this team')
    .option('--all', 'include reviewed grants, newest first')
    .addHelpText('after', listHelp)
    .action((options: ListOptions) =>
      withStore(options, async (store, progress) => {
        const { team: teamId, all = false } = options;
        const grants = await store.breakGlass.list({ teamId, all });
        const json = grants.map((grant) => grantJson(grant));
        // First, since the comparison may find that the log is broken.
        print(output(json, `${textOf(grants)}\n`));
        const every = await store.breakGlass.list({ teamId, all: true });
        const problems = await compared(every, options, progress);
        progress.clear();
        problems.forEach((problem) => process.stderr.write(`${problem}\n`));
        return problems.length === 0 ? 0 : 1;
      }),
    );
}

async function compared(
  grants: readonly Grant[],
  { data = '', team }: ListOptions,
  progress: ProgressLine,
): Promise<readonly string[]> {
  const records = await findRecords(data, { operations: GRANT_OPERATIONS }, progress);
  const isWanted = ({ team_id: of }: RecordBody): boolean =>
    team === undefined || of === null || of === team.toLowerCase();
  return grantProblems(grants, records.filter(isWanted));
}

function reviewCommand(): Command {
  return base('review', 'record whether a use of emergency access was justified')
    .argument('<grant id>', 'id shown by `list`')
    .addOption(
      new Option('--outcome <outcome>', 'review outcome')
        .choices(REVIEW_OUTCOMES)
        .makeOptionMandatory(),
    )
    .requiredOption(
      '--by <name>',
      'name of the reviewer; must not be the person who used the access',
    )
    .option('--note <text>', 'review note')
    .action((grantId: string, options: ReviewOptions) =>
      withRecordedStore(options, async (store) => {
        const { by: name, outcome, note } = options;
        if (name.trim() === '') {
          throw new OperatorError('--by: The name of the reviewer is required.', 2);
        }
        const grant = await store.breakGlass.review(grantId, { by: { name }, outcome, note });
        return output(grantJson(grant), `Grant ${grant.grantId} was reviewed: ${outcome}.\n`);
      }),
    );
}

function textOf(grants: readonly Grant[]): string {
  return grants.length === 0 ? 'No grants.' : grants.map(paragraphOf).join('\n\n');
}

function paragraphOf(grant: Grant): string {
  const state =
    grant.reviewed !== undefined
      ? `${grant.outcome ?? ''}, reviewed ${minuteOf(grant.reviewed)} by ${grant.reviewedBy ?? ''}`
      : `${grant.overdue ? 'OVERDUE since' : 'review due'} ${minuteOf(grant.reviewDue)}`;
  return [
    `${grant.grantId}  ${state}`,
    `  ${minuteOf(grant.granted)}  ${holderOf(grant)}, team ${grant.teamId})`,
    `  patient ${grant.userId}, ${grant.reasonCode}: ${oneLine(grant.text)}`,
    ...(grant.note === undefined ? [] : [`  note: ${oneLine(grant.note)}`]),
  ].join('\n');
}

function holderOf({ keyId, keyLabel, staffId, staffName, role }: Grant): string {
  return keyId === undefined
    ? `${staffName ?? ''} (${role}, staff ${staffId ?? ''}`
    : `${keyLabel ?? ''} (${role}, key ${keyId}`;
}

const minuteOf = (date: Date): string => `${date.toISOString().slice(0, 16)}Z`;

const oneLine = (text: string): string => text.replace(/\p{C}+/gu, ' ');
