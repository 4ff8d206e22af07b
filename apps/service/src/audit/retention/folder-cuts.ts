import { resolve } from 'node:path';
import {
  eraseSegments,
  LogReader,
  nodeDisk,
  parseVerifierKey,
  recordActs,
  verifyFolder,
} from '@caregate/audit-log';
import { tellReading } from '../offline/tell-reading.ts';
import type { CutStore, OnCutProgress } from './cut-store.ts';

/**
 * The log of a data folder, also while the service is writing it.
 *
 * @throws NoAuditLogError if the folder has no log
 */
export function openFolderCuts(dataDir: string, onProgress?: OnCutProgress): CutStore {
  const folder = resolve(dataDir);
  const source = tellReading(new LogReader(nodeDisk, folder), (done, of) =>
    onProgress?.('records', done, of),
  );
  return {
    source,
    verify: async () => {
      const key = parseVerifierKey(source.identity().verifierKey);
      const of = source.size();
      await verifyFolder(nodeDisk, folder, {
        key,
        isLive: true,
        onProgress: (done) => onProgress?.('verifying records', done, Math.max(done, of)),
      });
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
