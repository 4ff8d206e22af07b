import {
  REVIEW_HOURS,
  REVIEW_OUTCOMES,
  type BreakGlassGrant,
  type ReviewOutcome,
} from '@caregate/domain';
import { Command, Option } from 'commander';
import { toGrantJson } from '../auth/break-glass/grant-json.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { GRANT_OPERATIONS, findGrantProblems } from './grant-check.ts';
import { createAction, createChangeAction, buildDataCommand } from './command.ts';
import { createOutput, print } from './common/run-command.ts';

interface ReviewOptions {
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

export function buildBreakGlassCommand(): Command {
  return new Command('break-glass')
    .summary('list and review uses of emergency access')
    .description(
      `Lists and reviews uses of emergency access; a review is due within ${REVIEW_HOURS} hours.`,
    )
    .addHelpText('after', exitCodes)
    .addCommand(buildListCommand())
    .addCommand(buildReviewCommand());
}

function buildListCommand(): Command {
  return buildDataCommand('list', 'list grants awaiting review, oldest first')
    .option('--team <uuid>', 'only this team')
    .option('--all', 'include reviewed grants, newest first')
    .addHelpText('after', listHelp)
    .action(
      createAction((context, { team, all = false }: { team?: string; all?: boolean }) =>
        context.readAccess(async (store) => {
          const grants = await store.breakGlass.list({ teamId: team, all });
          // Print first, since the comparison may find that the log is broken.
          print(
            createOutput(
              grants.map((grant) => toGrantJson(grant)),
              describeGrants,
            ),
          );
          const allGrants = await store.breakGlass.list({ teamId: team, all: true });
          const records = await context.findRecords({ operations: GRANT_OPERATIONS });
          const teamRecords = records.filter(
            ({ team_id: recordTeamId }) =>
              team === undefined || recordTeamId === null || recordTeamId === team.toLowerCase(),
          );
          const problems = findGrantProblems(allGrants, teamRecords);
          context.progress.clear();
          problems.forEach((problem) => process.stderr.write(`${problem}\n`));
          return problems.length === 0 ? 0 : 1;
        }),
      ),
    );
}

function buildReviewCommand(): Command {
  return buildDataCommand('review', 'record whether a use of emergency access was justified')
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
    .action(
      createChangeAction(
        async (store, { by: name, outcome, note }: ReviewOptions, grantId: string) => {
          if (name.trim() === '') {
            throw new OperatorError('--by: The name of the reviewer is required.', 2);
          }
          const grant = await store.breakGlass.review(grantId, { by: { name }, outcome, note });
          return createOutput(
            toGrantJson(grant),
            () => `Grant ${grant.grant_id} was reviewed: ${outcome}.\n`,
          );
        },
      ),
    );
}

function describeGrants(grants: readonly BreakGlassGrant[]): string {
  return grants.length === 0 ? 'No grants.\n' : `${grants.map(describeGrant).join('\n\n')}\n`;
}

function describeGrant(grant: BreakGlassGrant): string {
  const { reviewed_at: reviewed = null, reviewed_by: reviewer, outcome, note = null } = grant;
  const state =
    reviewed === null
      ? `${grant.overdue ? 'OVERDUE since' : 'review due'} ${formatMinute(grant.review_due_at)}`
      : `${outcome ?? ''}, reviewed ${formatMinute(reviewed)} by ${reviewer ?? ''}`;
  const holder =
    grant.key_id === null
      ? `${grant.staff_name ?? ''} (${grant.role}, staff ${grant.staff_id ?? ''}`
      : `${grant.key_label ?? ''} (${grant.role}, key ${grant.key_id}`;
  return [
    `${grant.break_glass_id}  ${state}`,
    `  ${formatMinute(grant.granted_at)}  ${holder}, team ${grant.team_id})`,
    `  patient ${grant.user_id}, ${grant.reason_code}: ${toOneLine(grant.text)}`,
    ...(note === null ? [] : [`  note: ${toOneLine(note)}`]),
  ].join('\n');
}

const formatMinute = (time: string): string => `${time.slice(0, 16)}Z`;

const toOneLine = (text: string): string => text.replace(/\p{C}+/gu, ' ');
