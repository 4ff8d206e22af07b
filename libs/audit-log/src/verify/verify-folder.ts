import { resolve } from 'node:path';
import type { Disk } from '../disk/disk.ts';
import { nodeDisk } from '../disk/node-disk.ts';
import { AuditBrokenError, NoAuditLogError } from '../errors.ts';
import { logPaths, type LogPaths } from '../folder/layout.ts';
import { isBeingWritten } from '../folder/lock/folder-lock.ts';
import { readLogFile } from '../folder/log-file.ts';
import { StoredBlocks } from '../folder/stored-blocks.ts';
import { LogRefusedError } from '../folder/log-refused.ts';
import type { OpenedCheckpoint, StoredItem } from '../log/log-source.ts';
import { VerifierKey, type LogIdentity } from '../note/checkpoint.ts';
import { FolderWalk } from './folder-walk.ts';
import { GroupsAhead, type ChunkAhead } from './groups-ahead.ts';
import { verifyLog, type VerifyOptions, type VerifyReport } from './verify-log.ts';

const hashLength = 32;

/**
 * Verifies every record, every block under the checkpoint and every seal of a data folder's log.
 *
 * @throws AuditBrokenError at the first failure, BadCheckpointError if `outside` is not signed by `key`, NoAuditLogError
 */
export async function verifyFolder(dataDir: string, options: VerifyOptions): Promise<VerifyReport> {
  const isLive = isBeingWritten(logPaths(resolve(dataDir)));
  return await verifyFolderOn(nodeDisk, dataDir, { isLive, ...options });
}

/** The same on another disk, where no process writes. */
export async function verifyFolderOn(
  disk: Disk,
  dataDir: string,
  options: VerifyOptions,
): Promise<VerifyReport> {
  const paths = logPaths(resolve(dataDir));
  const identity = identityOf(disk, paths, options.outside !== undefined);
  // Listed before the checkpoint is read, so that no listed group names a later one.
  const walk = new FolderWalk(disk, paths, identity.logId);
  const note = storedNote(disk, paths);
  const blocks = new StoredBlocks(disk, paths.audit);
  const { share = 1 } = options;
  return await verifyLog(
    {
      identity,
      checkpoints: [opened(identity, note)],
      hasAllCheckpoints: false,
      block: (level, index) => blocks.full(level, index),
      parts: () => partsOf(walk, new GroupsAhead(identity, note, share < 1 ? Infinity : undefined)),
      finish: () => {
        requireEnd(walk, options.isLive === true);
      },
    },
    options,
  );
}

async function* partsOf(
  walk: FolderWalk,
  ahead: GroupsAhead,
): AsyncGenerator<Iterable<StoredItem>> {
  for await (const chunk of ahead.chunks(walk.chunks())) {
    yield itemsOf(walk, chunk);
  }
}

function* itemsOf(walk: FolderWalk, chunk: ChunkAhead): Generator<StoredItem, void> {
  const { found } = chunk;
  let at = 0;
  for (const { first, entries, seal } of walk.groupsOf(chunk)) {
    for (const entry of entries) {
      yield { entry, leaf: found?.leaves.slice(at, at + hashLength) };
      at += hashLength;
    }
    // A newer key may have sealed it.
    yield { seal, isSigned: found?.wrong.includes(first) === false };
  }
}

function identityOf(disk: Disk, paths: LogPaths, wasThere: boolean): LogIdentity {
  let identity;
  try {
    identity = readLogFile(disk, paths);
  } catch (error) {
    if (error instanceof LogRefusedError) {
      throw new AuditBrokenError('altered', 'The file audit/log is damaged');
    }
    throw error;
  }
  if (identity === undefined) {
    if (disk.list(paths.audit).length > 0 || disk.read(paths.ownKey) !== undefined) {
      throw new AuditBrokenError('truncated', 'The log is missing: there is no file audit/log');
    }
    if (wasThere) {
      throw new AuditBrokenError('truncated', 'The log is missing, of which a checkpoint was kept');
    }
    throw new NoAuditLogError('This folder has no audit log.');
  }
  return identity;
}

function storedNote(disk: Disk, paths: LogPaths): string {
  const note = disk.read(paths.checkpoint)?.toString();
  if (note === undefined) {
    throw new AuditBrokenError('truncated', 'The checkpoint of the log is missing');
  }
  return note;
}

function opened({ verifierKey }: LogIdentity, note: string): OpenedCheckpoint {
  const checkpoint = VerifierKey.parse(verifierKey).tryOpen(note);
  if (checkpoint === undefined) {
    throw new AuditBrokenError('bad_signature', 'The stored checkpoint has no valid signature');
  }
  return checkpoint;
}

function requireEnd({ unsealedEnd }: FolderWalk, isLive: boolean): void {
  if (unsealedEnd !== undefined && !isLive) {
    const { after, bytes } = unsealedEnd;
    throw new AuditBrokenError(
      'bad_signature',
      `The log ends with ${bytes} bytes that are not sealed, where record ${after} would be`,
      after,
    );
  }
}
