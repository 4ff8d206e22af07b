import type { KeyObject } from 'node:crypto';
import { AuditBrokenError, BadCheckpointError, MissingNodeError } from '../errors.ts';
import { VerifierKey, type LogIdentity, type LogKeys } from '../note/checkpoint.ts';
import { requireLeaf } from '../log/log-source.ts';
import { rawPublicKey } from '../note/note-key.ts';
import { isSealValid, type Seal } from '../note/seal.ts';
import { frontierAt, type Frontier } from '../tree/tree.ts';
import { PostgresLogReader } from './stored/log-reader.ts';
import {
  readCheckpoint,
  readSeal,
  readSize,
  withNodes,
  type Queryable,
} from './stored/stored-tree.ts';

export interface VerifiedEnd {
  readonly frontier: Frontier;
  readonly keys: LogKeys;
  readonly seal: Seal;
  readonly signed: { readonly size: number; readonly note: string };
}

/** From the newest checkpoint on. @throws AuditBrokenError if anything is missing, altered or not sealed, or this key signs no more */
export async function verifyEnd(
  db: Queryable,
  log: LogIdentity,
  key: KeyObject,
): Promise<VerifiedEnd> {
  const { logId } = log;
  const [signed, seal, size] = [
    await readCheckpoint(db, logId),
    await readSeal(db, logId),
    await readSize(db, logId),
  ];
  if (signed === undefined) {
    throw new AuditBrokenError('truncated', 'The log has no checkpoint: it was deleted');
  }
  if (seal === undefined) {
    throw new AuditBrokenError('altered', 'The seals of the log were deleted', 0);
  }
  const checkpoint = await checkpointOf(db, log, signed);
  const { frontier } = checkpoint;
  let { keys } = checkpoint;
  requireEnds(signed.size, seal, size);
  let sealed = signed.size;
  for await (const item of new PostgresLogReader(db, log).read(signed.size, size)) {
    if ('entry' in item) {
      requireLeaf(item);
      keys = keysAfter(keys, item.entry, frontier);
      frontier.append(item.leafHash);
    } else if (item.first === sealed) {
      requireSeal(log.origin, frontier, { seal: item, keys });
      sealed = item.size;
    } else {
      throw new AuditBrokenError('gap', `The seal of record ${sealed} is missing`, sealed);
    }
  }
  requireSeal(log.origin, frontier, { seal, keys });
  if (!keys.current.bytes.equals(rawPublicKey(key, 32))) {
    throw new AuditBrokenError(
      'bad_signature',
      `The signing key of this data folder is an earlier one of log ${logId}: caregate audit rotate-key replaced it`,
    );
  }
  return { frontier, keys, seal, signed };
}

function requireSeal(
  origin: string,
  tree: Frontier,
  { seal, keys }: { readonly seal: Seal; readonly keys: LogKeys },
): void {
  if (
    seal.size !== tree.size ||
    !seal.root.equals(tree.root()) ||
    !isSealValid(origin, seal, keys.sealing(seal))
  ) {
    throw new AuditBrokenError(
      'bad_signature',
      `The seal of ${seal.size} records is not valid`,
      seal.size,
    );
  }
}

function requireEnds(checkpointSize: number, seal: Seal, size: number): void {
  const sealed = seal.size;
  if (checkpointSize > sealed || sealed > size) {
    throw new AuditBrokenError(
      'truncated',
      `The log is truncated: it has ${size} records, its checkpoint ${checkpointSize}, its last seal ${sealed}`,
      size,
    );
  }
  if (size > sealed) {
    throw new AuditBrokenError('altered', `Record ${sealed} is not sealed`, sealed);
  }
  if (checkpointSize < seal.checkpointSize) {
    throw new AuditBrokenError(
      'truncated',
      `The checkpoint of ${seal.checkpointSize} records, which the last seal names, is missing`,
    );
  }
}

function keysAfter(keys: LogKeys, entry: Buffer, before: Frontier): LogKeys {
  try {
    return keys.after(entry, before.size, () => before.root());
  } catch (error) {
    if (error instanceof BadCheckpointError) {
      const { size } = before;
      throw new AuditBrokenError('bad_signature', `Record ${size}: ${error.message}`, size);
    }
    throw error;
  }
}

async function checkpointOf(
  db: Queryable,
  { logId, verifierKey }: LogIdentity,
  { size, note }: VerifiedEnd['signed'],
): Promise<Pick<VerifiedEnd, 'frontier' | 'keys'>> {
  try {
    const checkpoint = VerifierKey.parse(verifierKey).open(note);
    const frontier = await withNodes(db, logId, (read) => frontierAt(size, read));
    if (checkpoint.size === size && frontier.root().equals(checkpoint.root)) {
      return { frontier, keys: checkpoint.keys };
    }
  } catch (error) {
    if (error instanceof BadCheckpointError) {
      throw new AuditBrokenError(
        'bad_signature',
        `The checkpoint of ${size} records: ${error.message}`,
      );
    }
    if (!(error instanceof MissingNodeError)) {
      throw error;
    }
  }
  throw new AuditBrokenError('forked', 'The stored tree does not match its checkpoint');
}
