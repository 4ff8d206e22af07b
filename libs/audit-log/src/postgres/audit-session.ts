import pg from 'pg';
import type { Statement } from './group-statement.ts';

export interface SessionSettings {
  readonly url: string;
  readonly timeoutMs: number;
}

export interface AuditSession {
  readonly pid: number;
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
  { url, timeoutMs }: SessionSettings,
  lost: (error: Error) => void,
): Promise<AuditSession> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'caregate audit',
    keepAlive: true,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  const session = new Session(client);
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
    return session;
  } catch (error) {
    session.destroy();
    throw error;
  }
}

class Session implements AuditSession {
  readonly #client: pg.Client;
  #warning: string | undefined;

  constructor(client: pg.Client) {
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
