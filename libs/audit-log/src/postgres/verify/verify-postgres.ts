import { AuditBrokenError } from '../../errors.ts';
import type { StoredItem } from '../../log/log-source.ts';
import { type Checkpoint, type LogIdentity, type VerifierKey } from '../../note/checkpoint.ts';
import { hashesOfTile } from '../../tree/tiles.ts';
import { verifyLog, type VerifyOptions, type VerifyReport } from '../../verify/verify-log.ts';
import { PostgresLogReader } from '../stored/log-reader.ts';
import { requireTriggers } from '../stored/require-triggers.ts';
import { seenIn, type SeenLog } from '../seen-logs.ts';
import { identityOf, type Queryable } from '../stored/stored-tree.ts';
import { TileChecks } from './tile-checks.ts';

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
  options: VerifyOptions,
): Promise<PostgresReport> {
  await requireTriggers(session);
  const identity = await logOf(session, options.key);
  const { logId } = identity;
  const tiles = new TileChecks(session, logId);
  const seen: SeenLog[] = [];
  const report = await verifyLog(
    {
      identity,
      checkpoints: await checkpointsOf(session, logId, options.key),
      hasAllCheckpoints: true,
      tile: (level, index) => tiles.get(level, index),
      parts: () => partsOf(new PostgresLogReader(session, identity), tiles, seen),
      finish: (size) => tiles.requireNoMore(size),
    },
    options,
  );
  return { ...report, seen };
}

/** @param seen the logs that the records name are added to it */
async function* partsOf(
  source: PostgresLogReader,
  tiles: TileChecks,
  seen: SeenLog[],
): AsyncGenerator<StoredItem[]> {
  const size = await source.size();
  for (let from = 0; from < size; from += recordsAtOnce) {
    const to = Math.min(size, from + recordsAtOnce);
    await tiles.read(from, to);
    const items: StoredItem[] = [];
    for await (const item of source.read(from, to)) {
      if ('entry' in item) {
        items.push({ entry: item.entry, stored: item.leafHash });
        seen.push(...seenIn(item.entry));
      } else {
        items.push({ seal: item });
      }
    }
    yield items;
  }
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
    const checkpoint = key.tryOpen(row['note'] as string);
    if (checkpoint?.size !== size) {
      throw new AuditBrokenError(
        'bad_signature',
        `The stored checkpoint of ${size} records has no valid signature`,
      );
    }
    return checkpoint;
  });
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
    log.verifierKey !== key.text
  ) {
    throw new AuditBrokenError(
      'bad_signature',
      'The name of the log does not match the public key',
    );
  }
  return log;
}
