import { accessSync, constants, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { getErrorCode, OperatorError } from '@caregate/data-store/errors';

const DAY_MS = 86_400_000;
/** Name of a dated backup in UTC, or of an incomplete one that was stopped. */
const DATED = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z(?:\.part)?$/u;

/** Returns the path of a new backup in a folder, named by the time: `2026-11-28T02-00-00Z`. */
export function buildDatedPath(folder: string): string {
  return join(folder, `${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}Z`);
}

/**
 * Never creates the folder: if its disk isn't mounted, the backup would land on the disk of the mount point. @throws
 * OperatorError
 */
export function requireBackupFolder(folder: string): void {
  try {
    if (!statSync(folder).isDirectory()) {
      throw new OperatorError(`CAREGATE_BACKUP_FOLDER: ${folder} is no folder.`, 2);
    }
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof OperatorError) {
      throw error;
    }
    const code = getErrorCode(error);
    const why =
      code === 'ENOENT'
        ? `does not exist. Mount its disk, or make it: install -d -o caregate -m 700 ${folder}`
        : `cannot be written (${code}). Give it to the user of the service, on a disk that is mounted read-write`;
    throw new OperatorError(
      `CAREGATE_BACKUP_FOLDER: ${folder} ${why}. Nothing was backed up.`,
      2,
      error,
    );
  }
}

/**
 * Removes dated backups that are older than this number of days, except the one that was just made. @returns their
 * names
 */
export function removeOldBackups(
  folder: string,
  days: number,
  newBackup: string,
): readonly string[] {
  const old = readdirSync(folder).filter((name) => {
    const time = parseTime(name);
    return (
      time !== undefined && Date.now() - time > days * DAY_MS && join(folder, name) !== newBackup
    );
  });
  for (const name of old) {
    rmSync(join(folder, name), { recursive: true });
  }
  return old;
}

function parseTime(name: string): number | undefined {
  const [, day, hours, minutes, seconds] = DATED.exec(name) ?? [];
  return day === undefined ? undefined : Date.parse(`${day}T${hours}:${minutes}:${seconds}Z`);
}
