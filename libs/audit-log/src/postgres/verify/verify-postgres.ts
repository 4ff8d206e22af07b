import { AuditBrokenError } from '../../errors.ts';
import type { OpenedCheckpoint, StoredItem } from '../../log/log-source.ts';
import { VerifierKey, type LogIdentity } from '../../note/checkpoint.ts';
import { hashesInBlock, rootOfHashes } from '../../tree/blocks.ts';
import { verifyLog, type VerifyOptions, type VerifyReport } from '../../verify/verify-log.ts';
import { isNamed } from '../acquire-log.ts';
import { PostgresLogReader } from '../stored/log-reader.ts';
import { requireTriggers } from '../stored/require-triggers.ts';
import { seenIn, type SeenLog } from '../seen-logs.ts';
import { identityOf, type Queryable } from '../stored/stored-tree.ts';

// A multiple of a block's width, so that a block's leaves are in one part.
const recordsAtOnce = 8 * hashesInBlock;

export interface PostgresReport extends VerifyReport {
  readonly seen: readonly SeenLog[];
}

/**
 * Verifies a snapshot, records with their columns included, over this connection, which must not be in a transaction.
 *
 * @throws AuditBrokenError at the first failure, BadCheckpointError if `outside` is not signed by `key`
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
  const blocks = new BlockChecks(session, logId);
  const seen: SeenLog[] = [];
  const report = await verifyLog(
    {
      identity,
      checkpoints: await checkpointsOf(session, identity),
      hasAllCheckpoints: true,
      block: (level, index) => blocks.get(level, index),
      parts: () => partsOf(new PostgresLogReader(session, identity), blocks, seen),
      finish: (size) => blocks.requireNoMore(size),
    },
    options,
  );
  return { ...report, seen };
}

/** @param seen the logs that the records name are added to it */
async function* partsOf(
  source: PostgresLogReader,
  blocks: BlockChecks,
  seen: SeenLog[],
): AsyncGenerator<StoredItem[]> {
  const size = await source.size();
  for (let from = 0; from < size; from += recordsAtOnce) {
    const to = Math.min(size, from + recordsAtOnce);
    await blocks.read(from, to);
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

/** Oldest first. */
async function checkpointsOf(
  db: Queryable,
  { logId, verifierKey }: LogIdentity,
): Promise<readonly OpenedCheckpoint[]> {
  const key = VerifierKey.parse(verifierKey);
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

/** Untrusted: only its name is that of the key. */
async function logOf(session: Queryable, key: VerifierKey): Promise<LogIdentity> {
  const { rows } = await session.query(
    'select log_id, origin, verifier_key from audit.audit_log where origin = $1',
    [key.name],
  );
  const log = rows[0] && identityOf(rows[0]);
  if (log === undefined || rows.length !== 1 || !isNamed(log)) {
    throw new AuditBrokenError(
      'bad_signature',
      'The name of the log does not match the public key',
    );
  }
  return log;
}

class BlockChecks {
  readonly #db: Queryable;
  readonly #logId: string;
  readonly #stored = new Map<string, { root: Buffer; hashes: Buffer }>();

  constructor(db: Queryable, logId: string) {
    this.#db = db;
    this.#logId = logId;
  }

  async read(from: number, to: number): Promise<void> {
    const [levels, indexes]: [number[], number[]] = [[], []];
    for (let level = 0, width = hashesInBlock; width <= to; level += 1, width *= hashesInBlock) {
      for (let index = Math.floor(from / width); (index + 1) * width <= to; index += 1) {
        levels.push(level);
        indexes.push(index);
      }
    }
    this.#stored.clear();
    if (levels.length === 0) {
      return;
    }
    const { rows } = await this.#db.query(
      `select t.level, t.idx, t.root, t.hashes from unnest($2::smallint[], $3::bigint[]) as w (level, idx)
       join audit.audit_node t on t.log_id = $1 and t.level = w.level and t.idx = w.idx`,
      [this.#logId, levels, indexes],
    );
    for (const { level, idx, root, hashes } of rows) {
      const block = { root: root as Buffer, hashes: hashes as Buffer };
      this.#stored.set(`${Number(level)}/${Number(idx)}`, block);
    }
  }

  get(level: number, index: number): Buffer | undefined {
    const { root, hashes } = this.#stored.get(`${level}/${index}`) ?? {};
    return hashes && root?.equals(rootOfHashes(hashes)) === true ? hashes : undefined;
  }

  async requireNoMore(size: number): Promise<void> {
    let count = 0;
    for (let full = Math.floor(size / hashesInBlock); full > 0;) {
      count += full;
      full = Math.floor(full / hashesInBlock);
    }
    const { rows } = await this.#db.query(
      'select count(*)::int as count from audit.audit_node where log_id = $1',
      [this.#logId],
    );
    if (rows[0]?.['count'] !== count) {
      throw new AuditBrokenError('altered', 'The tree has unexpected hashes');
    }
  }
}
