import { Command, Option } from 'commander';
import { writeFileSync } from 'node:fs';
import { backupFolder } from '../backup/backup-folder.ts';
import { encryptBackup } from '../backup/encrypted-backup.ts';
import type { CommandAct } from '../audit/record-acts.ts';
import { lastBackupFile } from '../database/sqlite/last-backup.ts';
import { copyFolderLog } from '../audit/offline/open-log.ts';
import { CommandLog } from './start/command-log.ts';
import { runCommand, output } from './start/run-command.ts';

const notes = `
The service can keep running. Audit records written after the backup are missing from it, which shows when the log is
verified against a later checkpoint. The backup is recorded in the audit log before it is made, and that record is part of it.
A plain backup contains health data and the signing key of the log: protect it like the data folder. With --recipient, <to> is
one file that only the private keys of the recipients open (age; in it a tar archive); keep those on no server. The copy that is
encrypted stands in the data folder meanwhile.
To restore: caregate restore. To back up a database (DATABASE_URL), use PostgreSQL's tools; apps/service/README.md has
instructions.
Exit codes: 0 success, 1 failure, 2 wrong folder, file or recipient, or a full disk; unless it is 0, no partial backup is left.`;

interface Options {
  readonly data: string;
  readonly recipient?: string[];
}

export function backupCommand(): Command {
  return new Command('backup')
    .description(
      'Copies a data folder into a new folder, or encrypted into a new file, and verifies the copy.',
    )
    .argument('<to>', 'folder to create, or, with --recipient, file; must not exist')
    .addOption(new Option('--data <dir>', 'data folder').env('CAREGATE_DATA').makeOptionMandatory())
    .option(
      '--recipient <age1…>',
      'encrypt for this public key (age-keygen prints it); can be given several times',
      (given: string, before: string[] | undefined) => [...(before ?? []), given],
    )
    .addHelpText('after', notes)
    .action(async (to: string, { data, recipient: recipients }: Options) => {
      await runCommand(async (progress) => {
        const details = recipients === undefined ? {} : { recipients: recipients.length };
        const files = await recorded(data, details, (before) => {
          const copy = (into: string): Promise<readonly string[]> =>
            backupFolder(data, into, {
              before,
              copyLog: (part, onBytes) => copyFolderLog(data, part, onBytes),
              onProgress: (done, of) => {
                progress.draw('bytes copied and checked', done, of);
              },
            });
          return recipients === undefined
            ? copy(to)
            : encryptBackup(data, to, {
                ...{ recipients, copy },
                onProgress: (done, of) => {
                  progress.draw('bytes encrypted', done, of);
                },
              });
        });
        writeFileSync(lastBackupFile(data), `${to}\n`, { mode: 0o600 });
        if (recipients === undefined) {
          return output({ folder: to, files }, `${to}: ${files.join(', ')}\n`);
        }
        const text = `${to}, for ${recipients.length} recipients: ${files.join(', ')}\n`;
        return output({ file: to, recipients: recipients.length, files }, text);
      });
    });
}

/** Recorded first, so that the record is in the copied log. */
async function recorded(
  data: string,
  details: CommandAct['details'],
  make: (before: () => Promise<void>) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const act = { operation: 'backup', details };
  const log = new CommandLog({ dataDir: data });
  let failed = (): Promise<void> => Promise.resolve();
  try {
    return await make(async () => {
      await log.record(act);
      failed = () => log.recordFailure(act);
    });
  } catch (error) {
    await failed();
    throw error;
  }
}
