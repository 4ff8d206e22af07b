import { OperatorError } from '../config/operator-error.ts';
import { Command, Option } from 'commander';
import { readReplicated } from '../config/read-config.ts';
import { postgresUrl } from '../config/parsers.ts';
import { moveFolder, type MoveReport } from '../move/move-folder.ts';
import type { ProgressLine } from './start/progress-line.ts';
import { runCommand, output, type Output } from './start/run-command.ts';

const notes = `
Stop the service first; no other process may use the folder during the move. The database must be empty, run PostgreSQL
15 or later, and be owned by the connecting user. Without --to, DATABASE_URL is used, which keeps the password out of the
process list.

Health data, keys, secrets, emergency access grants and the audit log are moved in one transaction: all or nothing. The
databases in the folder are then renamed to *.moved, and the folder can only be served with DATABASE_URL. If the command
is interrupted, run it again. The audit log is verified before and after the move. It continues in the database as the
log of the instance that serves this folder (--data DIR, which keeps the signing key); old checkpoints stay valid.
Exit codes: 0 success, 1 failure (nothing was changed, or all is moved if PostgreSQL did not confirm its commit: run it again),
2 usage error or not a data folder.`;

interface Options {
  readonly from: string;
  readonly to?: string;
}

export function moveCommand(): Command {
  return new Command('move')
    .description('Moves a data folder into an empty PostgreSQL database.')
    .requiredOption('--from <sqlite:DIR>', 'data folder to move')
    .addOption(new Option('--to <url>', 'postgresql:// URL of the destination').env('DATABASE_URL'))
    .addHelpText('after', notes)
    .action(async (options: Options) => {
      await runCommand((progress) => move(options, progress));
    });
}

async function move({ from, to = '' }: Options, progress: ProgressLine): Promise<Output> {
  const dataDir = /^sqlite:(.+)$/u.exec(from)?.[1];
  if (dataDir === undefined) {
    throw new OperatorError('--from must be sqlite:DIR, where DIR is a data folder.', 2);
  }
  const url = postgresUrl(to);
  if (!url.ok) {
    throw new OperatorError(`--to (or DATABASE_URL) must be ${postgresUrl.expects}.`, 2);
  }
  const report = await moveFolder(
    dataDir,
    { url: url.value, replicated: readReplicated(process.env) },
    progress.draw,
  );
  const { to: at, alreadyMoved, counts } = report;
  const json = { from: dataDir, to: at, already_moved: alreadyMoved, counts };
  return output(json, reportText(dataDir, report));
}

function reportText(dataDir: string, { to, counts, alreadyMoved }: MoveReport): string {
  const told = Object.entries(counts).map(
    ([name, count]) => `${count.toLocaleString('en-US')} ${name}`,
  );
  return [
    alreadyMoved ? `${dataDir} was already moved to ${to}.` : `Moved ${dataDir} to ${to}:`,
    ...(told.length > 0 ? [`  ${told.join(', ')}`] : []),
    `Next: set DATABASE_URL and run caregate serve --data ${dataDir}. The audit log continues in the database.`,
    `The old databases were renamed to ${dataDir}/*.moved. Delete them after the database has been backed up.`,
    '',
  ].join('\n');
}
