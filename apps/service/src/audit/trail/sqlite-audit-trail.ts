import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setImmediate as breathe } from 'node:timers/promises';
import type { AuditReceipt } from '../audit-entry.ts';
import type { AuditLog } from '../audit-log.ts';
import { auditFile } from '../log/audit-schema.ts';
import { openCheckpoint, parseVerifierKey } from '../log/checkpoint.ts';
import { nodeReader } from '../log/stored-tree.ts';
import type { NodeReader } from '../log/tree.ts';
import {
  AuditTrail,
  UnknownLogError,
  type PageRequest,
  type Proof,
  type TrailEvent,
  type TrailPage,
} from './audit-trail.ts';
import { eventsQuery, type EventsFilter } from './events-query.ts';
import {
  readConsistency,
  readInclusion,
  requireConsistency,
  requireInclusion,
  type Signed,
} from './proofs.ts';

/** Initial number of records per scan; increased if the scan is fast, as for few matches. */
const FIRST_SPAN = 2000;
const QUICK_MS = 4;
/** Time limit of a page, which may then have fewer events than its limit. */
const PAGE_WITHIN_MS = 200;

type Log = Pick<AuditLog, 'logId' | 'verifierKey' | 'checkpoint' | 'state'>;

/** The log of a data folder, over a separate read-only connection. */
export class SqliteAuditTrail extends AuditTrail {
  readonly #db: DatabaseSync;
  readonly #log: Log;
  readonly #read: NodeReader;
  readonly #size: StatementSync;

  /** @param dataDir the folder of `log`, which must be open */
  constructor(dataDir: string, log: Log) {
    super();
    this.#log = log;
    this.#db = new DatabaseSync(join(dataDir, auditFile), { readOnly: true, timeout: 5000 });
    this.#read = nodeReader(this.#db);
    this.#size = this.#db.prepare('select size from audit_head');
  }

  isOpen(): boolean {
    return !this.#log.state().latched;
  }

  verifierKey(logId?: string): Promise<string> {
    return this.#own(logId, () => Promise.resolve(this.#log.verifierKey));
  }

  checkpoint(logId?: string): Promise<string> {
    return this.#own(logId, () => this.#log.checkpoint());
  }

  async page({ filter, from, limit }: PageRequest): Promise<TrailPage> {
    return await this.#own(filter.log, async () => {
      if (filter.record !== undefined) {
        return this.#one(filter, filter.record);
      }
      const [size, before] = this.#place(from);
      const { events, below } = await this.#found(filter, before, limit);
      const next = below > 0 ? JSON.stringify([size, below]) : undefined;
      return { logId: this.#log.logId, size, events, next };
    });
  }

  inclusion: AuditTrail['inclusion'] = ({ log, seq, size }) =>
    this.#own(log, async () => {
      const signed = await this.#signed();
      const parts = readInclusion(this.#read, { seq, size: size ?? signed.size }, signed);
      requireInclusion(parts, signed);
      return { ...this.#proof(parts, signed), leafHash: parts.leaf };
    });

  consistency: AuditTrail['consistency'] = ({ log, from, to }) =>
    this.#own(log, async () => {
      const signed = await this.#signed();
      const parts = readConsistency(this.#read, { from, to: to ?? signed.size }, signed);
      requireConsistency(parts, signed);
      return this.#proof(parts, signed);
    });

  close(): Promise<void> {
    this.#db.close();
    return Promise.resolve();
  }

  async #own<T>(logId: string | undefined, what: () => Promise<T>): Promise<T> {
    if (logId !== undefined && logId !== this.#log.logId) {
      throw new UnknownLogError('No such log');
    }
    return await what();
  }

  #proof(parts: { size: number; hashes: readonly Buffer[] }, { note }: Signed): Proof {
    const { size, hashes } = parts;
    return { logId: this.#log.logId, hashes, size, checkpoint: note };
  }

  /** Takes the same time whether the record exists, belongs to another team or does not exist. */
  #one(filter: EventsFilter, { logId, seq }: AuditReceipt): TrailPage {
    const { sql, values } = eventsQuery(filter);
    const isHere = logId === this.#log.logId;
    const span = { from: isHere ? seq : 0, below: isHere ? seq + 1 : 0, limit: 1 };
    const rows = this.#db.prepare(sql).all({ ...values, ...span });
    return { logId: this.#log.logId, size: null, events: rows.map(eventOf), next: undefined };
  }

  /** All pages use the size of the log at the first one, so that new records do not shift them. */
  #place(from: string | undefined): [size: number, before: number] {
    if (from !== undefined) {
      return JSON.parse(from) as [number, number];
    }
    const size = (this.#size.get()?.['size'] as number | undefined) ?? 0;
    return [size, size];
  }

  async #found(
    filter: EventsFilter,
    before: number,
    limit: number,
  ): Promise<{ events: TrailEvent[]; below: number }> {
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
    return { events, below };
  }

  async #signed(): Promise<Signed> {
    const note = await this.#log.checkpoint();
    const { size, root } = openCheckpoint(note, parseVerifierKey(this.#log.verifierKey));
    return { note, size, root };
  }
}

function eventOf(row: Record<string, unknown>): TrailEvent {
  return {
    logId: row['log_id'] as string,
    seq: row['seq'] as number,
    body: row['body'] as string,
    salt: Buffer.from(row['salt'] as Uint8Array),
    leafHash: Buffer.from(row['leaf_hash'] as Uint8Array),
  };
}
