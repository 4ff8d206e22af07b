import pg from 'pg';
import { AuditLogError } from '../errors.ts';
import type { Members } from '../record.ts';
import { readLog, SqlReader, type SqlValue } from './sql-reader.ts';
import type { Commit, LogRow, LogStorage } from './storage.ts';

const TIMEOUT_MS = 10_000;

const settings = [
  'set synchronous_commit = on',
  // No server timeout: if the server cancels a commit that waits for a standby, it reports success. Only the client
  // may time out.
  'set statement_timeout = 0',
  'set lock_timeout = 0',
  'set idle_session_timeout = 0',
  // Keepalives release the locks of an unreachable client within half a minute instead of hours.
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
].join(';');

/** Returns the statements that create the tables. The tables' owner runs them with the search path `audit`. */
export function buildPostgresTables({ time, texts, ids }: Members): string[] {
  const tables = ['audit_record', 'audit_head', 'audit_node'];
  return [
    // The collation "C" sorts by bytes.
    `create table audit_log (
       log_id text collate "C" primary key, name text not null, public_key text not null,
       size bigint not null, frontier bytea not null)`,
    `create table audit_record (
       log_id text collate "C" not null, seq bigint not null, salt bytea not null, body text not null, ${time} bigint,
       ${texts.map((name) => `${name} text`).join(', ')}, ${ids.one} bytea, ${ids.many} bytea,
       primary key (log_id, seq))`,
    // IDs are random, so compression is useless.
    `alter table audit_record alter column ${ids.many} set storage external`,
    ...texts
      .slice(0, 1)
      .map((name) => `create index on audit_record (${name}, ${time}, log_id, seq)`),
    `create index on audit_record (${ids.one}, ${time}, log_id, seq) where ${ids.one} is not null`,
    `create index on audit_record (${time}, log_id, seq) where ${ids.many} is not null`,
    `create table audit_head (
       log_id text collate "C" not null, size bigint not null, root bytea not null, signature bytea not null,
       signed_at_us bigint not null, primary key (log_id, size))`,
    `create table audit_node (
       log_id text collate "C" not null, level smallint not null, place bigint not null, hash bytea not null,
       primary key (log_id, level, place))`,
    `create function audit_refuse() returns trigger language plpgsql as $body$
     begin
       raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
     end $body$`,
    ...tables.map(
      (
        table,
      ) => `create trigger ${table}_append_only before update or delete or truncate on ${table}
        for each statement execute function audit_refuse()`,
    ),
  ];
}

/**
 * Commits in one round trip. The update locks the log's row, and nothing is written unless the log has the size that
 * the writer expects.
 */
function formatCommit(
  { time, texts, ids }: Members,
  { isNew, isDurable }: { readonly isNew: boolean; readonly isDurable: string },
): string {
  const columns = ['seq', 'salt', 'body', time, ...texts, ids.one, ids.many];
  const types = ['bigint', 'bytea', 'text', 'bigint', ...texts.map(() => 'text'), 'bytea', 'bytea'];
  const lists = types.map((type, at) => `$${at + 12}::${type}[]`).join(', ');
  const log = isNew
    ? `insert into audit.audit_log (log_id, name, public_key, size, frontier)
       select $1::text, $2::text, $3::text, $4::bigint, $5::bytea where $6::bigint = 0 and ${isDurable}
       on conflict do nothing returning log_id`
    : `update audit.audit_log set public_key = $3, size = $4::bigint, frontier = $5::bytea
       where log_id = $1 and name = $2 and size = $6::bigint and ${isDurable} returning log_id`;
  return `
    with log as (${log}),
    records as (
      insert into audit.audit_record (log_id, ${columns.join(', ')})
      select log.log_id, r.* from log, unnest(${lists}) as r),
    nodes as (
      insert into audit.audit_node (log_id, level, place, hash)
      select log.log_id, n.level, n.place, decode(n.hash, 'hex')
      from log, json_to_recordset($7::json) as n (level smallint, place bigint, hash text)),
    heads as (
      insert into audit.audit_head (log_id, size, root, signature, signed_at_us)
      select log.log_id, h.*, $11::bigint from log, unnest($8::bigint[], $9::bytea[], $10::bytea[]) as h)
    select ${isDurable}, (select count(*)::int from log)`;
}

export interface PostgresOptions {
  readonly url: string;
  /** If true, the log accepts records only while PostgreSQL confirms commits with a standby. */
  readonly replicated?: boolean;
}

/** The logs of a database, over one connection, which is reopened after it was lost. */
export class PostgresStorage extends SqlReader implements LogStorage {
  readonly #options: PostgresOptions;
  /** SQL condition that is true if a commit is as durable as configured. */
  readonly #isDurable: string;
  #client: Promise<pg.Client> | undefined;
  readonly #warnings: string[] = [];

  constructor(options: PostgresOptions, members: Members) {
    super(members, {
      schema: 'audit.',
      ofLog: 'log_id = ?1',
      contains: (column, parameter) => `position(${parameter} in ${column}) > 0`,
    });
    this.#options = options;
    this.#isDurable =
      options.replicated === true ? `current_setting('synchronous_standby_names') <> ''` : 'true';
  }

  async readSettledLog(logId: string): Promise<LogRow | undefined> {
    this.#requireDurable(await this.query(`select ${this.#isDurable}`));
    // The update waits for a commit in progress, and is confirmed only after the standbys have that commit.
    const rows = await this.query(
      `update audit.audit_log set size = size where log_id = ?1
       returning log_id, name, public_key, size, frontier`,
      [logId],
    );
    return rows.map(readLog)[0];
  }

  async commit(commit: Commit): Promise<boolean> {
    const { logId, name, publicKey, before, size, frontier, records, nodes, heads } = commit;
    const isNew = before === 0;
    const copies = records.map((record) => record.copies);
    const rows = await this.#run(
      {
        name: `audit commit ${isNew ? 'new' : 'more'}`,
        text: formatCommit(this.members, { isNew, isDurable: this.#isDurable }),
      },
      [
        ...[logId, name, publicKey, size, frontier, before],
        JSON.stringify(nodes.map((node) => ({ ...node, hash: node.hash.toString('hex') }))),
        heads.map((head) => head.size),
        heads.map((head) => head.root),
        heads.map((head) => head.signature),
        commit.signedAtUs,
        records.map(({ seq }) => seq),
        records.map(({ salt }) => salt),
        records.map(({ body }) => body),
        copies.map(({ time }) => time),
        ...this.members.texts.map((_, at) => copies.map(({ texts }) => texts[at])),
        copies.map(({ one }) => one),
        copies.map(({ many }) => many),
      ],
    );
    this.#requireDurable(rows);
    return rows[0]?.[1] === 1;
  }

  /**
   * An error without an SQLSTATE, or with one for a lost connection, shutdown, serialization failure or read-only
   * server, may be transient. Any other SQLSTATE means that the server refused the statement.
   */
  isTransient(error: unknown): boolean {
    const code = (error as { readonly code?: unknown } | undefined)?.code;
    const isState = typeof code === 'string' && /^[0-9A-Z]{5}$/u.test(code);
    return !(error instanceof AuditLogError) && (!isState || /^(?:08|57|40|25006)/u.test(code));
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.then(
      (one) => one.end(),
      () => undefined,
    );
  }

  protected query(text: string, values: readonly SqlValue[] = []): Promise<unknown[][]> {
    return this.#run({ text: text.replaceAll('?', '$') }, values);
  }

  protected getLogColumn(): Promise<string> {
    return Promise.resolve('log_id');
  }

  #requireDurable(rows: readonly unknown[][]): void {
    if (rows[0]?.[0] !== true) {
      throw new AuditLogError(
        'PostgreSQL confirms commits without a standby (synchronous_standby_names is empty). Set it, and CAREGATE_DATABASE_DURABILITY=replicated.',
      );
    }
  }

  async #run(
    statement: { readonly name?: string; readonly text: string },
    values: readonly unknown[],
  ): Promise<unknown[][]> {
    this.#client ??= this.#connect();
    const connection = this.#client;
    try {
      const client = await connection;
      // Warnings from the start of the connection, such as a collation version mismatch, don't concern this
      // statement.
      this.#warnings.length = 0;
      const { rows } = await client.query<unknown[]>({
        ...{ ...statement, values: [...values], rowMode: 'array' },
      });
      const [warning] = this.#warnings;
      if (warning !== undefined) {
        // For example, the wait for a standby was cancelled after the commit.
        throw new Error(`The database reported a warning: ${warning}`);
      }
      return rows;
    } catch (error) {
      if (this.isTransient(error) && this.#client === connection) {
        this.#drop(connection);
      }
      throw error;
    }
  }

  /** The server may still be committing for this connection. The next statement that locks the log waits for it. */
  #drop(connection: Promise<pg.Client>): void {
    this.#client = undefined;
    connection.then(
      (client) => {
        const { connection: wire } = client as unknown as {
          connection?: { stream?: { destroy(): void } };
        };
        wire?.stream?.destroy();
      },
      () => undefined,
    );
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'caregate audit',
      keepAlive: true,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    // Without this handler, the error of an idle connection would end the process. The next query reports it.
    client.on('error', () => undefined);
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') {
        this.#warnings.push(message ?? 'unknown');
      }
    });
    await client.connect();
    await client.query(settings);
    const { rows } = await client.query<{ isStandby: boolean; encoding: string }>(
      `select pg_is_in_recovery() as "isStandby", current_setting('server_encoding') as encoding`,
    );
    if (rows[0]?.isStandby !== false || rows[0].encoding !== 'UTF8') {
      await client.end();
      throw new Error(
        rows[0]?.isStandby === false
          ? 'The encoding of the database must be UTF8'
          : 'The database is a standby, not the primary',
      );
    }
    return client;
  }
}
