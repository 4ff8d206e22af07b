import { OperatorError } from '../config/operator-error.ts';
import { Command, Option } from 'commander';
import { postgresUrl } from '../config/parsers.ts';
import { moveFolder, type MoveReport } from '../move/move-folder.ts';
import type { OnProgress } from '../move/progress.ts';
import { runCommand } from './start/run-command.ts';

const notes = `
Stop the service first; nothing else may use the folder meanwhile. The database must be empty, PostgreSQL 15 or later, and
the user its owner. Without --to the address is read from DATABASE_URL, so that no password stands in the list of processes.

Health data, keys, secrets, emergency accesses and the audit log go in one transaction: all or nothing, whatever ends it.
Then the folder's databases are put aside as *.moved and it can't be served without DATABASE_URL any more. If the command
is ended, run the same again. The audit log is verified before and after; it goes on in the database as the log of the
instance that serves with this folder (--data DIR, its key stays there), and its old checkpoints hold.
Exit codes: 0 moved, 1 failed or refused, nothing was changed, 2 wrong usage or no data folder.`;

interface Options {
  readonly from: string;
  readonly to?: string;
}

/** `caregate move`: from a data folder to PostgreSQL. */
export function moveCommand(): Command {
  return new Command('move')
    .summary('move a data folder into a PostgreSQL database')
    .description('Moves all of a data folder into an empty PostgreSQL database.')
    .requiredOption('--from <sqlite:DIR>', 'data folder to move')
    .addOption(new Option('--to <url>', 'postgresql:// address to move to').env('DATABASE_URL'))
    .addHelpText('after', notes)
    .exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 2))
    .action(async (options: Options) => {
      await runCommand(() => move(options));
    });
}

async function move({ from, to = '' }: Options): Promise<string> {
  const dataDir = /^sqlite:(.+)$/u.exec(from)?.[1];
  if (dataDir === undefined) {
    throw new OperatorError('--from must be sqlite:DIR, with the data folder.', 2);
  }
  const url = postgresUrl(to);
  if (!url.ok) {
    throw new OperatorError(`--to (or DATABASE_URL) must be ${postgresUrl.expects}.`, 2);
  }
  const line = progressLine(process.stderr);
  try {
    return reportText(dataDir, await moveFolder(dataDir, url.value, line.draw));
  } finally {
    line.clear();
  }
}

function reportText(dataDir: string, { to, counts, earlier }: MoveReport): string {
  const told = Object.entries(counts).map(
    ([name, count]) => `${count.toLocaleString('en-US')} ${name}`,
  );
  return [
    earlier ? `An earlier run moved ${dataDir} to ${to}.` : `Moved ${dataDir} to ${to}:`,
    ...(told.length > 0 ? [`  ${told.join(', ')}`] : []),
    `Next: set DATABASE_URL and run caregate serve --data ${dataDir}; its audit log goes on there.`,
    `The old databases are ${dataDir}/*.moved; remove them once a backup of the database is made.`,
    '',
  ].join('\n');
}

/** One line on a terminal, drawn over itself at most ten times a second; nothing where there is no terminal. */
function progressLine(terminal: NodeJS.WriteStream): { draw: OnProgress; clear: () => void } {
  let drawn = -Infinity;
  return {
    draw: (what, done, of) => {
      const now = performance.now();
      if (terminal.isTTY && now - drawn >= 100) {
        drawn = now;
        const text = `${what}  ${done.toLocaleString('en-US')} of ${of.toLocaleString('en-US')}`;
        terminal.write(`\r${text.slice(0, Math.max(20, terminal.columns - 1))}\u001B[K`);
      }
    },
    clear: () => {
      if (terminal.isTTY) {
        terminal.write('\r\u001B[K');
      }
    },
  };
}
