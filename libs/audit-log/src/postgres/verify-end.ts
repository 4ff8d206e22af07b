import type { KeyObject } from 'node:crypto';
import { AuditBrokenError, BadCheckpointError, MissingNodeError } from '../errors.ts';
import {
  openCheckpoint,
  parseVerifierKey,
  publicKeyOf,
  type LogIdentity,
} from '../note/checkpoint.ts';
import { isSealValid, type Seal } from '../note/seal.ts';
import { frontierAt, leafHash, type Frontier } from '../tree/tree.ts';
import {
  readCheckpoint,
  readSeal,
  readSize,
  sealColumns,
  sealOf,
  withNodes,
  type Queryable,
} from './stored/stored-tree.ts';

/** The end of a log, verified from its newest checkpoint on. */
export interface VerifiedEnd {
  readonly frontier: Frontier;
  readonly seal: Seal;
  readonly signed: { readonly size: number; readonly note: string };
}

const recordsAtOnce = 1000;

/**
 * Verifies everything from the newest checkpoint on: each record's hash, each seal, and that the log ends with a seal whose
 * checkpoint is there.
 *
 * @throws AuditBrokenError if anything is missing, changed or not sealed
 */
export async function verifyEnd(db: Queryable, log: LogIdentity): Promise<VerifiedEnd> {
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
  const frontier = await frontierOfCheckpoint(db, log, signed);
  requireEnds(signed.size, seal, size);
  const seals = new SealCheck(log, signed.size);
  while (frontier.size < size) {
    await extendByPage(db, logId, { frontier, seals });
  }
  seals.require(frontier, seal);
  return { frontier, seal, signed };
}

/** @throws AuditBrokenError */
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

async function frontierOfCheckpoint(
  db: Queryable,
  { logId, verifierKey }: LogIdentity,
  { size, note }: VerifiedEnd['signed'],
): Promise<Frontier> {
  try {
    const checkpoint = openCheckpoint(note, parseVerifierKey(verifierKey));
    const frontier = await withNodes(db, logId, (read) => frontierAt(size, read));
    if (checkpoint.size === size && frontier.root().equals(checkpoint.root)) {
      return frontier;
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

/** Checks the seals of a log. */
class SealCheck {
  readonly #origin: string;
  readonly #key: KeyObject;
  #end: number;

  /** @param end of the seals before */
  constructor({ origin, verifierKey }: LogIdentity, end: number) {
    this.#origin = origin;
    this.#key = publicKeyOf(parseVerifierKey(verifierKey));
    this.#end = end;
  }

  /** @throws AuditBrokenError if the seal is not the next one, or not that of this tree */
  requireNext(tree: Frontier, seal: Seal): void {
    if (seal.first !== this.#end) {
      throw new AuditBrokenError('gap', `The seal of record ${this.#end} is missing`, this.#end);
    }
    this.require(tree, seal);
    this.#end = seal.size;
  }

  /** @throws AuditBrokenError if the seal is not that of this tree */
  require(tree: Frontier, seal: Seal): void {
    if (
      seal.size !== tree.size ||
      !seal.root.equals(tree.root()) ||
      !isSealValid(this.#origin, seal, this.#key)
    ) {
      throw new AuditBrokenError(
        'bad_signature',
        `The seal of ${seal.size} records is not valid`,
        seal.size,
      );
    }
  }
}

async function extendByPage(
  db: Queryable,
  logId: string,
  { frontier, seals }: { readonly frontier: Frontier; readonly seals: SealCheck },
): Promise<void> {
  const from = frontier.size;
  const span = [logId, from, from + recordsAtOnce];
  const { rows } = await db.query(
    `select seq, leaf_hash, salt, body from audit.audit_event
     where log_id = $1 and seq >= $2 and seq < $3 order by seq`,
    span,
  );
  const { rows: sealed } = await db.query(
    `select ${sealColumns} from audit.audit_seal
     where log_id = $1 and size > $2 and size <= $3`,
    span,
  );
  const bySize = new Map(sealed.map((row) => [Number(row['size']), sealOf(row)]));
  for (const { seq, leaf_hash: stored, salt, body } of rows) {
    const at = frontier.size;
    if (Number(seq) !== at) {
      break;
    }
    const leaf = leafHash(salt as Buffer, Buffer.from(body as string));
    if (!leaf.equals(stored as Buffer)) {
      throw new AuditBrokenError('altered', `Record ${at} was altered`, at);
    }
    frontier.append(leaf);
    const seal = bySize.get(frontier.size);
    if (seal !== undefined) {
      seals.requireNext(frontier, seal);
    }
  }
  if (frontier.size < from + rows.length || rows.length === 0) {
    throw new AuditBrokenError('gap', `Record ${frontier.size} is missing`, frontier.size);
  }
}
