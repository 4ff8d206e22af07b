import { REVIEW_OUTCOMES, type ReviewOutcome } from '@caregate/domain';
import { Command, Option } from 'commander';
import type { AccessStore } from '../access/access-store.ts';
import { grantJson } from '../access/break-glass/grant-json.ts';
import { BreakGlassError, type Grant } from '../access/break-glass-store.ts';
import { OperatorError } from '../config/operator-error.ts';
import { withAccess } from './start/open-access.ts';
import { runCommand } from './start/run-command.ts';

interface Common {
  readonly data?: string;
  readonly json?: true;
}
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
  '\nExit codes: 0 done, 1 failed (disk, store), 2 refused (wrong usage, no such grant).';

/** `caregate break-glass`: the review queue of emergency access. The service may go on running. */
export function breakGlassCommand(): Command {
  return new Command('break-glass')
    .summary('list and review uses of emergency access')
    .description('Lists and reviews uses of emergency access; a review is due within 72 hours.')
    .addHelpText('after', exitCodes)
    .addCommand(listCommand())
    .addCommand(reviewCommand());
}

function listCommand(): Command {
  return base('list', 'list grants that await review, newest first')
    .option('--team <uuid>', 'of this team only')
    .option('--all', 'reviewed ones too')
    .action((options: ListOptions) =>
      withStore(options, async (store) => {
        const { team: teamId, all = false } = options;
        const grants = await store.breakGlass.list({ teamId, all });
        print(options, grants.map(grantJson), textOf(grants));
      }),
    );
}

function reviewCommand(): Command {
  return base('review', 'say whether a use of emergency access was justified')
    .argument('<grant id>', 'as `list` shows it')
    .addOption(
      new Option('--outcome <outcome>', 'the verdict')
        .choices(REVIEW_OUTCOMES)
        .makeOptionMandatory(),
    )
    .requiredOption('--by <name>', 'who reviews; not who asked')
    .option('--note <text>', 'what was found')
    .action((grantId: string, options: ReviewOptions) =>
      withStore(options, async (store) => {
        const { by: name, outcome, note } = options;
        if (name.trim() === '') {
          throw new OperatorError('--by: Name who reviews.', 2);
        }
        const grant = await store.breakGlass.review(grantId, { by: { name }, outcome, note });
        print(options, grantJson(grant), `Grant ${grant.grantId} is reviewed: ${outcome}.`);
      }),
    );
}

function base(name: string, summary: string): Command {
  return new Command(name)
    .summary(summary)
    .description(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`)
    .addOption(
      new Option(
        '--data <dir>',
        'data folder, made where it is missing; not needed with DATABASE_URL',
      ).env('CAREGATE_DATA'),
    )
    .option('--json', 'print JSON');
}

async function withStore(
  options: Common,
  work: (store: AccessStore) => Promise<void>,
): Promise<void> {
  await runCommand(async () => {
    try {
      await withAccess(options.data, work);
    } catch (error) {
      throw error instanceof BreakGlassError && error.reason === 'own'
        ? new OperatorError(`--by: ${error.message}`, 2, error)
        : error;
    }
  });
}

function print(options: Common, json: unknown, text: string): void {
  process.stdout.write(`${options.json === true ? JSON.stringify(json) : text}\n`);
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
    `  ${minuteOf(grant.granted)}  ${grant.keyLabel} (${grant.role}, key ${grant.keyId}, team ${grant.teamId})`,
    `  patient ${grant.userId}, ${grant.reasonCode}: ${oneLine(grant.text)}`,
    ...(grant.note === undefined ? [] : [`  note: ${oneLine(grant.note)}`]),
  ].join('\n');
}

const minuteOf = (date: Date): string => `${date.toISOString().slice(0, 16)}Z`;

/** Text that a stranger wrote must not steer a terminal. */
const oneLine = (text: string): string => text.replace(/\p{C}+/gu, ' ');
