import { Command, Option } from 'commander';
import { existsSync } from 'node:fs';
import { logPaths } from '@caregate/audit-log';
import { restoreFolder } from '../backup/restore-folder.ts';
import { settings } from '../config/service-config.ts';
import { CommandLog } from './start/command-log.ts';
import { output, runCommand } from './start/run-command.ts';

const notes = `
Takes what caregate backup made, a folder or an archive (- for standard input), and puts it into an empty or new folder once all of it holds:
the digest of each file, the databases (SQLite's integrity check), and the whole audit log, which may not be older than the
checkpoint in --checkpoint-copy. The restore is recorded in the restored log. Then start the service on the folder.
Records written after the backup are missing; what the backup does not know (later imports, keys, reviews) is to be done again.
Exit codes: 0 success, 1 failure, 2 wrong backup or folder, or a full disk; unless it is 0, nothing was changed.`;

interface Options {
  readonly data: string;
  readonly checkpointCopy?: string;
}

export function restoreCommand(): Command {
  return new Command('restore')
    .description('Restores a backup into an empty data folder, and verifies it.')
    .argument(
      '<backup>',
      'folder or archive that caregate backup made; - for an archive on standard input',
    )
    .addOption(
      new Option('--data <dir>', 'data folder to create; empty, if it exists')
        .env('CAREGATE_DATA')
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--checkpoint-copy <dir>', settings.checkpointCopy.about).env(
        settings.checkpointCopy.variable,
      ),
    )
    .addHelpText('after', notes)
    .action(async (backup: string, { data, checkpointCopy }: Options) => {
      await runCommand(async (progress) => {
        const { madeAt, files, log } = await restoreFolder(backup, data, {
          ...{ checkpointCopy, onProgress: progress.draw },
          record: async (folder) => {
            // A copy without the signing key takes no record.
            if (existsSync(logPaths(folder).key)) {
              await new CommandLog({ dataDir: folder }).record(act);
            }
          },
        });
        const records = log?.size ?? 0;
        return output(
          { folder: data, made_at: madeAt, files, records },
          `${data}: ${files.join(', ')}\nOf ${madeAt}; its audit log holds, ${records} records.\n`,
        );
      });
    });
}

const act = { operation: 'restore', details: {} };
