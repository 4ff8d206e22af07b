import type { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import { AuditBrokenError, AuditLogError } from '@caregate/audit-log';
import { getLastBackupFile } from '@caregate/data-store/database';
import { describeLostStore, RESTORE_STORE } from '../audit/lost-data.ts';
import { withFolderLog } from '../audit/read-logs.ts';
import { archiveBackup } from '../backup/backup-archive.ts';
import { createBackup } from '../backup/backup-folder.ts';
import { isSameDisk } from '../backup/disk-space.ts';
import { requireDataInFolder } from '../backup/in-database.ts';
import { buildDatedPath, removeOldBackups, requireBackupFolder } from '../backup/nightly.ts';
import { OperatorError } from '@caregate/data-store/errors';
import { readSetting } from '../config/read-config.ts';
import { createAction, buildDataCommand, type CommandContext } from './command.ts';
import { createOutput, type Outcome } from './common/run-command.ts';

const notes = `
The service can keep running. The backup is recorded in the audit log before it is made; later records are missing from it, which shows
when the log is verified against a later checkpoint. It contains health data and the signing key of the log: protect it like the data
folder. --stdout writes it as a tar archive, for a program that encrypts it; a copy of the data stands in the data folder meanwhile:

  caregate backup --stdout | age -r age1… > backup.tar.age       age -d -i KEY backup.tar.age | caregate restore -
  caregate backup --stdout | gpg -e -r ops@clinic.example > backup.tar.gpg

Without a name, the backup goes into CAREGATE_BACKUP_FOLDER under the time, and once it passes verification, those there that are older
than CAREGATE_BACKUP_DAYS are removed; others are not touched. The package's caregate-backup.timer does that each night.

To restore: caregate restore. With DATABASE_URL, or after caregate move, use PostgreSQL's tools instead; see docs/operations.md.
Exit codes: 0 success, 1 failure, 2 wrong folder, or a full disk; unless it is 0, no partial backup is left.`;

interface Options {
  readonly stdout?: true;
}

export function makeCommand(): Command {
  return buildDataCommand(
    'backup',
    'copies a data folder into a new folder, or to standard output, and verifies the copy',
  )
    .argument('[to]', 'folder to create; must not exist')
    .option('--stdout', 'write a tar archive to standard output, to be piped into age or gpg')
    .addHelpText('after', notes)
    .action(createAction(backUp));
}

async function backUp(
  { log, progress }: CommandContext,
  { stdout }: Options,
  to: string | undefined,
): Promise<Outcome> {
  const { dataDir: data } = log;
  const folder = readSetting(process.env, 'backupFolder');
  const days = readSetting(process.env, 'backupDays');
  const isNightly = to === undefined && stdout === undefined && folder !== '';
  if (!isNightly && (to === undefined) === (stdout === undefined)) {
    throw new OperatorError(
      'Name either a folder for the backup, or --stdout, or set CAREGATE_BACKUP_FOLDER.',
      2,
    );
  }
  if (stdout && process.stdout.isTTY) {
    throw new OperatorError(
      '--stdout writes health data: pipe it into a program that encrypts it, such as age or gpg.',
      2,
    );
  }
  requireDataInFolder(data, 'backup');
  const lost = await describeLostStore(data);
  if (lost !== undefined) {
    throw new OperatorError(`${lost} ${RESTORE_STORE}`, 2);
  }
  const copy = (target: string): Promise<readonly string[]> =>
    log.recordFirst((record) =>
      createBackup(
        data,
        target,
        () => record({ operation: 'backup', details: {} }),
        (done, total) => {
          progress.draw('bytes copied and checked', done, total);
        },
      ),
    );
  if (stdout) {
    // A closed pipe is an error here, unlike in commands that print lists.
    process.stdout.removeAllListeners('error');
    await archiveBackup(data, process.stdout, copy);
    writeFileSync(getLastBackupFile(data), 'standard output\n', { mode: 0o600 });
    return undefined;
  }
  if (isNightly) {
    requireBackupFolder(folder);
  }
  const path = to ?? buildDatedPath(folder);
  const files = await copy(path);
  const removed = isNightly ? await replaceOldBackups(path, folder, days) : [];
  writeFileSync(getLastBackupFile(data), `${path}\n`, { mode: 0o600 });
  const report = { folder: path, files, removed, same_disk: isSameDisk(data, path) };
  return createOutput(report, ({ same_disk: isSame }) =>
    [
      `${path}: ${files.join(', ')}\n`,
      removed.length > 0 ? `Removed, older than ${days} days: ${removed.join(', ')}\n` : '',
      isNightly && isSame ? `${folder} is on the disk of the data, and lost with it.\n` : '',
    ].join(''),
  );
}

/** Removes old backups after the new one's audit log has verified. @throws OperatorError */
async function replaceOldBackups(
  path: string,
  folder: string,
  days: number,
): Promise<readonly string[]> {
  try {
    await withFolderLog(path, (log) => log.verify());
  } catch (error) {
    if (!(error instanceof AuditBrokenError || error instanceof AuditLogError)) {
      throw error;
    }
    throw new OperatorError(
      `${path} was made, but its audit log failed verification, so no older backup was removed. caregate audit verify says what is wrong.`,
      1,
      error,
    );
  }
  return removeOldBackups(folder, days, path);
}
