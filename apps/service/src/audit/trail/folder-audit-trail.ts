import { resolve } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { LruMap } from 'toad-cache';
import {
  AuditBrokenError,
  IdleIndexing,
  Indexer,
  LogIndex,
  LogReader,
  inclusionProof,
  isMatch,
  leafHash,
  logPaths,
  nodeDisk,
  parseBody,
  verifyInclusion,
  type AuditReceipt,
  type LogPaths,
  type NodeReader,
} from '@caregate/audit-log';
import {
  AuditTrail,
  ProofFailedError,
  UnknownLogError,
  caching,
  type EventsFilter,
  type OwnLog,
  type PageRequest,
  type TrailEvent,
  type TrailPage,
} from './audit-trail.ts';

/** Initial number of records per scan; increased while scans are fast. */
const FIRST_SPAN = 2000;
const QUICK_MS = 4;
/** Records read before other requests have a turn. */
const AT_ONCE = 20;
/** Time limit of a page, which may then have fewer events than its limit. */
const PAGE_WITHIN_MS = 200;
const saltLength = 16;
const CACHED_NODES = 4096;

/** @throws ProofFailedError if the signed tree has another record there */
type Check = (seq: number, leaf: Buffer) => void;

/** The log of a data folder, beside its writer: events are found by the index and read from the records. */
export class FolderAuditTrail extends AuditTrail {
  readonly #reader: LogReader;
  readonly #read: NodeReader;
  readonly #paths: LogPaths;
  readonly #indexer: Indexer;
  readonly #indexing: IdleIndexing;
  #index: LogIndex | undefined;

  /** @param dataDir the folder of `own`, which must be open */
  constructor(dataDir: string, own: OwnLog) {
    super(own);
    const folder = resolve(dataDir);
    this.#reader = new LogReader(nodeDisk, folder);
    // Nodes at the edge of the tree are computed from up to 255 records. A node never changes.
    const nodes = new LruMap<Buffer>(CACHED_NODES);
    this.#read = caching((level, index) => this.#reader.node(level, index), nodes);
    this.#paths = logPaths(folder);
    this.#indexer = new Indexer(folder);
    this.#indexing = new IdleIndexing(this.#indexer, () => own.state());
  }

  override indexLag(): number | undefined {
    return this.#indexing.lag;
  }

  async verifierKey(logId?: string): Promise<string> {
    this.#requireOwn(logId);
    return await Promise.resolve(this.own.verifierKey);
  }

  async checkpoint(logId?: string): Promise<string> {
    this.#requireOwn(logId);
    return await this.own.checkpoint();
  }

  protected withNodes<T>(_logId: string, compute: (read: NodeReader) => T): Promise<T> {
    return Promise.resolve(compute(this.#read));
  }

  async page({ filter, from, limit, weight }: PageRequest): Promise<TrailPage> {
    this.#requireOwn(filter.log);
    if (filter.records !== undefined) {
      return await this.#these(filter, filter.records, weight);
    }
    const { size: signed } = await this.signed(this.own.logId);
    const index = await this.#caughtUp();
    if (index.size < signed) {
      // The index was made again from a log that has lost records.
      throw new AuditBrokenError('gap', `Record ${index.size} is missing`, index.size);
    }
    // All pages use the size of the log at the first one, so that new records do not shift them.
    const [size, before] =
      from === undefined
        ? [index.size, index.size]
        : (JSON.parse(from) as [size: number, before: number]);
    const { events, below } = await this.#found(index, { filter, before, limit, weight });
    const next = below > 0 ? JSON.stringify([size, below]) : undefined;
    return { logId: this.own.logId, events, next };
  }

  async close(): Promise<void> {
    this.#indexing.close();
    await this.#indexer.close();
    this.#index?.close();
    this.#reader.close();
  }

  #requireOwn(logId: string | undefined): void {
    if (logId !== undefined && logId !== this.own.logId) {
      throw new UnknownLogError('No such log');
    }
  }

  /** The index with all records that the log had at the call. */
  async #caughtUp(): Promise<LogIndex> {
    let size = await this.#indexing.catchUp();
    for (let tries = 0; tries < 3; tries += 1) {
      this.#index ??= this.#openIndex();
      if (this.#index.size >= size && !this.#index.wasReplaced()) {
        return this.#index;
      }
      // It was made again in another file.
      this.#index.close();
      this.#index = undefined;
      size = await this.#indexing.catchUp();
    }
    throw new Error('The index of the audit log is changed by another process');
  }

  #openIndex(): LogIndex {
    const { index, key } = this.#paths;
    return new LogIndex(index, this.#reader, nodeDisk.read(key));
  }

  /** Takes about the same time whether a record exists, belongs to another team or does not exist. */
  async #these(
    filter: EventsFilter,
    records: readonly AuditReceipt[],
    weight: PageRequest['weight'],
  ): Promise<TrailPage> {
    const check = await this.#check();
    const size = this.#reader.size();
    const events: TrailEvent[] = [];
    let left = weight?.most ?? Infinity;
    for (const [at, { logId, seq }] of records.entries()) {
      if (left <= 0) {
        return { logId: this.own.logId, events, next: String(at) };
      }
      if (at % AT_ONCE === AT_ONCE - 1) {
        await breathe();
      }
      const isHere = logId === this.own.logId && seq < size;
      const event = this.#event(isHere ? seq : 0, filter, check);
      if (event !== undefined && isHere) {
        events.push(event);
        left -= weight?.of(event.record) ?? 0;
      }
    }
    return { logId: this.own.logId, events, next: undefined };
  }

  async #found(
    index: LogIndex,
    { filter, before, limit, weight }: { before: number } & Omit<PageRequest, 'from'>,
  ): Promise<{ events: TrailEvent[]; below: number }> {
    const check = await this.#check();
    const events: TrailEvent[] = [];
    const began = performance.now();
    let span = FIRST_SPAN;
    let below = before;
    let left = weight?.most ?? Infinity;
    while (below > 0 && events.length < limit && left > 0) {
      const from = Math.max(0, below - span);
      const spanBegan = performance.now();
      const wanted = limit - events.length;
      const found = index.find(filter, { from, below, limit: wanted, order: 'desc' });
      below = found.length < wanted ? from : (found.at(-1) ?? 0);
      for (const [at, seq] of found.entries()) {
        if (at % AT_ONCE === AT_ONCE - 1) {
          await breathe();
        }
        const event = this.#event(seq, filter, check);
        if (event !== undefined) {
          events.push(event);
          left -= weight?.of(event.record) ?? 0;
        }
        if (left <= 0) {
          below = seq;
          break;
        }
      }
      span *= performance.now() - spanBegan < QUICK_MS ? 4 : 1;
      if (performance.now() - began > PAGE_WITHIN_MS) {
        break;
      }
      await breathe();
    }
    return { events, below };
  }

  /**
   * The record, if it matches: an index may be wrong. @throws AuditBrokenError if it is missing, ProofFailedError if it
   * was changed
   */
  #event(seq: number, filter: EventsFilter, check: Check): TrailEvent | undefined {
    const entry = this.#reader.entry(seq);
    const [salt, text] = [entry.subarray(0, saltLength), entry.subarray(saltLength)];
    // Before the filter: a changed record may no longer match.
    const leaf = leafHash(salt, text);
    check(seq, leaf);
    const body = text.toString();
    const record = parseBody(body);
    return isMatch(filter, record) ? { logId: this.own.logId, seq, body, record, salt } : undefined;
  }

  async #check(): Promise<Check> {
    const { size, root } = await this.signed(this.own.logId);
    const read = caching(this.#read);
    return (seq, leaf) => {
      if (!verifyInclusion(leaf, seq, size, inclusionProof(seq, size, read), root)) {
        throw new ProofFailedError(`Record ${seq} is not the one that was signed`);
      }
    };
  }
}
