import { dirname, join, resolve } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { createAnew } from '../disk/whole-file.ts';
import { AuditLogError } from '../errors.ts';
import { openCheckpoint, parseVerifierKey } from '../note/checkpoint.ts';
import { hashesOfTile, tilePath } from '../tree/tiles.ts';
import { logPaths, type LogPaths } from './layout.ts';
import { readLogFile, type FolderIdentity } from './log-file.ts';
import { listSegments } from './segments.ts';
import { StoredRecords } from './stored-records.ts';
import { StoredTiles } from './stored-tiles.ts';

/**
 * Erases the files of all records before `beforeSeq`, the oldest first; their hashes stay in the tiles. Call it only once
 * the record of the cut is durable. A run that was interrupted is gone on with by calling it again, also beside the process
 * that writes the log.
 *
 * @param mayGo called before each file goes; what it throws stops there
 * @throws AuditLogError if no file begins with that record: nothing is erased
 */
export async function eraseSegments(
  disk: Disk,
  dataDir: string,
  beforeSeq: number,
  mayGo: () => void | Promise<void> = () => undefined,
): Promise<void> {
  const paths = logPaths(resolve(dataDir));
  const identity = readLogFile(disk, paths);
  const segments = listSegments(disk, paths.records);
  if (identity === undefined || segments.every(({ first }) => first !== beforeSeq)) {
    throw new AuditLogError(`No file of records begins with record ${beforeSeq}.`);
  }
  const gone = segments.filter(({ first }) => first < beforeSeq);
  if (gone.length > 0) {
    keepHashes(disk, paths, identity, beforeSeq);
  }
  for (const { path } of gone) {
    await mayGo();
    disk.remove(path);
    // One by one: a crash must not leave a gap.
    disk.syncFolder(paths.records);
  }
}

/** The tile that is not full yet has hashes of erased records, which nothing but their entries tells. */
function keepHashes(
  disk: Disk,
  paths: LogPaths,
  { logId, verifierKey }: FolderIdentity,
  beforeSeq: number,
): void {
  const width = beforeSeq % hashesOfTile;
  const index = (beforeSeq - width) / hashesOfTile;
  const note = disk.read(paths.checkpoint)?.toString() ?? '';
  const { size } = openCheckpoint(note, parseVerifierKey(verifierKey));
  if (size < beforeSeq) {
    throw new AuditLogError(`The checkpoint does not cover record ${beforeSeq - 1} yet.`);
  }
  if (width === 0 || (index + 1) * hashesOfTile <= size) {
    return;
  }
  const records = new StoredRecords(disk, paths.records, logId);
  const tiles = new StoredTiles(disk, paths.audit);
  try {
    const hashes = Array.from({ length: width }, (_, at) => {
      const seq = index * hashesOfTile + at;
      const leaf = records.leaf(seq) ?? tiles.partialLeaf(seq);
      if (leaf === undefined) {
        throw new AuditLogError(`The hash of record ${seq} is missing.`);
      }
      return leaf;
    });
    writeDurably(disk, paths.audit, tilePath(0, index, width), Buffer.concat(hashes));
  } finally {
    records.close();
  }
}

/** Writes a file and every folder down to it. */
function writeDurably(disk: Disk, root: string, path: string, bytes: Buffer): void {
  const file = join(root, path);
  const folders: string[] = [];
  for (let folder = dirname(file); folder !== root; folder = dirname(folder)) {
    folders.unshift(folder);
  }
  for (const folder of folders) {
    disk.makeFolder(folder);
  }
  createAnew(disk, file, bytes);
  for (const folder of [...folders].reverse()) {
    disk.syncFolder(folder);
  }
  disk.syncFolder(root);
}
