import { NoAuditLogError, type LogIdentity } from '../log/audit-reader.ts';
import { consistencyProof, inclusionProof, rootAt } from '../log/tree.ts';
import { readCheckpoint, readHead, withNodes, type Queryable } from './stored-tree.ts';

/** All logs of the database, oldest first. */
export async function listLogs(db: Queryable): Promise<LogIdentity[]> {
  const { rows: found } = await db.query(`select to_regclass('audit.audit_log') as logs`);
  if (found[0]?.['logs'] === null) {
    return [];
  }
  const { rows } = await db.query(
    'select log_id, origin, verifier_key from audit.audit_log order by created_at_us, log_id',
  );
  return rows.map((row) => ({
    logId: row['log_id'] as string,
    origin: row['origin'] as string,
    verifierKey: row['verifier_key'] as string,
  }));
}

/** Reads one log, also while an instance is writing it; like `AuditReader` for a data folder. */
export class PostgresLogReader {
  readonly db: Queryable;
  readonly #identity: LogIdentity;

  constructor(db: Queryable, identity: LogIdentity) {
    this.db = db;
    this.#identity = identity;
  }

  identity(): LogIdentity {
    return this.#identity;
  }

  /** The latest checkpoint. @throws NoAuditLogError if there is none */
  async newest(): Promise<string> {
    const signed = await readCheckpoint(this.db, this.#identity.logId);
    if (signed === undefined) {
      throw new NoAuditLogError('The log has no checkpoint.');
    }
    return signed.note;
  }

  async size(): Promise<number> {
    return (await readHead(this.db, this.#identity.logId)).size;
  }

  leaf(seq: number): Promise<Buffer> {
    return withNodes(this.db, this.#identity.logId, (read) => read(0, seq));
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
