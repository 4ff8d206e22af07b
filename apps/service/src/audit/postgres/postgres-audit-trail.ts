import type pg from 'pg';
import {
  inclusionProof,
  isMatch,
  isSealValid,
  leafHash,
  parseBody,
  parseVerifierKey,
  publicKeyOf,
  verifyInclusion,
  type NodeReader,
  type Seal,
} from '@caregate/audit-log';
import { readCheckpoint, readSeal, sizeOfLog, withNodes } from '@caregate/audit-log/postgres';
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
} from '../trail/audit-trail.ts';
import { postgresEventsQuery, type EventPlace } from './events-query.ts';

/** Records read at once where a page ends by their weight. */
const MOST_WEIGHED = 200;

/** All logs of a database, including those of other instances. */
export class PostgresAuditTrail extends AuditTrail {
  readonly #pool: pg.Pool;

  /** @param pool of the primary; closed with the trail */
  constructor(pool: pg.Pool, own: OwnLog) {
    super(own);
    this.#pool = pool;
  }

  override async waitsForStandby(): Promise<boolean> {
    const { rows } = await this.#pool.query<{ waits: boolean }>(
      `select current_setting('synchronous_standby_names') <> '' as waits`,
    );
    return rows[0]?.waits === true;
  }

  async verifierKey(logId = this.own.logId): Promise<string> {
    if (logId === this.own.logId) {
      return this.own.verifierKey;
    }
    const { rows } = await this.#pool.query<{ verifier_key: string }>(
      'select verifier_key from audit.audit_log where log_id = $1',
      [logId],
    );
    if (rows[0] === undefined) {
      throw new UnknownLogError('No such log');
    }
    return rows[0].verifier_key;
  }

  async checkpoint(logId = this.own.logId): Promise<string> {
    if (logId === this.own.logId) {
      return await this.own.checkpoint();
    }
    const signed = await readCheckpoint(this.#pool, logId);
    if (signed === undefined) {
      throw new UnknownLogError('No such log');
    }
    return signed.note;
  }

  async page({ filter, from, limit: most, weight }: PageRequest): Promise<TrailPage> {
    const logId = filter.log ?? null;
    const isShort = weight === undefined || filter.records !== undefined;
    const limit = isShort ? most : Math.min(most, MOST_WEIGHED);
    const [size, after] =
      from === undefined
        ? [logId === null ? null : await this.#sizeOf(logId), undefined]
        : (JSON.parse(from) as [number | null, EventPlace]);
    const { text, values } = postgresEventsQuery({ filter, size, after, limit });
    const { rows } = await this.#pool.query<Record<string, unknown>>(text, values);
    const found = rows.map(eventOf);
    await this.#requireSigned(found);
    const events: TrailEvent[] = [];
    let last = rows.length < limit ? undefined : rows.at(-1);
    let left = weight?.most ?? Infinity;
    for (const [at, event] of found.entries()) {
      if (isWanted(filter, event)) {
        events.push(event);
        left -= weight?.of(event.record) ?? 0;
      }
      if (left <= 0) {
        last = at < rows.length - 1 ? rows[at] : last;
        break;
      }
    }
    return {
      logId,
      events,
      next: last && JSON.stringify([size, [last['recorded_at_us'], last['log_id'], last['seq']]]),
    };
  }

  protected withNodes<T>(logId: string, compute: (read: NodeReader) => T): Promise<T> {
    return withNodes(this.#pool, logId, compute);
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** @throws ProofFailedError if one is not as its log's key sealed it */
  async #requireSigned(events: readonly TrailEvent[]): Promise<void> {
    for (const logId of new Set(events.map((event) => event.logId))) {
      const own = events.filter((event) => event.logId === logId);
      const { size, root } = await this.#sealed(logId);
      const beyond = own.find(({ seq }) => seq >= size);
      if (beyond !== undefined) {
        throw new ProofFailedError(`Record ${beyond.seq} is not sealed`);
      }
      const paths = await this.withNodes(logId, (read) => {
        const cached = caching(read);
        return own.map(({ seq }) => inclusionProof(seq, size, cached));
      });
      for (const [at, { seq, salt, body }] of own.entries()) {
        const leaf = leafHash(salt, Buffer.from(body));
        if (!verifyInclusion(leaf, seq, size, paths[at] ?? [], root)) {
          throw new ProofFailedError(`Record ${seq} is not the one that was signed`);
        }
      }
    }
  }

  /** The newest seal: it is newer than any checkpoint. */
  async #sealed(logId: string): Promise<Seal> {
    const key = parseVerifierKey(await this.verifierKey(logId));
    const seal = await readSeal(this.#pool, logId);
    if (seal === undefined || !isSealValid(key.name, seal, publicKeyOf(key))) {
      throw new ProofFailedError('The newest seal of the log is not by its key');
    }
    return seal;
  }

  async #sizeOf(logId: string): Promise<number> {
    await this.verifierKey(logId);
    return await sizeOfLog(this.#pool, logId);
  }
}

/**
 * A query may find an event of another patient or actor. @throws ProofFailedError if the columns beside the record differ
 * from it
 */
function isWanted(
  { actor, patient, ...beside }: EventsFilter,
  { seq, record }: TrailEvent,
): boolean {
  if (!isMatch(beside, record)) {
    throw new ProofFailedError(`What stands beside record ${seq} is not what it says`);
  }
  return isMatch({ actor, patient }, record);
}

function eventOf(row: Readonly<Record<string, unknown>>): TrailEvent {
  const body = row['body'] as string;
  return {
    logId: row['log_id'] as string,
    seq: Number(row['seq']),
    body,
    record: parseBody(body),
    salt: row['salt'] as Buffer,
  };
}
