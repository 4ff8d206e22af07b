import pg from 'pg';
import { AuditLogError } from '../errors.ts';
import type { Statement } from './group-statement.ts';
import type { Queryable } from './stored/stored-tree.ts';

export interface SessionSettings {
  readonly url: string;
  readonly timeoutMs: number;
  /** For a log that takes records only while PostgreSQL confirms commits with a standby. */
  readonly replicated?: boolean | undefined;
}

/** For whoever writes records. */
export type WriteSettings = SessionSettings & { readonly replicated: boolean };

export interface AuditSession {
  readonly pid: number;
  readonly replicated: boolean;
  query(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[] }>;
  close(): Promise<void>;
  destroy(): void;
}

const settings = [
  'set synchronous_commit = on',
  // A server that cancels a commit while waiting for a standby reports success, so only the client times out.
  'set statement_timeout = 0',
  'set lock_timeout = 0',
  'set idle_session_timeout = 0',
  // Releases the log of a lost machine within half a minute instead of hours.
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
].join(';');

/** Commits are durable when they are reported. @throws if the server is unavailable, a standby, or its encoding is not UTF-8 */
export async function openSession(
  { url, timeoutMs, replicated = false }: SessionSettings,
  lost: (error: Error) => void,
): Promise<AuditSession> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'caregate audit',
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  const session = new Session(client, replicated);
  client.once('error', lost);
  client.once('end', () => {
    lost(new Error('The connection to the database was closed'));
  });
  // A lost connection may emit further errors.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(settings);
    const { rows } = await session.query(
      `select pg_is_in_recovery() as standby, current_setting('server_encoding') as encoding`,
    );
    if (rows[0]?.['standby'] === true) {
      throw new Error('The database is a standby, not the primary');
    }
    if (rows[0]?.['encoding'] !== 'UTF8') {
      throw new Error('The encoding of the database must be UTF8');
    }
    if (replicated) {
      await requireStandby(session);
    }
    return session;
  } catch (error) {
    session.destroy();
    throw error;
  }
}

/** @throws AuditLogError while a commit is durable on one machine alone */
export async function requireStandby(session: Queryable): Promise<void> {
  const { rows } = await session.query(
    `select current_setting('synchronous_standby_names') <> '' as waits`,
  );
  if (rows[0]?.['waits'] !== true) {
    throw new AuditLogError(
      'PostgreSQL confirms commits without a standby (synchronous_standby_names is empty). Set it, and CAREGATE_DATABASE_DURABILITY=replicated.',
    );
  }
}

class Session implements AuditSession {
  readonly replicated: boolean;
  readonly #client: pg.Client;
  #warning: string | undefined;

  constructor(client: pg.Client, replicated: boolean) {
    this.replicated = replicated;
    this.#client = client;
    client.on('notice', ({ severity, message }) => {
      if (severity === 'WARNING') {
        this.#warning = message;
      }
    });
  }

  get pid(): number {
    return (this.#client as unknown as { readonly processID: number }).processID;
  }

  async query(
    statement: string | Statement,
    values?: unknown[],
  ): Promise<{ rows: Record<string, unknown>[] }> {
    const { rows } = await this.#client.query<Record<string, unknown>>(
      typeof statement === 'string' ? { text: statement, ...(values && { values }) } : statement,
    );
    if (this.#warning !== undefined) {
      // Such as a cancelled commit.
      throw new Error(`The database reported a warning: ${this.#warning}`);
    }
    return { rows };
  }

  async close(): Promise<void> {
    await this.#client.end();
  }

  destroy(): void {
    const { connection } = this.#client as unknown as {
      connection?: { stream?: { destroy(): void } };
    };
    connection?.stream?.destroy();
  }
}
