import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '@caregate/audit-log';
import { movedMarker } from '../database/sqlite/moved-folder.ts';

/** Before other processes can open its files: its log must not grow in two places. */
export async function markMoved(dataDir: string, to: string): Promise<void> {
  await writeDurably(movedMarker(dataDir), `${to}\n`);
}

export function archiveDatabases(dataDir: string): void {
  for (const name of ['store.db', 'access.db', 'audit']) {
    if (existsSync(join(dataDir, `${name}.moved`))) {
      continue;
    }
    for (const part of ['-wal', '-shm', '']) {
      const file = join(dataDir, `${name}${part}`);
      if (existsSync(file)) {
        renameSync(file, join(dataDir, `${name}.moved${part}`));
      }
    }
  }
  syncFolder(dataDir);
}
