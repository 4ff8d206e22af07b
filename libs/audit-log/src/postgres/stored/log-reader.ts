import { AuditBrokenError, NoAuditLogError } from '../../errors.ts';
import { LogSource, type StoredEntry } from '../../log/log-source.ts';
import type { SignedTree } from '../../log/proven-tree.ts';
import { LogKeys, type LogIdentity } from '../../note/checkpoint.ts';
import type { Seal } from '../../note/seal.ts';
import type { NodeReader } from '../../tree/tree.ts';
import { copiesIn, type Copies } from './copies.ts';
import { readRecords, requireCopies } from './stored-records.ts';
import {
  identityOf,
  readCheckpoint,
  readSeal,
  requireSeal,
  sealedSize,
  sealColumns,
  sealOf,
  withNodes,
  type Queryable,
} from './stored-tree.ts';

const recordsAtOnce = 2000;

/** Reads one log, also while it is written; within a snapshot, as of its beginning. */
export class PostgresLogReader extends LogSource {
  readonly db: Queryable;
  readonly #identity: LogIdentity;
  #columns: Promise<Copies> | undefined;

  constructor(db: Queryable, identity: LogIdentity) {
    super();
    this.db = db;
    this.#identity = identity;
  }

  /** All logs of a database, oldest first. */
  static async all(db: Queryable): Promise<PostgresLogReader[]> {
    const { rows: found } = await db.query(`select to_regclass('audit.audit_log') as logs`);
    if (found[0]?.['logs'] === null) {
      return [];
    }
    const { rows } = await db.query(
      'select log_id, origin, verifier_key from audit.audit_log order by created_at_us, log_id',
    );
    return rows.map((row) => new PostgresLogReader(db, identityOf(row)));
  }

  identity(): LogIdentity {
    return this.#identity;
  }

  size(): Promise<number> {
    return sealedSize(this.db, this.#identity.logId);
  }

  async checkpoint(): Promise<string> {
    const signed = await readCheckpoint(this.db, this.#identity.logId);
    if (signed === undefined) {
      throw new NoAuditLogError('The log has no checkpoint.');
    }
    return signed.note;
  }

  /** The newest seal, newer than any checkpoint. @throws AuditBrokenError if it is not by the key of the log */
  async sealed(): Promise<SignedTree> {
    const { logId } = this.#identity;
    const seal = await readSeal(this.db, logId);
    return requireSeal(this.#identity, seal, (await readCheckpoint(this.db, logId))?.note);
  }

  /** The keys of the log up to now, as its checkpoint names them. */
  async keys(): Promise<LogKeys> {
    const signed = await readCheckpoint(this.db, this.#identity.logId);
    return LogKeys.named(this.#identity, signed?.note);
  }

  withNodes<T>(compute: (read: NodeReader) => T): Promise<T> {
    return withNodes(this.db, this.#identity.logId, compute);
  }

  /** Each seal follows its group. @throws AuditBrokenError at a missing record, or one with columns unlike its body */
  async *read(from: number, to: number): AsyncGenerator<StoredEntry | Seal, void> {
    const columns = await (this.#columns ??= copiesIn(this.db));
    let next = from;
    while (next < to) {
      const span = [next, Math.min(to, next + recordsAtOnce)] as const;
      const [records, seals] = await Promise.all([
        readRecords(this.db, this.#identity.logId, { from: span[0], to: span[1], columns }),
        this.#seals(span),
      ]);
      for (const record of records) {
        if (record.seq !== next) {
          break;
        }
        requireCopies(record, columns);
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
}
