import { Command, Option } from 'commander';
import { backupFolder } from '../database/sqlite/backup-folder.ts';
import { runCommand } from './start/run-command.ts';

const notes = `
The service can keep running. To restore, run caregate serve --data DIR on the backup or a copy of it. Audit records
written after the backup are missing from it, which shows when the log is verified against a later checkpoint.
The backup contains health data and the signing key of the log: protect it like the data folder.
To back up a database (DATABASE_URL), use PostgreSQL's tools; apps/service/README.md has instructions.
Exit codes: 0 success, 1 failure (no partial backup is left), 2 usage error.`;

/** `caregate backup`: backs up a data folder; the service can keep running. */
export function backupCommand(): Command {
  return new Command('backup')
    .summary('back up a data folder; the service can keep running')
    .description('Copies a data folder into a new folder and verifies the copy.')
    .argument('<dir>', 'folder to create; must not exist')
    .addOption(new Option('--data <dir>', 'data folder').env('CAREGATE_DATA').makeOptionMandatory())
    .addHelpText('after', notes)
    .exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 2))
    .action(async (to: string, { data }: { readonly data: string }) => {
      await runCommand(async () => `${to}: ${(await backupFolder(data, to)).join(', ')}\n`);
    });
}
