import { AuditBrokenError, BadCheckpointError } from '../../errors.ts';
import { openCheckpoint, type Checkpoint, type VerifierKey } from '../../note/checkpoint.ts';
import type { Queryable } from '../stored/stored-tree.ts';

/** All stored checkpoints of a log, each signed. */
export class CheckpointHistory {
  readonly #bySize: ReadonlyMap<number, Checkpoint>;

  private constructor(bySize: ReadonlyMap<number, Checkpoint>) {
    this.#bySize = bySize;
  }

  /** @throws AuditBrokenError if there is none, or one is not signed by this key */
  static async read(db: Queryable, logId: string, key: VerifierKey): Promise<CheckpointHistory> {
    const { rows } = await db.query(
      'select size, note from audit.audit_checkpoint where log_id = $1 order by size',
      [logId],
    );
    if (rows.length === 0) {
      throw new AuditBrokenError('truncated', 'The log has no checkpoint: it was deleted');
    }
    return new CheckpointHistory(
      new Map(rows.map((row) => [Number(row['size']), opened(row, key)])),
    );
  }

  get count(): number {
    return this.#bySize.size;
  }

  get newest(): Checkpoint {
    return [...this.#bySize.values()].at(-1) as Checkpoint;
  }

  has(size: number): boolean {
    return this.#bySize.has(size);
  }

  /** @throws AuditBrokenError if the checkpoint of this size has another root */
  compare(size: number, root: () => Buffer): void {
    if (this.#bySize.get(size)?.root.equals(root()) === false) {
      throw new AuditBrokenError(
        'forked',
        `The log was forked: its first ${size} records do not match their stored checkpoint`,
      );
    }
  }
}

function opened(row: Readonly<Record<string, unknown>>, key: VerifierKey): Checkpoint {
  const size = Number(row['size']);
  try {
    const checkpoint = openCheckpoint(row['note'] as string, key);
    if (checkpoint.size === size) {
      return checkpoint;
    }
  } catch (error) {
    if (!(error instanceof BadCheckpointError)) {
      throw error;
    }
  }
  throw new AuditBrokenError(
    'bad_signature',
    `The stored checkpoint of ${size} records has no valid signature`,
  );
}
