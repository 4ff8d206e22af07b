import { Command, Option } from 'commander';
import { backupFolder } from '../database/sqlite/backup-folder.ts';
import { runCommand } from './start/run-command.ts';

const notes = `
The service may go on running. Restore: caregate serve --data DIR on the backup, or on a copy of it. What was recorded in
the audit log after the backup is not in it: witnesses who hold a later checkpoint will see that.
The backup holds health data and the log's signing key: keep it as you keep the data folder.
A database (DATABASE_URL) is backed up by PostgreSQL's own means; apps/service/README.md has the recipe.
Exit codes: 0 done, 1 failed, nothing is left, 2 wrong usage.`;

/** `caregate backup`: a copy of a data folder, made while it is served. */
export function backupCommand(): Command {
  return new Command('backup')
    .summary('copy a data folder while it is served')
    .description('Copies a data folder, complete and checked, into a new folder.')
    .argument('<dir>', 'folder to make')
    .addOption(new Option('--data <dir>', 'data folder').env('CAREGATE_DATA').makeOptionMandatory())
    .addHelpText('after', notes)
    .exitOverride((stop) => process.exit(stop.exitCode === 0 ? 0 : 2))
    .action(async (to: string, { data }: { readonly data: string }) => {
      await runCommand(async () => `${to}: ${(await backupFolder(data, to)).join(', ')}\n`);
    });
}
