import { OperatorError } from '../config/operator-error.ts';
import { Command, Option } from 'commander';
import { postgresUrl } from '../config/parsers.ts';
import { moveFolder } from '../move/move-folder.ts';
import { runCommand, output } from './start/run-command.ts';

const notes = `
Stop the service first; no other process may use the folder during the move. The database must be empty, run PostgreSQL
15 or later, and be owned by the connecting user. Without --to, DATABASE_URL is used, which keeps the password out of the
process list. All tables and the audit log, verified, are copied in one transaction, all or nothing; the databases in the folder are then renamed to
*.moved. Next: set DATABASE_URL and run caregate serve --data DIR, whose key goes on signing the log in the database.
Exit codes: 0 success, 1 failure (nothing was changed), 2 usage error or not a data folder.`;

export function moveCommand(): Command {
  return new Command('move')
    .description('Moves a data folder into an empty PostgreSQL database.')
    .requiredOption('--from <dir>', 'data folder to move')
    .addOption(new Option('--to <url>', 'postgresql:// URL of the destination').env('DATABASE_URL'))
    .addHelpText('after', notes)
    .action(({ from, to = '' }: { readonly from: string; readonly to?: string }) =>
      runCommand(async () => {
        const url = postgresUrl(to);
        if (!url.ok) {
          throw new OperatorError(`--to (or DATABASE_URL) must be ${postgresUrl.expects}.`, 2);
        }
        const { to: at, counts } = await moveFolder(from, url.value);
        const rows = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
        return output({ from, to: at, counts }, `Moved ${from} to ${at}: ${rows.join(', ')}\n`);
      }),
    );
}
