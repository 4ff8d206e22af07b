import { Command, Option } from 'commander';
import { writeFileSync } from 'node:fs';
import { backupFolder, lastBackupFile } from '../database/sqlite/backup-folder.ts';
import { copyFolderLog } from '../audit/offline/open-log.ts';
import { CommandLog } from './start/command-log.ts';
import { runCommand, output } from './start/run-command.ts';

const notes = `
The service can keep running. To restore, run caregate serve --data DIR on the backup or a copy of it. Audit records
written after the backup are missing from it, which shows when the log is verified against a later checkpoint.
The backup is recorded in the audit log before it is made, and that record is part of it.
The backup contains health data and the signing key of the log: protect it like the data folder.
To back up a database (DATABASE_URL), use PostgreSQL's tools; apps/service/README.md has instructions.
Exit codes: 0 success, 1 failure (no partial backup is left), 2 usage error.`;

export function backupCommand(): Command {
  return new Command('backup')
    .description('Copies a data folder into a new folder and verifies the copy.')
    .argument('<dir>', 'folder to create; must not exist')
    .addOption(new Option('--data <dir>', 'data folder').env('CAREGATE_DATA').makeOptionMandatory())
    .addHelpText('after', notes)
    .action(async (to: string, { data }: { readonly data: string }) => {
      await runCommand(async (progress) => {
        const files = await recordedBackup(data, to, (done, of) => {
          progress.draw('bytes copied and checked', done, of);
        });
        return output({ folder: to, files }, `${to}: ${files.join(', ')}\n`);
      });
    });
}

const act = { operation: 'backup', details: {} };

/** Recorded first, so that the record is in the copied log. */
async function recordedBackup(
  data: string,
  to: string,
  onProgress: (done: number, of: number) => void,
): Promise<readonly string[]> {
  const log = new CommandLog({ dataDir: data, databaseUrl: '' });
  let failed = (): Promise<void> => Promise.resolve();
  try {
    const files = await backupFolder(data, to, {
      before: async () => {
        await log.record(act);
        failed = () => log.recordFailure(act);
      },
      copyLog: (part, onBytes) => copyFolderLog(data, part, onBytes),
      onProgress,
    });
    writeFileSync(lastBackupFile(data), `${to}\n`, { mode: 0o600 });
    return files;
  } catch (error) {
    await failed();
    throw error;
  }
}
