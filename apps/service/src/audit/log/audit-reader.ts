import { OperatorError } from '../../config/operator-error.ts';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { requireNotMoved } from '../../database/sqlite/moved-folder.ts';
import { auditFile } from './audit-schema.ts';
import { nodeReader, readHead } from './stored-tree.ts';
import { consistencyProof, inclusionProof, rootAt, type NodeReader } from './tree.ts';

export class NoAuditLogError extends OperatorError {
  override readonly name = 'NoAuditLogError';
}

export interface LogIdentity {
  readonly logId: string;
  /** Name on its checkpoints, `<host>/audit/<log id>`. */
  readonly origin: string;
  readonly verifierKey: string;
}

/** Reads the log of a data folder, also while another process is writing it. */
export class AuditReader {
  /** For queries of the events; read-only. */
  readonly db: DatabaseSync;
  readonly #node: NodeReader;

  /** @throws NoAuditLogError if the folder has no log, FolderError if it was moved */
  constructor(dataDir: string) {
    const file = join(dataDir, auditFile);
    if (!existsSync(file)) {
      requireNotMoved(dataDir);
      throw new NoAuditLogError('This data folder has no audit log.');
    }
    this.db = new DatabaseSync(file, { readOnly: true, timeout: 5000, allowExtension: false });
    try {
      this.#node = nodeReader(this.db);
    } catch (error) {
      this.db.close();
      throw new NoAuditLogError('This data folder has no audit log.', 1, error);
    }
  }

  identity(): LogIdentity {
    const row = this.db.prepare('select log_id, origin, verifier_key from audit_log').get();
    if (row === undefined) {
      throw new NoAuditLogError('This data folder has no audit log.');
    }
    return {
      logId: row['log_id'] as string,
      origin: row['origin'] as string,
      verifierKey: row['verifier_key'] as string,
    };
  }

  size(): number {
    return readHead(this.db).size;
  }

  /** The latest checkpoint of at most this size; every log has one of size 0. */
  checkpoint(mostSize = Number.MAX_SAFE_INTEGER): string | undefined {
    const row = this.db
      .prepare('select note from audit_checkpoint where size <= ? order by size desc limit 1')
      .get(mostSize);
    return row?.['note'] as string | undefined;
  }

  leaf(seq: number): Buffer {
    return this.#node(0, seq);
  }

  root(size: number): Buffer {
    return rootAt(size, this.#node);
  }

  /** @throws RangeError if a tree of that size has no such record */
  inclusion(seq: number, size: number): Buffer[] {
    this.#requireSize(size);
    return inclusionProof(seq, size, this.#node);
  }

  /** @throws RangeError if the sizes are in the wrong order or larger than the log */
  consistency(older: number, size: number): Buffer[] {
    this.#requireSize(size);
    return consistencyProof(older, size, this.#node);
  }

  close(): void {
    this.db.close();
  }

  #requireSize(size: number): void {
    if (size > this.size()) {
      throw new RangeError('The log is smaller than the given size');
    }
  }
}
