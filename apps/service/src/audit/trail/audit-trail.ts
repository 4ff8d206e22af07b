import { EventEmitter } from 'node:events';
import {
  AuditBrokenError,
  AuditUnavailableError,
  LogReader,
  type AuditLog,
  type AuditReceipt,
  type StoredRecord,
} from '@caregate/audit-log';
import { invalidParameters, ProblemError } from '../../problem/problem-error.ts';
import { isMatch, parseRecord, type RecordBody, type RecordFilter } from '../record/record-body.ts';

/** Records read for a page, which may then have fewer events than its limit: some 200 ms. */
const MOST_READ = 20_000;

export interface EventsFilter extends Omit<RecordFilter, 'about'> {
  readonly team: string;
  readonly log?: string | undefined;
  readonly records?: readonly AuditReceipt[] | undefined;
}

export interface TrailEvent {
  readonly logId: string;
  readonly seq: number;
  readonly body: string;
  readonly record: RecordBody;
  readonly salt: Buffer;
}

export interface TrailPage {
  readonly logId: string | null;
  readonly events: readonly TrailEvent[];
  /** Where the next page begins; `undefined` on the last one. */
  readonly next: string | undefined;
}

export interface PageRequest {
  readonly filter: EventsFilter;
  readonly from: string | undefined;
  readonly limit: number;
  /** True to read every record in the range of time and filter by its body; false to search by the columns. */
  readonly isComplete?: boolean;
  /** The page ends after the event with which those on it weigh `most`: one event may weigh more. */
  readonly weight?:
    | { readonly of: (record: RecordBody) => number; readonly most: number }
    | undefined;
}

export interface Proof {
  readonly logId: string;
  readonly hashes: readonly Buffer[];
  readonly size: number;
  /** The checkpoint of the tree of the proof, or of one that extends it. */
  readonly checkpoint: string;
}

class UnknownLogError extends Error {
  override readonly name = 'UnknownLogError';
}

/** State changes of an open log; messages contain no data. */
export class AuditLogEvents extends EventEmitter<{
  /** The log takes no records. Repeated for each new reason and each minute. */
  interrupted: [message: string];
  resumed: [message: string];
}> {}

export type OwnLog = Pick<AuditLog, 'logId' | 'publicKey' | 'checkpoint' | 'state'>;
type SignedTree = Awaited<ReturnType<LogReader['tree']>>;

/**
 * Reads the log of this instance and, on PostgreSQL, the logs of the others. What it gives is proved by the tree that is signed now.
 * Without a log ID, methods use the log of this instance. All throw UnknownLogError.
 */
export class AuditTrail {
  readonly #own: OwnLog;
  readonly #reader: LogReader;
  #archived: Promise<ReadonlySet<string>> | undefined;

  /** @param reader of the log that is `own` */
  constructor(own: OwnLog, reader: LogReader) {
    this.#own = own;
    this.#reader = reader;
  }

  /** Otherwise no data can be returned. */
  isOpen(): boolean {
    return !this.#own.state().isInterrupted;
  }

  async publicKey(logId: string = this.#own.logId): Promise<string> {
    return logId === this.#own.logId
      ? this.#own.publicKey
      : (await this.#readerOf(logId)).identity.publicKey;
  }

  /** The newest checkpoint. @throws AuditUnavailableError */
  async checkpoint(logId: string = this.#own.logId): Promise<string> {
    return (await this.#tree(logId)).checkpoint;
  }

  /** Newest first. @throws AuditBrokenError if one is missing, or not the one that was signed */
  async page(request: PageRequest): Promise<TrailPage> {
    const { filter } = request;
    const logId = filter.log ?? null;
    const archived = await this.#archivedLogs();
    if (logId !== null && archived.has(logId)) {
      throw new UnknownLogError(`Log ${logId} was archived by caregate audit new-log`);
    }
    if (filter.records !== undefined) {
      return { logId, ...(await this.#these(filter, filter.records)) };
    }
    const found =
      request.isComplete === true
        ? this.#all(request, archived)
        : this.#byColumns(request, archived);
    return { logId, ...(await this.#pageOf(found, request)) };
  }

  /** @throws RangeError if that tree does not have the record, or does not exist yet; AuditBrokenError */
  async inclusion(request: {
    readonly log?: string | undefined;
    readonly seq: number;
    readonly size?: number | undefined;
  }): Promise<Proof & { readonly leafHash: Buffer }> {
    const { log = this.#own.logId, seq } = request;
    const tree = await this.#tree(log);
    const { size = tree.head.size } = request;
    const { hashes, leafHash } = await tree.inclusion(seq, size);
    return { logId: log, hashes, size, checkpoint: tree.checkpoint, leafHash };
  }

  /** @throws RangeError if there is no such tree yet; AuditBrokenError */
  async consistency(request: {
    readonly log?: string | undefined;
    readonly from: number;
    readonly to?: number | undefined;
  }): Promise<Proof> {
    const { log = this.#own.logId, from } = request;
    const tree = await this.#tree(log);
    const { to: size = tree.head.size } = request;
    const hashes = await tree.consistency(from, size);
    return { logId: log, hashes, size, checkpoint: tree.checkpoint };
  }

  /** @throws AuditBrokenError unless the log of this instance begins as this tree does */
  async requireExtends(
    older: { readonly size: number; readonly root: Buffer },
    what: string,
  ): Promise<void> {
    await (await this.#tree(this.#own.logId)).requireExtends(older, what);
  }

  async close(): Promise<void> {
    await this.#reader.close();
  }

  /** Records by their places; those of other teams are left out. */
  async #these(
    filter: EventsFilter,
    records: readonly AuditReceipt[],
  ): Promise<Pick<TrailPage, 'events' | 'next'>> {
    const events: TrailEvent[] = [];
    for (const { logId, seq } of records) {
      const tree = await this.#tree(logId).catch((error: unknown) => {
        if (error instanceof UnknownLogError) {
          return undefined;
        }
        throw error;
      });
      if (tree !== undefined && seq < tree.head.size) {
        const event = readEvent(logId, await tree.record(seq));
        if (isMatch(filter, event.record)) {
          events.push(event);
        }
      }
    }
    return { events, next: undefined };
  }

  async #pageOf(
    found: AsyncGenerator<{ readonly event: TrailEvent | undefined; readonly next: string }>,
    { limit, weight }: PageRequest,
  ): Promise<Pick<TrailPage, 'events' | 'next'>> {
    const events: TrailEvent[] = [];
    let read = 0;
    let left = weight?.most ?? Infinity;
    for await (const { event, next } of found) {
      if (event !== undefined) {
        events.push(event);
        left -= weight?.of(event.record) ?? 0;
      }
      read += 1;
      if (events.length >= limit || left <= 0 || read >= MOST_READ) {
        return { events, next };
      }
    }
    return { events, next: undefined };
  }

  /** What the columns find. An ID may be found in another's place: the body decides. */
  async *#byColumns(
    { filter, from, limit }: PageRequest,
    archived: ReadonlySet<string>,
  ): AsyncGenerator<{ readonly event: TrailEvent | undefined; readonly next: string }> {
    const { team, actor, operations, decision, patient, fromUs, toUs, log } = filter;
    let after = from === undefined ? undefined : (JSON.parse(from) as Place);
    for (let isMore = true; isMore;) {
      const rows = await this.#reader.storage.find({
        texts: {
          team_id: [team],
          actor_id: actor === undefined ? undefined : [actor],
          operation: operations,
          decision: decision === undefined ? undefined : [decision],
        },
        ...{ id: patient, fromUs, toUs, log, after, limit, withoutLogs: [...archived] },
      });
      isMore = rows.length === limit;
      const trees = new Map<string, SignedTree>();
      for (const logId of new Set(rows.map((row) => row.logId))) {
        trees.set(logId, await this.#tree(logId));
      }
      for (const row of rows) {
        const { logId, seq, timeUs } = row;
        await trees.get(logId)?.requireRecords([row]);
        const event = readEvent(logId, row);
        requireCopies(filter, event);
        after = { timeUs, logId, seq };
        const isWanted = isMatch({ patient }, event.record);
        yield { event: isWanted ? event : undefined, next: JSON.stringify(after) };
      }
    }
  }

  /** Every record of the time, in all logs. */
  async *#all(
    { filter, from }: PageRequest,
    archived: ReadonlySet<string>,
  ): AsyncGenerator<{ readonly event: TrailEvent | undefined; readonly next: string }> {
    const before = from === undefined ? {} : (JSON.parse(from) as Readonly<Record<string, number>>);
    const ids = (await this.#reader.storage.logs()).map(({ logId }) => logId);
    const logs = ids.filter(
      (id) => !archived.has(id) && (filter.log === undefined || filter.log === id),
    );
    const readers = await Promise.all(
      logs.map(async (id) =>
        (await this.#readerOf(id)).newestFirst(await this.#tree(id), {
          ...filter,
          below: before[id],
        }),
      ),
    );
    const next = await Promise.all(readers.map(async (reader) => (await reader.next()).value));
    const places: Record<string, number> = { ...before };
    for (;;) {
      const events = next.map((one, at) => one && readEvent(logs[at] as string, one));
      const newest = events.reduce<TrailEvent | undefined>(
        (best, one) =>
          best === undefined || (one?.record.recorded_at_us ?? 0) > best.record.recorded_at_us
            ? (one ?? best)
            : best,
        undefined,
      );
      if (newest === undefined) {
        return;
      }
      const at = events.indexOf(newest);
      places[newest.logId] = newest.seq;
      const isWanted = isMatch(filter, newest.record);
      yield { event: isWanted ? newest : undefined, next: JSON.stringify(places) };
      next[at] = (await readers[at]?.next())?.value;
    }
  }

  async #tree(logId: string): Promise<SignedTree> {
    const own = logId === this.#own.logId;
    // This instance signed its head, or checked it: what the tables say of it is not asked.
    const note = own ? await this.#own.checkpoint() : undefined;
    return await (await this.#readerOf(logId)).tree(note);
  }

  /** @throws UnknownLogError */
  async #readerOf(logId: string): Promise<LogReader> {
    const { storage, members, identity } = this.#reader;
    if (logId === this.#own.logId) {
      return new LogReader(storage, members, { ...identity, publicKey: this.#own.publicKey });
    }
    const row = (await storage.logs()).find((one) => one.logId === logId);
    if (row === undefined) {
      throw new UnknownLogError('No such log');
    }
    return new LogReader(storage, members, row);
  }

  /** The logs before this one, which are broken: no page shows them. */
  async #archivedLogs(): Promise<ReadonlySet<string>> {
    this.#archived ??= this.#readArchived();
    try {
      return await this.#archived;
    } catch (error) {
      this.#archived = undefined;
      throw error;
    }
  }

  async #readArchived(): Promise<ReadonlySet<string>> {
    const { body } = await (await this.#tree(this.#own.logId)).record(0);
    const { operation, details } = parseRecord(body, { logId: this.#own.logId, seq: 0 });
    return new Set(operation === 'newAuditLog' ? String(details['archived']).split(' ') : []);
  }
}

interface Place {
  readonly timeUs: number;
  readonly logId: string;
  readonly seq: number;
}

function readEvent(logId: string, { seq, body, salt }: StoredRecord): TrailEvent {
  return { logId, seq, body, record: parseRecord(body, { logId, seq }), salt };
}

/** @throws AuditBrokenError if the columns, which found it, differ from the record */
function requireCopies(filter: EventsFilter, { seq, record }: TrailEvent): void {
  if (!isMatch({ ...filter, patient: undefined }, record)) {
    throw new AuditBrokenError(
      'altered',
      `The columns beside record ${seq} are not what its body says`,
      seq,
    );
  }
}
/** For `catch`. @param proofFailed raises the alarm */
export function trailProblem(error: unknown, proofFailed: () => void): never {
  if (error instanceof AuditUnavailableError) {
    const seconds = Math.max(1, Math.ceil(error.retryAfterSeconds));
    const headers = { 'retry-after': String(seconds) };
    const detail = `${error.message}. Try again in a moment.`;
    throw new ProblemError({ type: 'unavailable', detail, headers }, { cause: error });
  }
  if (error instanceof AuditBrokenError) {
    proofFailed();
  }
  return noSuchLog(error);
}

/** For `catch`: an unknown log is a wrong parameter. */
export function noSuchLog(error: unknown): never {
  if (error instanceof UnknownLogError) {
    throw invalidParameters({ parameter: 'log', reason: 'is not a log of this service' });
  }
  throw error;
}
