import { join } from 'node:path';

/** Written when a backup was made: its time is that of the last one. */
export function lastBackupFile(dataDir: string): string {
  return join(dataDir, 'last-backup');
}
