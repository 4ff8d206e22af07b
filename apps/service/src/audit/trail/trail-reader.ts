import {
  AuditBrokenError,
  LogReader,
  type AuditReceipt,
  type StoredRecord,
} from '@caregate/audit-log';
import {
  matchesFilter,
  parseRecord,
  type AuditRecord,
  type RecordFilter,
} from '../audit-record.ts';

/**
 * Maximum number of records that are read for one page, which takes about 200 ms. A page may therefore have fewer
 * events than its limit.
 */
const MAX_READ = 20_000;

export interface EventsFilter extends Omit<RecordFilter, 'about'> {
  readonly team: string;
  readonly log?: string | undefined;
  readonly records?: readonly AuditReceipt[] | undefined;
}

export interface PageRequest {
  readonly filter: EventsFilter;
  /** Position after which the page starts, from the previous page. */
  readonly from?: string | undefined;
  readonly limit: number;
  /**
   * Ends the page after this number of patients, since records of lists name hundreds. A record without patients
   * counts as one.
   */
  readonly mostPatients: number;
  /** True to read every record of the time range and filter by its body; false to search by the columns. */
  readonly isComplete?: boolean;
}

export interface TrailEvent {
  readonly logId: string;
  readonly seq: number;
  readonly body: string;
  readonly record: AuditRecord;
  /** The 16 random bytes of the record's leaf in the tree, Base64. */
  readonly salt: string;
}

export interface TrailPage {
  /** ID of the log that was read; null if there were several. */
  readonly logId: string | null;
  readonly events: readonly TrailEvent[];
  /** Start of the next page; undefined on the last page. */
  readonly next: string | undefined;
}

/** Names the log to read; by default the log of this instance. */
interface LogRequest {
  readonly log?: string | undefined;
}

/** Hashes that prove a record, or an earlier size of the log, against a signed checkpoint, Base64. */
export interface Proof {
  readonly logId: string;
  readonly hashes: readonly string[];
  readonly size: number;
  /** A signed checkpoint of the log, at the size of the proof or larger. */
  readonly checkpoint: string;
}

/** The head of this instance's log as its writer knows it. What the tables say about it is not trusted. */
export interface OwnHead {
  readonly logId: string;
  readonly publicKey: string;
  readonly checkpoint: string;
}

export class UnknownLogError extends Error {
  override readonly name = 'UnknownLogError';
}

type SignedTree = Awaited<ReturnType<LogReader['tree']>>;
type EventStream = AsyncGenerator<{ readonly event: TrailEvent; readonly next: string }, void>;

/**
 * Reads the log of this instance and, on PostgreSQL, the logs of the other instances. Everything it returns is proved
 * by the newest signed tree. The methods throw AuditBrokenError for a missing or altered record, and UnknownLogError.
 */
export class TrailReader {
  readonly #reader: Pick<LogReader, 'storage' | 'members'>;
  #archived: ReadonlySet<string> | undefined;

  constructor(reader: Pick<LogReader, 'storage' | 'members'>) {
    this.#reader = reader;
  }

  /** Returns a page of events, newest first. */
  async readPage(own: OwnHead, request: PageRequest): Promise<TrailPage> {
    const { filter, limit, mostPatients } = request;
    const logs = await this.#listReadableLogs(own, filter.log);
    const logId = logs.length === 1 ? (logs[0] as string) : null;
    const found =
      filter.records !== undefined
        ? this.#readPositions(own, logs, filter.records)
        : request.isComplete === true
          ? this.#readAllRecords(own, logs, request)
          : this.#searchColumns(own, logs, request);
    const events: TrailEvent[] = [];
    let [read, patients] = [0, 0];
    for await (const { event, next } of found) {
      if (matchesFilter(filter, event.record)) {
        events.push(event);
        const { length } = event.record.patients;
        patients += filter.patient === undefined ? Math.max(1, length) : 1;
      }
      read += 1;
      if (events.length >= limit || patients >= mostPatients || read >= MAX_READ) {
        return { logId, events, next };
      }
    }
    return { logId, events, next: undefined };
  }

  /** @throws RangeError if the tree doesn't contain the record, or doesn't exist yet */
  async proveInclusion(
    own: OwnHead,
    {
      log,
      seq,
      size: treeSize,
    }: LogRequest & { readonly seq: number; readonly size?: number | undefined },
  ): Promise<Proof & { readonly leafHash: string }> {
    const tree = await this.#readTree(own, log);
    const { hashes, leafHash } = await tree.inclusion(seq, treeSize);
    return { ...describeProof(tree, hashes, treeSize), leafHash: leafHash.toString('base64') };
  }

  async proveConsistency(
    own: OwnHead,
    { log, from, to }: LogRequest & { readonly from: number; readonly to?: number | undefined },
  ): Promise<Proof> {
    const tree = await this.#readTree(own, log);
    return describeProof(tree, await tree.consistency(from, to), to);
  }

  /** @throws AuditBrokenError unless the log of this instance extends this tree */
  async requireExtends(
    own: OwnHead,
    {
      size,
      root,
      what,
    }: { readonly size: number; readonly root: Uint8Array; readonly what: string },
  ): Promise<void> {
    await (await this.#readTree(own)).requireExtends({ size, root: Buffer.from(root) }, what);
  }

  async getCheckpoint(own: OwnHead, { log }: { readonly log: string }): Promise<string> {
    return (await this.#readTree(own, log)).checkpoint;
  }

  async getPublicKey(own: OwnHead, { log }: { readonly log: string }): Promise<string> {
    return (await this.#findLogReader(own, log)).identity.publicKey;
  }

  async *#readPositions(
    own: OwnHead,
    logs: readonly string[],
    places: readonly AuditReceipt[],
  ): EventStream {
    for (const { logId, seq } of places.filter((one) => logs.includes(one.logId))) {
      const tree = await this.#readTree(own, logId);
      if (seq < tree.head.size) {
        yield { event: readEvent(logId, await tree.record(seq)), next: '' };
      }
    }
  }

  /** Searches by the columns. These may match the ID of another patient, so the caller must check the body. */
  async *#searchColumns(
    own: OwnHead,
    logs: readonly string[],
    { filter, from, limit }: PageRequest,
  ): EventStream {
    const { team, actor, operations, decision, patient, fromUs, toUs } = filter;
    const [log] = logs;
    const withoutLogs = [...(this.#archived ?? [])];
    let after = from === undefined ? undefined : (JSON.parse(from) as Place);
    for (let isMore = true; isMore;) {
      const rows = await this.#reader.storage.find({
        texts: {
          team_id: [team],
          actor_id: actor === undefined ? undefined : [actor],
          operation: operations,
          decision: decision === undefined ? undefined : [decision],
        },
        ...{ id: patient, fromUs, toUs, after, limit, withoutLogs },
        log: logs.length === 1 ? log : undefined,
      });
      isMore = rows.length === limit;
      const trees = new Map<string, SignedTree>();
      for (const row of rows) {
        const { logId, seq, timeUs } = row;
        let tree = trees.get(logId) ?? (await this.#readTree(own, logId));
        if (seq >= tree.head.size) {
          tree = await this.#readNewestTree(own, tree);
        }
        trees.set(logId, tree);
        await tree.requireRecords([row]);
        const event = readEvent(logId, row);
        if (!matchesFilter({ ...filter, patient: undefined }, event.record)) {
          const message = `The columns of record ${seq} differ from its body`;
          throw new AuditBrokenError('altered', message, seq);
        }
        after = { timeUs, logId, seq };
        yield { event, next: JSON.stringify(after) };
      }
    }
  }

  async *#readAllRecords(
    own: OwnHead,
    logs: readonly string[],
    { filter, from }: PageRequest,
  ): EventStream {
    const places = (from === undefined ? {} : JSON.parse(from)) as Record<string, number>;
    const sources = await Promise.all(
      logs.map(async (logId) => {
        const reader = await this.#findLogReader(own, logId);
        const range = { fromUs: filter.fromUs, toUs: filter.toUs, below: places[logId] };
        const records = reader.readNewestFirst(await this.#readTree(own, logId), range);
        return { logId, records, event: await readNextEvent(logId, records) };
      }),
    );
    for (;;) {
      const newest = sources.reduce((best, one) =>
        readEventTime(one.event) > readEventTime(best.event) ? one : best,
      );
      const { event, logId, records } = newest;
      if (event === undefined) {
        return;
      }
      places[logId] = event.seq;
      yield { event, next: JSON.stringify(places) };
      newest.event = await readNextEvent(logId, records);
    }
  }

  async #readTree(own: OwnHead, logId: string = own.logId): Promise<SignedTree> {
    const reader = await this.#findLogReader(own, logId);
    return await reader.tree(logId === own.logId ? own.checkpoint : undefined);
  }

  /**
   * Returns the newest signed tree, for a record that was written after the request began.
   *
   * @throws AuditBrokenError unless it extends the older tree
   */
  async #readNewestTree(own: OwnHead, { logId, head }: SignedTree): Promise<SignedTree> {
    const reader = await this.#findLogReader(own, logId);
    const tree = await reader.tree();
    await tree.requireExtends(head, 'this instance');
    return tree;
  }

  async #findLogReader(own: OwnHead, logId: string): Promise<LogReader> {
    const { storage, members } = this.#reader;
    const row = (await storage.readLogs()).find((one) => one.logId === logId);
    if (row === undefined) {
      throw new UnknownLogError('No such log');
    }
    const publicKey = logId === own.logId ? own.publicKey : row.publicKey;
    return new LogReader(storage, members, { ...row, publicKey });
  }

  /** Returns all logs or one of them, except the broken logs that `caregate audit new-log` archived. */
  async #listReadableLogs(own: OwnHead, wanted: string | undefined): Promise<readonly string[]> {
    this.#archived ??= await this.#readArchived(own);
    const archived = this.#archived;
    const all = (await this.#reader.storage.readLogs()).map(({ logId }) => logId);
    const logs = all.filter((id) => !archived.has(id) && (wanted ?? id) === id);
    if (logs.length === 0) {
      throw new UnknownLogError('No such log');
    }
    return logs;
  }

  async #readArchived(own: OwnHead): Promise<ReadonlySet<string>> {
    const { record } = readEvent(own.logId, await (await this.#readTree(own)).record(0));
    const { operation, details } = record;
    return new Set(operation === 'newAuditLog' ? String(details['archived']).split(' ') : []);
  }
}

interface Place {
  readonly timeUs: number;
  readonly logId: string;
  readonly seq: number;
}

function readEvent(logId: string, { seq, body, salt }: StoredRecord): TrailEvent {
  const record = parseRecord(body, { logId, seq });
  return { logId, seq, body, record, salt: salt.toString('base64') };
}

async function readNextEvent(
  logId: string,
  records: AsyncGenerator<StoredRecord, void>,
): Promise<TrailEvent | undefined> {
  const { value } = await records.next();
  return value === undefined ? undefined : readEvent(logId, value);
}

function readEventTime(event: TrailEvent | undefined): number {
  return event?.record.recorded_at_us ?? -1;
}

function describeProof(
  { logId, checkpoint, head }: SignedTree,
  hashes: readonly Buffer[],
  size = head.size,
): Proof {
  return { logId, hashes: hashes.map((hash) => hash.toString('base64')), size, checkpoint };
}
