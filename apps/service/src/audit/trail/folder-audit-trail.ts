import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  AuditBrokenError,
  FolderIndex,
  LogReader,
  type AuditReceipt,
  type ProvenTree,
} from '@caregate/audit-log';
import {
  AuditTrail,
  provenEvents,
  UnknownLogError,
  type EventsFilter,
  type OwnLog,
  type PageRequest,
  type TrailEvent,
  type TrailPage,
} from './audit-trail.ts';
import { indexedMembers, isMatch } from '../record/record-body.ts';

/** Initial number of records per scan; increased while scans are fast. */
const FIRST_SPAN = 2000;
const QUICK_MS = 1;
/** Records read before other requests have a turn. */
const AT_ONCE = 2;
/** Time of searching for a page, which may then have fewer events than its limit. */
const PAGE_WITHIN_MS = 200;
type FoundIndex = Awaited<ReturnType<FolderIndex['caughtUp']>>;

export class FolderAuditTrail extends AuditTrail {
  readonly #reader: LogReader;
  readonly #index: FolderIndex;

  /** @param dataDir the folder of `own`, which must be open */
  constructor(dataDir: string, own: OwnLog) {
    super(own);
    this.#reader = LogReader.open(dataDir);
    this.#index = new FolderIndex(dataDir, this.#reader, {
      members: indexedMembers,
      state: () => own.state(),
    });
  }

  override indexLag(): number | undefined {
    return this.#index.lag;
  }

  async verifierKey(logId?: string): Promise<string> {
    this.#requireOwn(logId);
    return await Promise.resolve(this.own.verifierKey);
  }

  async checkpoint(logId?: string): Promise<string> {
    this.#requireOwn(logId);
    return await this.own.checkpoint();
  }

  protected stored(): Promise<LogReader> {
    return Promise.resolve(this.#reader);
  }

  async page({ filter, from, limit, weight }: PageRequest): Promise<TrailPage> {
    this.#requireOwn(filter.log);
    if (filter.records !== undefined) {
      return await this.#these(filter, filter.records, weight);
    }
    const { size: signed } = await this.signed(this.own.logId);
    const index = await this.#index.caughtUp();
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
    await this.#index.close();
    this.#reader.close();
  }

  #requireOwn(logId: string | undefined): void {
    if (logId !== undefined && logId !== this.own.logId) {
      throw new UnknownLogError('No such log');
    }
  }

  /** Takes about the same time whether a record exists, belongs to another team or does not exist. */
  async #these(
    filter: EventsFilter,
    records: readonly AuditReceipt[],
    weight: PageRequest['weight'],
  ): Promise<TrailPage> {
    const tree = await this.#signedTree();
    const size = this.#reader.size();
    const isHere = ({ logId, seq }: AuditReceipt): boolean =>
      logId === this.own.logId && seq < size;
    const events: TrailEvent[] = [];
    let left = weight?.most ?? Infinity;
    for (let at = 0; at < records.length; at += AT_ONCE) {
      const some = records.slice(at, at + AT_ONCE);
      const found = await this.#events(
        some.map((record) => (isHere(record) ? record.seq : 0)),
        tree,
      );
      for (const [place, event] of found.entries()) {
        if (isHere(some[place] as AuditReceipt) && isMatch(filter, event.record)) {
          events.push(event);
          left -= weight?.of(event.record) ?? 0;
        }
        if (left <= 0 && at + place + 1 < records.length) {
          return { logId: this.own.logId, events, next: String(at + place + 1) };
        }
      }
      await yieldToEventLoop();
    }
    return { logId: this.own.logId, events, next: undefined };
  }

  async #found(
    index: FoundIndex,
    { filter, before, limit, weight }: { before: number } & Omit<PageRequest, 'from'>,
  ): Promise<{ events: TrailEvent[]; below: number }> {
    const tree = await this.#signedTree();
    const events: TrailEvent[] = [];
    let searchedMs = 0;
    let span = FIRST_SPAN;
    let below = before;
    let left = weight?.most ?? Infinity;
    while (below > 0 && events.length < limit && left > 0) {
      const from = Math.max(0, below - span);
      const began = performance.now();
      const wanted = limit - events.length;
      const seqs = index.find(indexQuery(filter), { from, below, limit: wanted, order: 'desc' });
      const spanMs = performance.now() - began;
      searchedMs += spanMs;
      span *= spanMs < QUICK_MS ? 4 : 1;
      below = seqs.length < wanted ? from : (seqs.at(-1) ?? 0);
      for (let at = 0; at < seqs.length && left > 0; at += AT_ONCE) {
        for (const event of await this.#events(seqs.slice(at, at + AT_ONCE), tree)) {
          // An index may be wrong.
          if (isMatch(filter, event.record)) {
            events.push(event);
            left -= weight?.of(event.record) ?? 0;
          }
          if (left <= 0) {
            below = event.seq;
            break;
          }
        }
        await yieldToEventLoop();
      }
      if (searchedMs > PAGE_WITHIN_MS) {
        break;
      }
      await yieldToEventLoop();
    }
    return { events, below };
  }

  /** @throws AuditBrokenError if one is missing or was changed */
  async #events(seqs: readonly number[], tree: ProvenTree): Promise<TrailEvent[]> {
    const records = seqs.map((seq) => ({ seq, entry: this.#reader.entry(seq) }));
    return await provenEvents(this.own.logId, tree, records);
  }

  async #signedTree(): Promise<ProvenTree> {
    return await this.tree(this.own.logId, await this.signed(this.own.logId));
  }
}

function indexQuery(filter: EventsFilter): Parameters<FoundIndex['find']>[0] {
  const { fromUs: from, toUs: to, team, actor, operations, decision, patient: id } = filter;
  return {
    from,
    to,
    id,
    texts: { team_id: team, actor_id: actor, operation: operations, decision },
  };
}
