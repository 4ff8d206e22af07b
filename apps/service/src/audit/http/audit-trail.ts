import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as breathe } from 'node:timers/promises';
import type { AuditLog } from '../audit-log.ts';
import { auditFile } from '../log/audit-schema.ts';
import { openCheckpoint, parseVerifierKey } from '../log/checkpoint.ts';
import { nodeReader } from '../log/stored-tree.ts';
import {
  consistencyProof,
  inclusionProof,
  rootAt,
  verifyConsistency,
  verifyInclusion,
  type NodeReader,
} from '../log/tree.ts';
import { eventsQuery, type EventsFilter } from './events-query.ts';

/** Records looked at in one go at first; more where that went quickly, as on a log with few that match. */
const FIRST_SPAN = 2000;
const QUICK_MS = 4;
/** A page takes no longer than this to find; it may then hold fewer events than it could. */
const PAGE_WITHIN_MS = 200;

export interface TrailEvent {
  readonly seq: number;
  /** The record's text as it was hashed. */
  readonly body: string;
  readonly salt: Buffer;
  readonly leafHash: Buffer;
}

export interface TrailPage {
  readonly events: readonly TrailEvent[];
  /** Records below this one are still to be looked at; `undefined` where all have been. */
  readonly before: number | undefined;
}

export interface Proof {
  readonly hashes: readonly Buffer[];
  /** The signed note of the tree that the proof ends at, or one that is known to continue it. */
  readonly checkpoint: string;
}

/** The stored log does not lead to the root that its own key has signed. */
export class ProofFailedError extends Error {
  override readonly name = 'ProofFailedError';
}

type Log = Pick<AuditLog, 'logId' | 'verifierKey' | 'checkpoint' | 'state'>;

/** The log as its auditors read it: over a connection of its own that can't write. */
export class AuditTrail {
  readonly #db: DatabaseSync;
  readonly #log: Log;
  readonly #read: NodeReader;
  readonly #size: StatementSync;

  /** @param dataDir where `log` has been opened, so that the file is there */
  constructor(dataDir: string, log: Log) {
    this.#log = log;
    this.#db = new DatabaseSync(join(dataDir, auditFile), { readOnly: true, timeout: 5000 });
    this.#read = nodeReader(this.#db);
    this.#size = this.#db.prepare('select size from audit_head');
  }

  get logId(): string {
    return this.#log.logId;
  }

  get verifierKey(): string {
    return this.#log.verifierKey;
  }

  /** Whether the log takes records now: while it does not, no answer leaves. */
  isOpen(): boolean {
    return !this.#log.state().latched;
  }

  /** Records in the log now. */
  size(): number {
    return (this.#size.get()?.['size'] as number | undefined) ?? 0;
  }

  /** The signed note of the tree as it is now. @throws AuditUnavailableError */
  checkpoint(): Promise<string> {
    return this.#log.checkpoint();
  }

  /** Events that match, newest first, of the records below `before`. */
  async page(filter: EventsFilter, before: number, limit: number): Promise<TrailPage> {
    const query = eventsQuery(filter);
    const statement = this.#db.prepare(query.sql);
    const events: TrailEvent[] = [];
    const began = performance.now();
    let span = FIRST_SPAN;
    let below = before;
    while (below > 0 && events.length < limit) {
      const from = Math.max(0, below - span);
      const spanBegan = performance.now();
      const rows = statement.all({ ...query.values, from, below, limit: limit - events.length });
      events.push(...rows.map(eventOf));
      below = events.length < limit ? from : (events.at(-1)?.seq ?? 0);
      span *= performance.now() - spanBegan < QUICK_MS ? 4 : 1;
      if (performance.now() - began > PAGE_WITHIN_MS) {
        break;
      }
      await breathe();
    }
    return { events, before: below > 0 ? below : undefined };
  }

  /**
   * That record `seq` is in the tree of `size` records.
   *
   * @throws RangeError where there is no such record in a tree of that size, or no such tree yet
   * @throws ProofFailedError
   */
  async inclusion(seq: number, size?: number): Promise<Proof & { size: number; leafHash: Buffer }> {
    const signed = await this.#signed();
    const end = size ?? signed.size;
    const root = this.#rootOf(end, signed);
    const hashes = inclusionProof(seq, end, this.#read);
    const leafHash = this.#read(0, seq);
    if (!verifyInclusion(leafHash, seq, end, hashes, root)) {
      throw new ProofFailedError('The record does not lead to the signed root');
    }
    return { hashes, leafHash, size: end, checkpoint: signed.note };
  }

  /**
   * That the tree of `to` records begins with that of `from`.
   *
   * @throws RangeError where there is no such tree yet
   * @throws ProofFailedError
   */
  async consistency(from: number, to?: number): Promise<Proof & { size: number }> {
    const signed = await this.#signed();
    const end = to ?? signed.size;
    const root = this.#rootOf(end, signed);
    const hashes = consistencyProof(from, end, this.#read);
    if (!verifyConsistency(from, end, hashes, rootAt(from, this.#read), root)) {
      throw new ProofFailedError('The older tree does not lead to the signed root');
    }
    return { hashes, size: end, checkpoint: signed.note };
  }

  close(): Promise<void> {
    this.#db.close();
    return Promise.resolve();
  }

  async #signed(): Promise<{ note: string; size: number; root: Buffer }> {
    const note = await this.#log.checkpoint();
    const { size, root } = openCheckpoint(note, parseVerifierKey(this.#log.verifierKey));
    return { note, size, root };
  }

  /** The root of an earlier tree, once it is known that the signed one continues it. */
  #rootOf(size: number, signed: { size: number; root: Buffer }): Buffer {
    if (size > signed.size) {
      throw new RangeError('There is no tree of that size yet');
    }
    const root = rootAt(size, this.#read);
    const proof = consistencyProof(size, signed.size, this.#read);
    if (!verifyConsistency(size, signed.size, proof, root, signed.root)) {
      throw new ProofFailedError('The stored log does not lead to the signed root');
    }
    return root;
  }
}

function eventOf(row: Record<string, unknown>): TrailEvent {
  return {
    seq: row['seq'] as number,
    body: row['body'] as string,
    salt: Buffer.from(row['salt'] as Uint8Array),
    leafHash: Buffer.from(row['leaf_hash'] as Uint8Array),
  };
}
