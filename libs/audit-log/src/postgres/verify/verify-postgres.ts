import { OPEN_LOG, SEE_LOGS } from '../../entry/log-operations.ts';
import { operationAt } from '../../entry/record-body.ts';
import { AuditBrokenError } from '../../errors.ts';
import {
  formatVerifierKey,
  openCheckpoint,
  openedCheckpoint,
  publicKeyOf,
  type Checkpoint,
  type LogIdentity,
  type VerifierKey,
} from '../../note/checkpoint.ts';
import type { Seal } from '../../note/seal.ts';
import { hashesOfTile } from '../../tree/tiles.ts';
import { LogChecks } from '../../verify/log-checks.ts';
import type { VerifyOptions, VerifyReport } from '../../verify/verify-folder.ts';
import { PostgresLogReader } from '../stored/log-reader.ts';
import { requireTriggers } from '../stored/require-triggers.ts';
import { seenIn, type SeenLog } from '../seen-logs.ts';
import { identityOf, readSize, type Queryable } from '../stored/stored-tree.ts';
import { TileChecks } from './tile-checks.ts';

const saltLength = 16;
// A multiple of a tile's width, so that a tile's leaves are in one part.
const recordsAtOnce = 8 * hashesOfTile;

export interface PostgresReport extends VerifyReport {
  readonly seen: readonly SeenLog[];
}

/**
 * Verifies a log in a database: every record with its columns, every tile, seal and checkpoint. Reads a snapshot over this
 * connection, which must not be in a transaction.
 *
 * @throws AuditBrokenError at the first failure
 * @throws BadCheckpointError if the external checkpoint is not signed by this key
 */
export async function verifyPostgresLog(
  session: Queryable,
  options: VerifyOptions,
): Promise<PostgresReport> {
  await session.query('begin transaction isolation level repeatable read read only');
  try {
    return await verifyInTransaction(session, options);
  } finally {
    await session.query('rollback');
  }
}

/** The same within the current transaction, which may have written the log. */
export async function verifyInTransaction(
  session: Queryable,
  { key, outside: note, onProgress }: VerifyOptions,
): Promise<PostgresReport> {
  const outside = note === undefined ? [] : [openCheckpoint(note, key)];
  await requireTriggers(session);
  const identity = await logOf(session, key);
  const { logId, origin } = identity;
  const source = new PostgresLogReader(session, identity);
  const tiles = new TileChecks(session, logId);
  const stored = await checkpointsOf(session, logId, key);
  const sizes = new Set(stored.map(({ size }) => size));
  const checks = new LogChecks({
    logId,
    origin,
    key: publicKeyOf(key),
    checkpoints: [
      ...stored.map((checkpoint) => ({ ...checkpoint, from: 'a stored checkpoint' })),
      ...outside.map((checkpoint) => ({ ...checkpoint, from: 'the given checkpoint' })),
    ],
    checkpointSize: (stored.at(-1) as Checkpoint).size,
    isLive: false,
    tilesTo: Infinity,
    storedTile: (level, index) => tiles.get(level, index),
  });
  const size = await source.size();
  if ((await readSize(session, logId)) > size) {
    throw new AuditBrokenError('bad_signature', `Record ${size} is not sealed`, size);
  }
  const seen: SeenLog[] = [];
  for (let from = 0; from < size; from += recordsAtOnce) {
    const to = Math.min(size, from + recordsAtOnce);
    await tiles.read(from, to);
    for await (const item of source.read(from, to)) {
      if ('entry' in item) {
        checks.record(item.entry, '', item.leafHash);
        seen.push(...seenInEntry(item.entry));
      } else {
        requireCheckpoint(sizes, item);
        checks.seal(item);
      }
    }
    await checks.seals.settle();
    onProgress?.(checks.tree.size);
  }
  await tiles.requireNoMore(size);
  checks.finish();
  return {
    size: checks.tree.size,
    root: checks.tree.root(),
    seals: checks.sealed,
    checkpoints: stored.length + outside.length,
    seen,
  };
}

/** Oldest first. @throws AuditBrokenError if there is none, or one is not signed by this key */
async function checkpointsOf(
  db: Queryable,
  logId: string,
  key: VerifierKey,
): Promise<readonly Checkpoint[]> {
  const { rows } = await db.query(
    'select size, note from audit.audit_checkpoint where log_id = $1 order by size',
    [logId],
  );
  if (rows.length === 0) {
    throw new AuditBrokenError('truncated', 'The log has no checkpoint: it was deleted');
  }
  return rows.map((row) => {
    const size = Number(row['size']);
    const checkpoint = openedCheckpoint(row['note'] as string, key);
    if (checkpoint?.size !== size) {
      throw new AuditBrokenError(
        'bad_signature',
        `The stored checkpoint of ${size} records has no valid signature`,
      );
    }
    return checkpoint;
  });
}

function requireCheckpoint(sizes: ReadonlySet<number>, { size, checkpointSize }: Seal): void {
  if (checkpointSize > 0 && !sizes.has(checkpointSize)) {
    throw new AuditBrokenError(
      'truncated',
      `The checkpoint of ${checkpointSize} records, which the seal of ${size} names, is missing`,
    );
  }
}

/** Logs that a record names; few records do, so the text is not parsed first. */
function seenInEntry(entry: Buffer): readonly SeenLog[] {
  const text = entry.toString('latin1', saltLength);
  const at = operationAt(text) + '"operation":"'.length;
  const operation = text.slice(at, text.indexOf('"', at));
  return operation === OPEN_LOG || operation === SEE_LOGS
    ? seenIn(entry.toString('utf8', saltLength))
    : [];
}

/** Untrusted; must match the key. */
async function logOf(session: Queryable, key: VerifierKey): Promise<LogIdentity> {
  const { rows } = await session.query(
    'select log_id, origin, verifier_key from audit.audit_log where origin = $1',
    [key.name],
  );
  const log = rows[0] && identityOf(rows[0]);
  if (
    log === undefined ||
    rows.length !== 1 ||
    !key.name.endsWith(`/audit/${log.logId}`) ||
    log.verifierKey !== formatVerifierKey(key)
  ) {
    throw new AuditBrokenError(
      'bad_signature',
      'The name of the log does not match the public key',
    );
  }
  return log;
}
