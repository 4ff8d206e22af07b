import { OPEN_LOG, SEE_LOGS } from '../../entry/log-operations.ts';
import { operationAt } from '../../entry/record-body.ts';
import { AuditBrokenError } from '../../errors.ts';
import type { StoredEntry } from '../../log-source.ts';
import {
  formatVerifierKey,
  openCheckpoint,
  publicKeyOf,
  type Checkpoint,
  type LogIdentity,
  type VerifierKey,
} from '../../note/checkpoint.ts';
import type { Seal } from '../../note/seal.ts';
import { hashesOfTile } from '../../tree/tiles.ts';
import { LogChecks } from '../../verify/log-checks.ts';
import type { VerifyOptions, VerifyReport } from '../../verify/verify-folder.ts';
import { CheckpointHistory } from './checkpoint-history.ts';
import { PostgresLogReader } from '../stored/log-reader.ts';
import { requireTriggers } from '../stored/require-triggers.ts';
import { seenIn, type SeenLog } from '../seen-logs.ts';
import { identityOf, readSize, type Queryable } from '../stored/stored-tree.ts';
import { TileChecks } from './tile-checks.ts';

export interface PostgresReport extends VerifyReport {
  /** What the log says of other logs of the database. */
  readonly seen: readonly SeenLog[];
}

/**
 * Verifies the log with the name of the key in a database: hash, place, columns and patients of every record, every tile,
 * every seal, every checkpoint. Reads a snapshot in chunks over this connection, which must not be in a transaction.
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
  const { key, onProgress } = options;
  const outside = options.outside === undefined ? undefined : openCheckpoint(options.outside, key);
  await requireTriggers(session);
  const identity = await logOf(session, key);
  const log = await LogWalk.begin(session, identity, { ...options, outside });
  return await log.walk((records) => onProgress?.(records));
}

interface Parts {
  readonly source: PostgresLogReader;
  readonly size: number;
  readonly tiles: TileChecks;
  readonly history: CheckpointHistory;
  readonly checks: LogChecks;
  readonly outside: Checkpoint | undefined;
}

const saltLength = 16;
const noHashes = Buffer.alloc(0);
// A multiple of the width of a tile, so that the leaves of a tile are in one chunk.
const recordsAtOnce = 8 * hashesOfTile;

class LogWalk {
  readonly #parts: Parts;
  readonly #leaves: Map<number, Buffer>;
  readonly #seen: SeenLog[] = [];

  private constructor(parts: Parts, leaves: Map<number, Buffer>) {
    this.#parts = parts;
    this.#leaves = leaves;
  }

  static async begin(
    db: Queryable,
    identity: LogIdentity,
    { key, outside }: Omit<VerifyOptions, 'outside'> & { readonly outside: Checkpoint | undefined },
  ): Promise<LogWalk> {
    const { logId, origin } = identity;
    const source = new PostgresLogReader(db, identity);
    const tiles = new TileChecks(db, logId);
    const history = await CheckpointHistory.read(db, logId, key);
    const leaves = new Map<number, Buffer>();
    const checks = new LogChecks({
      logId,
      origin,
      key: publicKeyOf(key),
      checkpoints: [
        { ...history.newest, from: 'the stored checkpoint' },
        ...(outside === undefined ? [] : [{ ...outside, from: 'the given checkpoint' }]),
      ],
      checkpointSize: history.newest.size,
      isLive: false,
      storedLeaf: (seq) => leaves.get(seq),
      takeTile: (level, index, hashes) => {
        tiles.take(level, index, hashes);
        if (level === 0) {
          requireLeaves(leaves, index * hashesOfTile, hashes);
        }
      },
    });
    const size = await source.size();
    const end = await readSize(db, logId);
    if (end > size) {
      throw new AuditBrokenError('bad_signature', `Record ${size} is not sealed`, size);
    }
    return new LogWalk({ source, size, tiles, history, checks, outside }, leaves);
  }

  async walk(onProgress: (records: number) => void): Promise<PostgresReport> {
    const { source, size, tiles, checks, history, outside } = this.#parts;
    history.compare(0, () => checks.tree.root());
    for (let from = 0; from < size; from += recordsAtOnce) {
      const to = Math.min(size, from + recordsAtOnce);
      await tiles.read(from, to);
      for await (const each of source.read(from, to)) {
        this.#take(each);
      }
      await checks.seals.settle();
      onProgress(checks.tree.size);
      this.#forgetBefore(from);
    }
    requireLeaves(this.#leaves, size - (size % hashesOfTile), checks.tree.partial()[0] ?? noHashes);
    await tiles.finish();
    checks.finish();
    const { tree, sealed: seals } = checks;
    return {
      size: tree.size,
      root: tree.root(),
      seals,
      checkpoints: history.count + (outside === undefined ? 0 : 1),
      seen: this.#seen,
    };
  }

  #take(each: StoredEntry | Seal): void {
    if ('leafHash' in each) {
      this.#takeRecord(each);
    } else {
      this.#takeSeal(each);
    }
  }

  #takeRecord({ seq, leafHash, entry }: StoredEntry): void {
    const { checks, history } = this.#parts;
    this.#leaves.set(seq, leafHash);
    checks.record(entry);
    this.#takeNotice(entry);
    history.compare(checks.tree.size, () => checks.tree.root());
  }

  #takeSeal(seal: Seal): void {
    const { checks, history } = this.#parts;
    const { size, checkpointSize } = seal;
    if (checkpointSize > 0 && !history.has(checkpointSize)) {
      throw new AuditBrokenError(
        'truncated',
        `The checkpoint of ${checkpointSize} records, which the seal of ${size} names, is missing`,
      );
    }
    checks.seal(seal);
  }

  /** What the log says of others. */
  #takeNotice(entry: Buffer): void {
    const text = entry.toString('latin1', saltLength);
    const at = operationAt(text) + '"operation":"'.length;
    const operation = text.slice(at, text.indexOf('"', at));
    if (operation === OPEN_LOG || operation === SEE_LOGS) {
      this.#seen.push(...seenIn(entry.toString('utf8', saltLength)));
    }
  }

  #forgetBefore(seq: number): void {
    for (const known of this.#leaves.keys()) {
      if (known >= seq) {
        return;
      }
      this.#leaves.delete(known);
    }
  }
}

/** @throws AuditBrokenError if the hash beside a record is not that of the tree */
function requireLeaves(stored: ReadonlyMap<number, Buffer>, first: number, hashes: Buffer): void {
  for (let at = 0; at < hashes.length; at += 32) {
    const seq = first + at / 32;
    if (stored.get(seq)?.equals(hashes.subarray(at, at + 32)) !== true) {
      throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
    }
  }
}

/** By the name that the key has: not to be believed, but to be as the key says. */
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
