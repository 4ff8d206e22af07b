import { Option, type Command } from 'commander';
import { existsSync } from 'node:fs';
import { SigningKey } from '@caregate/audit-log';
import { requireDataInFolder } from '../backup/in-database.ts';
import { openBackup, type OpenBackup } from '../backup/open-backup.ts';
import { restoreFolder, type Restored } from '../backup/restore-folder.ts';
import { parseFileToRead } from '../config/run-as.ts';
import { settings } from '../config/service-config.ts';
import { createAction, buildDataCommand } from './command.ts';
import { CommandLog } from './common/command-log.ts';
import { createOutput } from './common/run-command.ts';

const notes = `
Takes what caregate backup made, a folder or an archive (- for standard input), once all of it holds: the digest of each file, the
databases (SQLite's integrity check), the whole audit log, which may not be older than the checkpoint in --checkpoint-copy, and the
signature of the list of its files. That must be by a key of --public-key (caregate audit public-key prints it; keep it elsewhere), or
else of the data folder; where neither has a key, the backup can only be checked against itself, and that is said.

Into an empty or new folder it restores everything. Into a folder with data it restores only what is missing or damaged: the health
data (store.db), access (access.db: keys, staff, desks) or the audit log. The rest stays as it is. What it replaces is moved to
DIR.replaced-TIME, or DIR/replaced-TIME where DIR is a disk of its own. Keys, staff and desks that were taken away since the backup
lose their access again, and people who were erased are erased again. With --all everything is taken from the backup, and what had
been taken away comes back.

The restore is recorded. What the backup does not know (later imports, keys, reviews) is to be done again. Then start the service.
Exit codes: 0 success, 1 failure, 2 wrong backup or folder, or a full disk; with 2 nothing was changed. After 1, run it again.`;

interface Options {
  readonly all?: boolean;
  readonly checkpointCopy?: string;
  readonly publicKey?: string;
}

export function makeCommand(): Command {
  const { variable, about } = settings.checkpointCopy;
  return buildDataCommand(
    'restore',
    'restores from a backup what a data folder lacks, or all of it',
  )
    .argument(
      '<backup>',
      'folder or archive that caregate backup made; - for an archive on standard input',
      openBackup,
    )
    .option('--all', 'take everything from the backup, also what is whole')
    .addOption(new Option('--checkpoint-copy <dir>', about).env(variable))
    .option(
      '--public-key <key>',
      'public key of the audit log that signed the backup, or a file with it (default: the key in the data folder)',
      parseFileToRead,
    )
    .addHelpText('after', notes)
    .action(
      createAction(async ({ log, progress }, options: Options, backup: OpenBackup) => {
        const { all = false, checkpointCopy = '', publicKey } = options;
        requireDataInFolder(log.dataDir, 'restore');
        const restored = await restoreFolder(backup, log.dataDir, {
          ...{ isAll: all, checkpointCopy, publicKey, onProgress: progress.draw },
          record: async (folder, act) => {
            // Without the signing key, the log can't accept a record.
            if (existsSync(new SigningKey(folder).file)) {
              await new CommandLog({ dataDir: folder }).record(act);
            }
          },
        });
        return createOutput(restored, formatRestored);
      }),
    );
}

function formatRestored(report: Restored): string {
  const { access_taken_away_again: access, erased_again: erased } = report;
  const lines = [
    `${report.folder}: restored ${report.restored.map(({ part }) => part).join(', ')} from the backup of ${report.made_at}; its audit log verified, ${report.records} records.`,
    report.checked_by === null
      ? `The backup could only be checked against itself: whoever can sign another as a whole would pass. Compare the key that signed it with the one that you keep in another place, or name that with --public-key: ${report.signed_by}`
      : `It is signed by the key of ${report.checked_by}.`,
    ...report.restored.filter(({ why }) => why !== '').map(({ why }) => `  ${why}`),
    report.kept.length > 0 && `Kept as it was: ${report.kept.join(', ')}.`,
    report.replaced_files !== null && `What was replaced is in ${report.replaced_files}.`,
    access > 0 && `Revoked again: the access of ${access} keys, people or desks.`,
    erased > 0 && `Erased again: ${erased} people.`,
    ...report.unknown,
  ];
  return lines.map((line) => (line === false ? '' : `${line}\n`)).join('');
}
