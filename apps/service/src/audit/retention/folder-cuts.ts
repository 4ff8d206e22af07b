import { resolve } from 'node:path';
import {
  eraseSegments,
  LogReader,
  nodeDisk,
  parseVerifierKey,
  recordActs,
  verifyFolder,
} from '@caregate/audit-log';
import type { CutStore } from './cut-store.ts';

/**
 * The log of a data folder, also while the service is writing it.
 *
 * @throws NoAuditLogError if the folder has no log
 */
export function openFolderCuts(dataDir: string): CutStore {
  const folder = resolve(dataDir);
  const source = new LogReader(nodeDisk, folder);
  return {
    source,
    verify: async () => {
      const key = parseVerifierKey(source.identity().verifierKey);
      await verifyFolder(nodeDisk, folder, { key, isLive: true });
    },
    record: async (entries) => {
      await recordActs(folder, entries);
    },
    erase: (beforeSeq, mayGo) => eraseSegments(nodeDisk, folder, beforeSeq, mayGo),
    close: () => {
      source.close();
      return Promise.resolve();
    },
  };
}
