import type pg from 'pg';
import { AuditBrokenError, ProvenTree, VerifierKey } from '@caregate/audit-log';
import { archivedLogs, PostgresLogReader } from '@caregate/audit-log/postgres';
import {
  AuditTrail,
  provenEvents,
  UnknownLogError,
  type EventsFilter,
  type OwnLog,
  type PageRequest,
  type TrailEvent,
  type TrailPage,
} from '../trail/audit-trail.ts';
import { postgresEventsQuery, type EventPlace } from './events-query.ts';
import { isMatch } from '../record/record-body.ts';

/** Records read at once where a page ends by their weight. */
const MOST_WEIGHED = 200;

/** All logs of a database, including those of other instances. */
export class PostgresAuditTrail extends AuditTrail {
  readonly #pool: pg.Pool;
  #archived: Promise<ReadonlySet<string>> | undefined;

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
    return await (await this.stored(logId)).checkpoint();
  }

  async page({ filter, from, limit: most, weight }: PageRequest): Promise<TrailPage> {
    const logId = filter.log ?? null;
    const without = await this.#archivedLogs();
    if (logId !== null && without.has(logId)) {
      throw new UnknownLogError(`Log ${logId} was archived by caregate audit new-log`);
    }
    const isShort = weight === undefined || filter.records !== undefined;
    const limit = isShort ? most : Math.min(most, MOST_WEIGHED);
    const [size, after] =
      from === undefined
        ? [logId === null ? null : await (await this.stored(logId)).size(), undefined]
        : (JSON.parse(from) as [number | null, EventPlace]);
    const { text, values } = postgresEventsQuery({ filter, size, after, limit, without });
    const { rows } = await this.#pool.query<Record<string, unknown>>(text, values);
    const found = await this.#proven(rows);
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

  protected async stored(logId: string): Promise<PostgresLogReader> {
    const verifierKey = await this.verifierKey(logId);
    const { name: origin } = VerifierKey.parse(verifierKey);
    return new PostgresLogReader(this.#pool, { logId, origin, verifierKey });
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  /** They stay in the database, broken: no page shows them. */
  async #archivedLogs(): Promise<ReadonlySet<string>> {
    this.#archived ??= archivedLogs(this.#pool, VerifierKey.parse(this.own.verifierKey));
    try {
      return await this.#archived;
    } catch (error) {
      this.#archived = undefined;
      throw error;
    }
  }

  /** In the order of the rows. @throws AuditBrokenError if one is not as its log's key sealed it */
  async #proven(rows: readonly Readonly<Record<string, unknown>>[]): Promise<TrailEvent[]> {
    const events = new Map<string, TrailEvent>();
    for (const logId of new Set(rows.map((row) => row['log_id'] as string))) {
      const log = await this.stored(logId);
      const tree = new ProvenTree(log, await log.sealed());
      const records = rows
        .filter((row) => row['log_id'] === logId)
        .map(({ seq, salt, body }) => ({
          seq: Number(seq),
          entry: Buffer.concat([salt as Buffer, Buffer.from(body as string)]),
        }));
      for (const event of await provenEvents(logId, tree, records)) {
        events.set(`${logId} ${event.seq}`, event);
      }
    }
    return rows.map(
      ({ log_id: logId, seq }) => events.get(`${String(logId)} ${Number(seq)}`) as TrailEvent,
    );
  }
}

/** A query may find another patient's or actor's event. @throws AuditBrokenError if the columns differ from the record */
function isWanted(
  { actor, patient, ...beside }: EventsFilter,
  { seq, record }: TrailEvent,
): boolean {
  if (!isMatch(beside, record)) {
    throw new AuditBrokenError(
      'altered',
      `What stands beside record ${seq} is not what it says`,
      seq,
    );
  }
  return isMatch({ actor, patient }, record);
}
