import { AuditBrokenError, NoAuditLogError } from '../../errors.ts';
import type { LogSource, StoredEntry } from '../../log-source.ts';
import type { LogIdentity } from '../../note/checkpoint.ts';
import type { Seal } from '../../note/seal.ts';
import { consistencyProof, inclusionProof, rootAt } from '../../tree/tree.ts';
import { readRecords, requireBeside } from './stored-records.ts';
import {
  identityOf,
  readCheckpoint,
  sealColumns,
  sealOf,
  sizeOfLog,
  withNodes,
  type Queryable,
} from './stored-tree.ts';

/** All logs of the database, oldest first. */
export async function listLogs(db: Queryable): Promise<LogIdentity[]> {
  const { rows: found } = await db.query(`select to_regclass('audit.audit_log') as logs`);
  if (found[0]?.['logs'] === null) {
    return [];
  }
  const { rows } = await db.query(
    'select log_id, origin, verifier_key from audit.audit_log order by created_at_us, log_id',
  );
  return rows.map(identityOf);
}

const recordsAtOnce = 2000;

/** Reads one log, also while it is written; within a snapshot, as of its beginning. */
export class PostgresLogReader implements LogSource {
  readonly db: Queryable;
  readonly #identity: LogIdentity;

  constructor(db: Queryable, identity: LogIdentity) {
    this.db = db;
    this.#identity = identity;
  }

  identity(): LogIdentity {
    return this.#identity;
  }

  size(): Promise<number> {
    return sizeOfLog(this.db, this.#identity.logId);
  }

  async checkpoint(): Promise<string> {
    const signed = await readCheckpoint(this.db, this.#identity.logId);
    if (signed === undefined) {
      throw new NoAuditLogError('The log has no checkpoint.');
    }
    return signed.note;
  }

  async node(level: number, index: number): Promise<Buffer> {
    return await withNodes(this.db, this.#identity.logId, (read) => read(level, index));
  }

  async tile(level: number, index: number): Promise<Buffer | undefined> {
    const { rows } = await this.db.query(
      'select hashes from audit.audit_tile where log_id = $1 and level = $2 and idx = $3',
      [this.#identity.logId, level, index],
    );
    return rows[0]?.['hashes'] as Buffer | undefined;
  }

  /**
   * Records in order, and each seal after its group; columns are compared with the body.
   *
   * @throws AuditBrokenError at a missing record, or one with other columns
   */
  async *read(from: number, to: number): AsyncGenerator<StoredEntry | Seal, void> {
    let next = from;
    while (next < to) {
      const span = [next, Math.min(to, next + recordsAtOnce)] as const;
      const [records, seals] = await Promise.all([
        readRecords(this.db, this.#identity.logId, span),
        this.#seals(span),
      ]);
      for (const record of records) {
        if (record.seq !== next) {
          break;
        }
        requireBeside(record);
        const { seq, leafHash, entry } = record;
        yield { seq, leafHash, entry };
        next += 1;
        const seal = seals.get(next);
        if (seal !== undefined) {
          yield seal;
        }
      }
      if (next < span[1]) {
        throw new AuditBrokenError('gap', `Record ${next} is missing`, next);
      }
    }
  }

  async #seals([from, to]: readonly [from: number, to: number]): Promise<Map<number, Seal>> {
    const { rows } = await this.db.query(
      `select ${sealColumns} from audit.audit_seal
       where log_id = $1 and size > $2 and size <= $3`,
      [this.#identity.logId, from, to],
    );
    return new Map(rows.map((row) => [Number(row['size']), sealOf(row)]));
  }

  leaf(seq: number): Promise<Buffer> {
    return this.node(0, seq);
  }

  root(size: number): Promise<Buffer> {
    return withNodes(this.db, this.#identity.logId, (read) => rootAt(size, read));
  }

  /** @throws RangeError if a tree of that size has no such record */
  async inclusion(seq: number, size: number): Promise<Buffer[]> {
    await this.#requireSize(size);
    return await withNodes(this.db, this.#identity.logId, (read) =>
      inclusionProof(seq, size, read),
    );
  }

  /** @throws RangeError if the sizes are in the wrong order or larger than the log */
  async consistency(older: number, size: number): Promise<Buffer[]> {
    await this.#requireSize(size);
    return await withNodes(this.db, this.#identity.logId, (read) =>
      consistencyProof(older, size, read),
    );
  }

  async #requireSize(size: number): Promise<void> {
    if (size > (await this.size())) {
      throw new RangeError('The log is smaller than the given size');
    }
  }
}
