import { REVIEW_OUTCOMES, type ReviewOutcome } from '@caregate/domain';
import { Command, Option } from 'commander';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { AccessStore } from '../access/access-store.ts';
import { grantJson } from '../access/break-glass/grant-json.ts';
import { BreakGlassError } from '../access/break-glass-store.ts';
import type { Grant } from '../access/grant.ts';
import { actRecords, actRecordsOfDatabase, type ActRecords } from '../audit/cli/act-records.ts';
import { logPaths, type RecordBody } from '@caregate/audit-log';
import { inFolder } from '../audit/offline/one-log.ts';
import { OperatorError } from '../config/operator-error.ts';
import { onDatabase } from './audit/audit-work.ts';
import { GRANT_OPERATIONS, grantProblems } from './grant-check.ts';
import { CommandLog } from './start/command-log.ts';
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
  '\nExit codes: 0 success, 1 failure (disk, store) or a grant that differs from the audit log, 2 usage error or unknown grant.';

const listHelp = `
All grants and reviews are compared with their records in the audit log, which has hashes of the texts, with the salts
kept beside the texts. A grant that was edited, added or removed is reported on standard error, and the exit code is 1.
(A service that was killed while it granted access may leave a record without a grant.) Whether the log itself was
altered is verified by caregate audit verify.`;

/** `caregate break-glass`: the review queue of emergency access; the service can keep running. */
export function breakGlassCommand(): Command {
  return new Command('break-glass')
    .summary('list and review uses of emergency access')
    .description('Lists and reviews uses of emergency access; a review is due within 72 hours.')
    .addHelpText('after', exitCodes)
    .addCommand(listCommand())
    .addCommand(reviewCommand());
}

function listCommand(): Command {
  return base('list', 'list grants awaiting review, newest first')
    .option('--team <uuid>', 'only this team')
    .option('--all', 'include reviewed grants')
    .addHelpText('after', listHelp)
    .action((options: ListOptions) =>
      runCommand(() =>
        withAccess(options.data, async (store) => {
          const { team: teamId, all = false } = options;
          const grants = await store.breakGlass.list({ teamId, all });
          print(
            options,
            grants.map((grant) => grantJson(grant)),
            textOf(grants),
          );
          const problems = await compared(await store.breakGlass.every(teamId), options);
          problems.forEach((problem) => process.stderr.write(`${problem}\n`));
          return problems.length === 0 ? 0 : 1;
        }),
      ),
    );
}

/** Sentences about grants that differ from their records in the audit log. */
async function compared(
  grants: readonly Grant[],
  { data, team }: ListOptions,
): Promise<readonly string[]> {
  const found = await onDatabase(
    (pool) => actRecordsOfDatabase(pool, GRANT_OPERATIONS),
    () => recordsOfFolder(data),
  );
  const isWanted = ({ team_id: of }: RecordBody): boolean =>
    team === undefined || of === null || of === team.toLowerCase();
  return grantProblems(grants, { ...found, records: found.records.filter(isWanted) });
}

/** None in a folder without a log, such as one that was never served. */
async function recordsOfFolder(data: string | undefined): Promise<ActRecords> {
  if (data === undefined || !existsSync(logPaths(resolve(data)).audit)) {
    return { records: [], keptFromMs: undefined };
  }
  return await inFolder(data, (log) => actRecords(log, GRANT_OPERATIONS));
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
        print(options, grantJson(grant), `Grant ${grant.grantId} was reviewed: ${outcome}.`);
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
        'data folder, created if missing; with DATABASE_URL, the folder with the key that signs the audit log',
      ).env('CAREGATE_DATA'),
    )
    .option('--json', 'print JSON');
}

/** Runs a command that changes a grant, which is recorded. */
async function withRecordedStore(
  options: Common,
  work: (store: AccessStore) => Promise<void>,
): Promise<void> {
  await runCommand(async () => {
    try {
      await withAccess(options.data, work, CommandLog.of(options.data).acts);
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

/** Removes control characters from untrusted text for terminals. */
const oneLine = (text: string): string => text.replace(/\p{C}+/gu, ' ');
