import { resolve } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { LruMap } from 'toad-cache';
import {
  AuditBrokenError,
  IdleIndexing,
  Indexer,
  LogIndex,
  LogReader,
  isMatch,
  leafHash,
  logPaths,
  nodeDisk,
  openCheckpoint,
  parseBody,
  parseVerifierKey,
  tileBytes,
  tileWidth,
  type AuditLog,
  type AuditReceipt,
  type LogPaths,
  type NodeReader,
  type RecordFilter,
} from '@caregate/audit-log';
import {
  AuditTrail,
  UnknownLogError,
  type PageRequest,
  type Proof,
  type TrailEvent,
  type TrailPage,
} from './audit-trail.ts';
import type { EventsFilter } from './events-filter.ts';
import {
  readConsistency,
  readInclusion,
  remembering,
  requireConsistency,
  requireInclusion,
  requireRecord,
  type Signed,
} from './proofs.ts';

/** Initial number of records per scan; increased if the scan is fast, as for few matches. */
const FIRST_SPAN = 2000;
const QUICK_MS = 4;
/** Records that are read by their positions before others have a turn. */
const AT_ONCE = 20;
/** Time limit of a page, which may then have fewer events than its limit. */
const PAGE_WITHIN_MS = 200;
const saltLength = 16;
const KEPT_NODES = 4096;

/** @throws ProofFailedError if the signed tree has another record there */
type Check = (seq: number, leaf: Buffer) => void;

type Log = Pick<AuditLog, 'logId' | 'verifierKey' | 'checkpoint' | 'state'>;

/** The log of a data folder, read beside its writer: found by the index, and then taken from the records themselves. */
export class FolderAuditTrail extends AuditTrail {
  readonly #log: Log;
  readonly #reader: LogReader;
  readonly #read: NodeReader;
  readonly #paths: LogPaths;
  readonly #indexer: Indexer;
  readonly #indexing: IdleIndexing;
  #index: LogIndex | undefined;

  /** @param dataDir the folder of `log`, which must be open */
  constructor(dataDir: string, log: Log) {
    super();
    const folder = resolve(dataDir);
    this.#log = log;
    this.#reader = new LogReader(nodeDisk, folder);
    this.#read = keeping((level, index) => this.#reader.node(level, index));
    this.#paths = logPaths(folder);
    this.#indexer = new Indexer(folder);
    this.#indexing = new IdleIndexing(this.#indexer, () => log.state());
  }

  isOpen(): boolean {
    return !this.#log.state().latched;
  }

  override indexLag(): number | undefined {
    return this.#indexing.lag;
  }

  verifierKey(logId?: string): Promise<string> {
    return this.#own(logId, () => Promise.resolve(this.#log.verifierKey));
  }

  checkpoint(logId?: string): Promise<string> {
    return this.#own(logId, () => this.#log.checkpoint());
  }

  async page({ filter, from, limit, weight }: PageRequest): Promise<TrailPage> {
    return await this.#own(filter.log, async () => {
      if (filter.records !== undefined) {
        return await this.#these(filter, filter.records, weight);
      }
      const { size: signed } = await this.#signed();
      const index = await this.#caughtUp();
      if (index.size < signed) {
        // Made again of a log that has lost records: what it does not know is not shown as nothing.
        throw new AuditBrokenError('gap', `Record ${index.size} is missing`, index.size);
      }
      const [size, before] = placeOf(from) ?? [index.size, index.size];
      const check = await this.#check();
      const { events, below } = await this.#found(index, filterOf(filter), {
        before,
        limit,
        check,
        weight,
      });
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

  tile: AuditTrail['tile'] = ({ log, level, index, width }) =>
    this.#own(log, async () => {
      const { size } = await this.#signed();
      return width > tileWidth(size, level, index)
        ? undefined
        : tileBytes(this.#read, level, index, width);
    });

  async close(): Promise<void> {
    this.#indexing.close();
    await this.#indexer.close();
    this.#index?.close();
    this.#reader.close();
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

  /** The index with all that the log had when this was called. */
  async #caughtUp(): Promise<LogIndex> {
    let size = await this.#indexing.catchUp();
    for (let tries = 0; tries < 3; tries += 1) {
      this.#index ??= this.#openIndex();
      if (this.#index.size >= size && !this.#index.wasReplaced()) {
        return this.#index;
      }
      // It was made again in another file, since this one was damaged or changed.
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
        return { logId: this.#log.logId, size: null, events, next: String(at) };
      }
      if (at % AT_ONCE === AT_ONCE - 1) {
        await breathe();
      }
      const isHere = logId === this.#log.logId && seq < size;
      const event = this.#event(isHere ? seq : 0, filterOf(filter), check);
      if (event !== undefined && isHere) {
        events.push(event);
        left -= weight?.of(event.record) ?? 0;
      }
    }
    return { logId: this.#log.logId, size: null, events, next: undefined };
  }

  async #found(
    index: LogIndex,
    filter: RecordFilter,
    {
      before,
      limit,
      check,
      weight,
    }: { before: number; limit: number; check: Check } & Pick<PageRequest, 'weight'>,
  ): Promise<{ events: TrailEvent[]; below: number }> {
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
   * The record itself, if it matches: an index may be wrong.
   *
   * @throws AuditBrokenError if it is missing, ProofFailedError if it was changed
   */
  #event(seq: number, filter: RecordFilter, check: Check): TrailEvent | undefined {
    const entry = this.#reader.entry(seq);
    const [salt, text] = [entry.subarray(0, saltLength), entry.subarray(saltLength)];
    // Before it is compared with the filter: one that was changed may match no more.
    const leaf = leafHash(salt, text);
    check(seq, leaf);
    const body = text.toString();
    const record = parseBody(body);
    return isMatch(filter, record)
      ? { logId: this.#log.logId, seq, body, record, salt, leafHash: leaf }
      : undefined;
  }

  /** Compares records with the tree that is signed now. */
  async #check(): Promise<Check> {
    const signed = await this.#signed();
    const read = remembering(this.#read);
    return (seq, leaf) => {
      requireRecord(read, { seq, leaf }, signed);
    };
  }

  async #signed(): Promise<Signed> {
    const note = await this.#log.checkpoint();
    const { size, root } = openCheckpoint(note, parseVerifierKey(this.#log.verifierKey));
    return { note, size, root };
  }
}

/**
 * The same nodes, the latest kept: those at the edge of the tree are made of up to 255 records. A node never changes, and
 * each proof is compared with the signed root.
 */
function keeping(read: NodeReader): NodeReader {
  const known = new LruMap<Buffer>(KEPT_NODES);
  return (level, index) => {
    const name = `${level}/${index}`;
    const node = known.get(name) ?? read(level, index);
    known.set(name, node);
    return node;
  };
}

/** All pages use the size of the log at the first one, so that new records do not shift them. */
function placeOf(from: string | undefined): [size: number, before: number] | undefined {
  return from === undefined ? undefined : (JSON.parse(from) as [number, number]);
}

function filterOf({ teamId, patient, ...filter }: EventsFilter): RecordFilter {
  const { actor, operations, decision, fromUs, toUs } = filter;
  return {
    team: teamId,
    patient: patient?.toLowerCase(),
    actor,
    operations,
    decision,
    fromUs,
    toUs,
  };
}
