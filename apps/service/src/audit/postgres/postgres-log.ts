import { randomBytes, type KeyObject } from 'node:crypto';
import type { AppendOptions, NewRecord } from '../log/append-log.ts';
import { AuditBrokenError } from '../log/audit-broken-error.ts';
import { auditBody } from '../log/body.ts';
import { openCheckpoint, parseVerifierKey, signCheckpoint } from '../log/checkpoint.ts';
import { Frontier, leafHash } from '../log/tree.ts';
import { bodyColumns } from './audit-tables.ts';
import { asText, columnsOf } from './body-columns.ts';
import {
  extendVerified,
  frontierOfCheckpoint,
  readCheckpoint,
  readHead,
  type Queryable,
} from './stored-tree.ts';
import { acquireLog, type LogLock, type AcquiredLog } from './acquire-log.ts';

type Session = Queryable & {
  query(statement: {
    name: string;
    text: string;
    values: unknown[];
  }): Promise<{ rows: Record<string, unknown>[] }>;
};

const names = Object.keys(bodyColumns).join(', ');
const fields = Object.entries(bodyColumns)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ');

/**
 * One statement per commit, and so one round trip. It appends only if the end of the log is unchanged, so never to a
 * truncated log.
 */
const appendStatement = `
  with head as (
    select 1 from audit.audit_head where log_id = $1 and size = $2::bigint and root = $3
      and ($2 = 0 or exists (select 1 from audit.audit_event where log_id = $1 and seq = $2 - 1))
  ), events as (
    insert into audit.audit_event (log_id, seq, leaf_hash, salt, body, ${names})
    select $1, seq, decode(leaf_hash, 'hex'), decode(salt, 'hex'), body, ${names}
    from head, json_to_recordset($4) as r (seq bigint, leaf_hash text, salt text, body text, ${fields})
  ), patients as (
    insert into audit.audit_patient (log_id, seq, user_id)
    select $1, seq, user_id from head, json_to_recordset($5) as r (seq bigint, user_id text)
  ), nodes as (
    insert into audit.audit_node (log_id, level, idx, hash)
    select $1, level, idx, decode(hash, 'hex')
    from head, json_to_recordset($6) as r (level smallint, idx bigint, hash text)
  ), heads as (
    insert into audit.audit_head (log_id, size, root) select $1, $7, $8 from head where $7 > $2
  ), checkpoints as (
    insert into audit.audit_checkpoint (log_id, size, note) select $1, $7, $9 from head where $9::text is not null
  )
  select count(*)::int as found from head`;

/**
 * A log on PostgreSQL, locked by this session. It trusts its in-memory tree, not the database.
 *
 * After any error it MUST be discarded with its session and opened again, which verifies the tail.
 */
export class PostgresLog {
  readonly logId: string;
  readonly verifierKey: string;
  readonly #session: Session;
  readonly #key: KeyObject;
  readonly #log: AcquiredLog;
  readonly #options: AppendOptions;
  #frontier: Frontier;
  #signed: { readonly size: number; readonly note: string } | undefined;

  private constructor(
    session: Session,
    key: KeyObject,
    log: AcquiredLog,
    options: AppendOptions,
    tree: { frontier: Frontier; signed: { size: number; note: string } | undefined },
  ) {
    this.logId = log.logId;
    this.verifierKey = log.verifierKey;
    this.#session = session;
    this.#key = key;
    this.#log = log;
    this.#options = options;
    this.#frontier = tree.frontier;
    this.#signed = tree.signed;
  }

  /**
   * Locks an existing log, or creates one, and verifies its tail.
   *
   * @throws AuditBrokenError
   */
  static async open(
    session: Session,
    key: KeyObject,
    options: AppendOptions & { readonly before?: LogLock | undefined },
  ): Promise<PostgresLog> {
    const log = await acquireLog(session, key, { host: options.host, before: options.before });
    const { logId } = log;
    const signed = await readCheckpoint(session, logId);
    const known =
      signed === undefined
        ? new Frontier()
        : await frontierOfCheckpoint(
            session,
            logId,
            openCheckpoint(signed.note, parseVerifierKey(log.verifierKey)),
          );
    const head = await readHead(session, logId);
    const frontier = await extendVerified(session, logId, known, head);
    return new PostgresLog(session, key, log, options, { frontier, signed });
  }

  get size(): number {
    return this.#frontier.size;
  }

  /** Appends the records, durable when it resolves. Resolves to the position of the first. */
  async append(records: readonly NewRecord[]): Promise<number> {
    const firstSeq = this.#frontier.size;
    const grown = this.#frontier.copy();
    const rows: Rows = { events: [], patients: [], nodes: [] };
    const salts = randomBytes(16 * records.length);
    records.forEach((record, at) => {
      this.#add(grown, record, salts.subarray(16 * at, 16 * at + 16), rows);
    });
    const isDue = grown.size - (this.#signed?.size ?? 0) >= this.#options.checkpointEveryRecords;
    await this.#write(grown, rows, isDue ? this.#sign(grown) : undefined);
    return firstSeq;
  }

  /** Signs the current log and returns the checkpoint. */
  async checkpoint(): Promise<string> {
    if (this.#signed?.size === this.#frontier.size) {
      return this.#signed.note;
    }
    const note = this.#sign(this.#frontier);
    await this.#write(this.#frontier, { events: [], patients: [], nodes: [] }, note);
    return note;
  }

  #add(grown: Frontier, { entry, recordedAtUs }: NewRecord, salt: Buffer, rows: Rows): void {
    const seq = grown.size;
    const { serverId } = this.#options;
    const { body, patients } = auditBody(entry, { logId: this.logId, seq, recordedAtUs, serverId });
    const leaf = leafHash(salt, Buffer.from(body));
    const hashes = { leaf_hash: leaf.toString('hex'), salt: salt.toString('hex') };
    rows.events.push({ seq, ...hashes, body, ...columnsOf(body) });
    patients.forEach((id) => rows.patients.push({ seq, user_id: asText(id) }));
    grown.append(leaf, (level, idx, hash) => {
      rows.nodes.push({ level, idx, hash: hash.toString('hex') });
    });
  }

  #sign(frontier: Frontier): string {
    const { origin } = this.#log;
    return signCheckpoint({ origin, size: frontier.size, root: frontier.root() }, this.#key);
  }

  async #write(grown: Frontier, rows: Rows, note: string | undefined): Promise<void> {
    const before = this.#frontier;
    const answer = await this.#session.query({
      name: 'audit append',
      text: appendStatement,
      values: [
        this.logId,
        before.size,
        before.root(),
        JSON.stringify(rows.events),
        JSON.stringify(rows.patients),
        JSON.stringify(rows.nodes),
        grown.size,
        grown.root(),
        note ?? null,
      ],
    });
    if (answer.rows[0]?.['found'] !== 1) {
      throw new AuditBrokenError(
        'truncated',
        'The end of the log is not where this instance left it',
        before.size,
      );
    }
    this.#frontier = grown;
    this.#signed = note === undefined ? this.#signed : { size: grown.size, note };
  }
}

interface Rows {
  readonly events: object[];
  readonly patients: object[];
  readonly nodes: object[];
}
