import type { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import { AuditBrokenError, AuditLogError } from '@caregate/audit-log';
import { lastBackupFile } from '@caregate/data-store/database';
import { lostStore, RESTORE_STORE } from '../audit/lost-data.ts';
import { inFolder } from '../audit/read-logs.ts';
import { backupFolder } from '../backup/backup-folder.ts';
import { isSameDisk } from '../backup/disk-space.ts';
import { requireDataInFolder } from '../backup/in-database.ts';
import { datedPath, removeOldBackups, requireBackupFolder } from '../backup/nightly.ts';
import { OperatorError } from '../config/operator-error.ts';
import { readSetting } from '../config/read-config.ts';
import { action, dataCommand, type CommandContext } from './command.ts';
import { output, type Output } from './common/run-command.ts';

const notes = `
The service can keep running. The backup is recorded in the audit log before it is made; later records are missing from it, which shows
when the log is verified against a later checkpoint. It contains health data and the signing key of the log: protect it like the data
folder, and encrypt it before it leaves the machine:

  caregate backup COPY && tar -C COPY -c . | age -r age1… > backup.tar.age        (or gpg -e -r NAME)

Without a name, the backup goes into CAREGATE_BACKUP_FOLDER under the time, and once it passes verification, those there that are older
than CAREGATE_BACKUP_DAYS are removed; others are not touched. The package's caregate-backup.timer does that each night.

To restore: caregate restore. With DATABASE_URL, or after caregate move, use PostgreSQL's tools instead; apps/service/README.md has
instructions.
Exit codes: 0 success, 1 failure, 2 wrong folder, or a full disk; unless it is 0, no partial backup is left.`;

export function makeCommand(): Command {
  return dataCommand('backup', 'copies a data folder into a new folder, and verifies the copy')
    .argument('[to]', 'folder to create; must not exist')
    .addHelpText('after', notes)
    .action(action((context, _options, to: string | undefined) => backUp(context, to)));
}

async function backUp({ log, progress }: CommandContext, to: string | undefined): Promise<Output> {
  const { dataDir: data } = log;
  const folder = readSetting(process.env, 'backupFolder');
  const days = readSetting(process.env, 'backupDays');
  if (to === undefined && folder === '') {
    throw new OperatorError('Name a folder for the backup, or set CAREGATE_BACKUP_FOLDER.', 2);
  }
  requireDataInFolder(data, 'backup');
  const lost = await lostStore(data);
  if (lost !== undefined) {
    throw new OperatorError(`${lost} ${RESTORE_STORE}`, 2);
  }
  const isNightly = to === undefined;
  if (isNightly) {
    requireBackupFolder(folder);
  }
  const path = to ?? datedPath(folder);
  const files = await log.recordFirst((record) =>
    backupFolder(
      data,
      path,
      () => record({ operation: 'backup', details: {} }),
      (done, of) => {
        progress.draw('bytes copied and checked', done, of);
      },
    ),
  );
  const removed = isNightly ? await replaceOldBackups(path, folder, days) : [];
  writeFileSync(lastBackupFile(data), `${path}\n`, { mode: 0o600 });
  const report = { folder: path, files, removed, same_disk: isSameDisk(data, path) };
  return output(report, ({ same_disk: isSame }) =>
    [
      `${path}: ${files.join(', ')}\n`,
      removed.length > 0 ? `Removed, older than ${days} days: ${removed.join(', ')}\n` : '',
      isNightly && isSame ? `${folder} is on the disk of the data, and lost with it.\n` : '',
    ].join(''),
  );
}

/** Only a backup whose log holds takes the place of others. @throws OperatorError */
async function replaceOldBackups(
  path: string,
  folder: string,
  days: number,
): Promise<readonly string[]> {
  try {
    await inFolder(path, (log) => log.verify());
  } catch (error) {
    if (!(error instanceof AuditBrokenError || error instanceof AuditLogError)) {
      throw error;
    }
    throw new OperatorError(
      `${path} was made, but its audit log does not hold, so no older backup was removed. caregate audit verify says what is wrong.`,
      1,
      error,
    );
  }
  return removeOldBackups(folder, days, path);
}
