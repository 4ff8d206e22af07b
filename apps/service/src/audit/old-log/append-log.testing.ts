import { randomBytes, type KeyObject } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import {
  AuditBrokenError,
  type AuditEntry,
  Frontier,
  auditBody,
  canonicalJson,
  formatVerifierKey,
  leafHash,
  openCheckpoint,
  signCheckpoint,
  verifierKey,
} from '@caregate/audit-log';
import { headReader, type HeadReader } from './stored-tree.ts';
import { frontierOfCheckpoint, tailVerifier, type TailVerifier } from './tail.testing.ts';

export interface NewRecord {
  readonly entry: AuditEntry;
  readonly recordedAtUs: number;
}

export interface AppendOptions {
  readonly host: string;
  readonly serverId: string;
  readonly checkpointEveryRecords: number;
  /** Of its records; 2 is that of a log in files. Default 1. */
  readonly bodyVersion?: 1 | 2;
}

/**
 * The log in a SQLite file, written synchronously. It trusts its in-memory tree, not the file: records that another process
 * (such as a command) has added are verified before it appends.
 *
 * After any error it MUST be discarded with its connection and opened again, which verifies the tail.
 */
export class AppendLog {
  readonly logId: string;
  readonly origin: string;
  readonly verifierKey: string;
  readonly #db: DatabaseSync;
  readonly #key: KeyObject;
  readonly #options: AppendOptions;
  readonly #insertEvent: StatementSync;
  readonly #insertPatient: StatementSync;
  readonly #insertNode: StatementSync;
  readonly #writeHead: StatementSync;
  readonly #insertCheckpoint: StatementSync;
  readonly #lastCheckpoint: StatementSync;
  readonly #readHead: HeadReader;
  readonly #extendVerified: TailVerifier;
  #frontier: Frontier;

  /** @throws AuditBrokenError if the key does not belong to the log or the tail fails verification */
  constructor(db: DatabaseSync, key: KeyObject, options: AppendOptions) {
    this.#db = db;
    this.#key = key;
    this.#options = options;
    const { logId, origin } = this.#identity();
    const verifier = verifierKey(origin, key);
    this.logId = logId;
    this.origin = origin;
    this.verifierKey = formatVerifierKey(verifier);
    this.#insertEvent = db.prepare(
      'insert into audit_event (seq, leaf_hash, salt, body) values (?, ?, ?, ?)',
    );
    this.#insertPatient = db.prepare('insert into audit_patient (seq, user_id) values (?, ?)');
    this.#insertNode = db.prepare('insert into audit_node (level, idx, hash) values (?, ?, ?)');
    this.#writeHead = db.prepare(
      `insert into audit_head (one, size, frontier) values (1, ?, ?)
       on conflict (one) do update set size = excluded.size, frontier = excluded.frontier`,
    );
    this.#insertCheckpoint = db.prepare('insert into audit_checkpoint (size, note) values (?, ?)');
    this.#lastCheckpoint = db.prepare(
      'select size, note from audit_checkpoint order by size desc limit 1',
    );
    this.#readHead = headReader(db);
    this.#extendVerified = tailVerifier(db);
    const last = this.#lastCheckpoint.get();
    this.#frontier =
      last === undefined
        ? new Frontier()
        : frontierOfCheckpoint(db, openCheckpoint(last['note'] as string, verifier));
    this.#inTransaction(() => {
      this.#catchUp();
      return { result: last === undefined ? this.#sign(this.#frontier) : undefined };
    });
  }

  get size(): number {
    return this.#frontier.size;
  }

  /** Appends the records, durable when it returns. Returns the position of the first. */
  append(records: readonly NewRecord[]): number {
    return this.#inTransaction(() => {
      this.#catchUp();
      const grown = this.#frontier.copy();
      const firstSeq = grown.size;
      const salts = randomBytes(16 * records.length);
      records.forEach((record, at) => {
        this.#add(grown, record, salts.subarray(16 * at, 16 * at + 16));
      });
      this.#writeHead.run(grown.size, grown.toBytes());
      if (grown.size - this.#checkpointSize() >= this.#options.checkpointEveryRecords) {
        this.#sign(grown);
      }
      return { result: firstSeq, frontier: grown };
    });
  }

  /** Signs the current log and returns the checkpoint. */
  checkpoint(): string {
    return this.#inTransaction(() => {
      this.#catchUp();
      const last = this.#lastCheckpoint.get();
      return {
        result:
          last?.['size'] === this.#frontier.size
            ? (last['note'] as string)
            : this.#sign(this.#frontier),
      };
    });
  }

  #add(grown: Frontier, { entry, recordedAtUs }: NewRecord, salt: Buffer): void {
    const seq = grown.size;
    const { serverId } = this.#options;
    const place = { logId: this.logId, seq, recordedAtUs, serverId };
    const { body: newBody, patients } = auditBody(entry, place);
    const version = this.#options.bodyVersion ?? 1;
    const fields = JSON.parse(newBody) as Record<string, Parameters<typeof canonicalJson>[0]>;
    const body = version === 2 ? newBody : canonicalJson({ ...fields, patients, version });
    const leaf = leafHash(salt, Buffer.from(body));
    this.#insertEvent.run(seq, leaf, salt, body);
    for (const userId of patients) {
      this.#insertPatient.run(seq, userId);
    }
    grown.append(leaf, (level, index, hash) => {
      this.#insertNode.run(level, index, hash);
    });
  }

  #sign(frontier: Frontier): string {
    const { size } = frontier;
    const note = signCheckpoint({ origin: this.origin, size, root: frontier.root() }, this.#key);
    this.#insertCheckpoint.run(size, note);
    return note;
  }

  #checkpointSize(): number {
    return (this.#lastCheckpoint.get()?.['size'] as number | undefined) ?? 0;
  }

  /** Verifies and adopts records that another process has added. */
  #catchUp(): void {
    const head = this.#readHead();
    if (head.size < this.#frontier.size) {
      throw new AuditBrokenError(
        'truncated',
        'The log is truncated: it is shorter than before',
        head.size,
      );
    }
    this.#frontier = this.#extendVerified(this.#frontier, head);
  }

  #inTransaction<T>(work: () => { readonly result: T; readonly frontier?: Frontier }): T {
    this.#db.exec('begin immediate');
    let done;
    try {
      done = work();
      this.#db.exec('commit');
    } catch (error) {
      try {
        this.#db.exec('rollback');
      } catch {
        // SQLite has already rolled back after most failures; report the first error.
      }
      throw error;
    }
    this.#frontier = done.frontier ?? this.#frontier;
    return done.result;
  }

  #identity(): { logId: string; origin: string } {
    return this.#inTransaction(() => {
      const kept = this.#db.prepare('select log_id, origin, verifier_key from audit_log').get();
      if (kept !== undefined) {
        const origin = kept['origin'] as string;
        if (formatVerifierKey(verifierKey(origin, this.#key)) !== kept['verifier_key']) {
          throw new AuditBrokenError('bad_signature', 'The key does not belong to this log');
        }
        return { result: { logId: kept['log_id'] as string, origin } };
      }
      const logId = randomBytes(6).toString('hex');
      const origin = `${this.#options.host}/audit/${logId}`;
      const verifier = formatVerifierKey(verifierKey(origin, this.#key));
      this.#db
        .prepare(
          'insert into audit_log (one, log_id, origin, verifier_key, created_at_us) values (1, ?, ?, ?, ?)',
        )
        .run(logId, origin, verifier, Date.now() * 1000);
      return { result: { logId, origin } };
    });
  }
}
