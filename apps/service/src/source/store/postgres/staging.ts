import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { RecordLine } from '../import/record-writer.ts';
import type { StoreRecord } from '../import/record.ts';

const enough = 4 * 2 ** 20;

/** One temporary table per kind, for this transaction; `n` is the line. */
const tables = {
  in_users: `n bigint, team_id bytea, user_id bytea, client_user_id text collate "C",
    created_us bigint, body text`,
  in_user_infos: 'n bigint, team_id bytea, user_id bytea, recorded_us bigint, body text',
  in_orders: 'n bigint, team_id bytea, order_id bytea, user_id bytea, body text',
  in_lab_results: 'n bigint, team_id bytea, order_id bytea, user_id bytea, body text',
  in_insurances: `n bigint, team_id bytea, user_id bytea, is_primary smallint, recorded_us bigint,
    body text`,
  /** One row per line, with the source; its points are in the next table. */
  in_minutes: `n bigint, team_id bytea, user_id bytea, provider text collate "C",
    type text collate "C", body text`,
  in_points: `n bigint, i integer, team_id bytea, user_id bytea, start_us bigint,
    provider text collate "C", type text collate "C", end_us bigint, body text`,
  /** Original lines as JSON strings, since PostgreSQL's text type does not support NUL. */
  in_texts: 'n bigint, text text',
} as const;
type Table = keyof typeof tables;

export class Staging {
  readonly #client: pg.ClientBase;
  readonly #rows = new Map<Table, { rows: string[]; size: number }>();
  #sending: Promise<void> = Promise.resolve();

  constructor(client: pg.ClientBase) {
    this.#client = client;
  }

  /** Must be called in the transaction; the tables are dropped with it. */
  async create(): Promise<void> {
    const statements = Object.entries(tables).map(
      ([name, columns]) => `create temporary table ${name} (${columns}) on commit drop`,
    );
    await this.#client.query(statements.join(';'));
  }

  add(record: StoreRecord, { number: n, text }: RecordLine): void {
    const team = hex(record.team);
    const user = hex(record.user);
    switch (record.kind) {
      case 'user':
        this.#push('in_users', [
          ...[n, team, user, escaped(record.clientUserId), record.createdUs],
          escaped(record.body),
        ]);
        break;
      case 'user_info':
        this.#push('in_user_infos', [n, team, user, record.recordedUs, escaped(record.body)]);
        break;
      case 'order':
        this.#push('in_orders', [n, team, hex(record.order), user, escaped(record.body)]);
        break;
      case 'lab_result':
        this.#push('in_lab_results', [n, team, hex(record.order), user, escaped(record.body)]);
        break;
      case 'insurance': {
        const { isPrimary, recordedUs, body } = record;
        this.#push('in_insurances', [n, team, user, isPrimary, recordedUs, escaped(body)]);
        break;
      }
      case 'mindfulness_minutes': {
        const provider = escaped(record.provider);
        const type = escaped(record.type);
        this.#push('in_minutes', [n, team, user, provider, type, escaped(record.source)]);
        for (const [i, { startUs, endUs, body }] of record.points.entries()) {
          const key = [n, i, team, user, startUs, provider, type, endUs];
          this.#push('in_points', [...key, escaped(body)]);
        }
        break;
      }
    }
    if (text !== undefined) {
      this.#push('in_texts', [n, escaped(JSON.stringify(text))]);
    }
  }

  /** Sends full buffers; waits only if the previous one is still being sent. */
  async drain(): Promise<void> {
    for (const [table, { size }] of this.#rows) {
      if (size >= enough) {
        await this.#send(table);
      }
    }
  }

  async finish(): Promise<void> {
    for (const table of this.#rows.keys()) {
      await this.#send(table);
    }
    await this.#sending;
    // Autovacuum does not analyze temporary tables, and the query plans of the merge depend on it.
    await this.#client.query(`analyze ${Object.keys(tables).join(', ')}`);
  }

  #push(table: Table, values: readonly (string | number)[]): void {
    let waiting = this.#rows.get(table);
    if (waiting === undefined) {
      waiting = { rows: [], size: 0 };
      this.#rows.set(table, waiting);
    }
    const row = values.join('\t');
    waiting.rows.push(row);
    waiting.size += row.length;
  }

  async #send(table: Table): Promise<void> {
    const rows = this.#rows.get(table)?.rows ?? [];
    this.#rows.delete(table);
    await this.#sending;
    if (rows.length > 0) {
      this.#sending = this.#copy(table, `${rows.join('\n')}\n`);
      // Thrown at the next `await`.
      this.#sending.catch(() => undefined);
    }
  }

  async #copy(table: Table, text: string): Promise<void> {
    const stream = this.#client.query(copyFrom(`copy ${table} from stdin`));
    stream.end(text);
    await once(stream, 'finish');
  }
}

export function escaped(text: string): string {
  return special.test(text) ? text.replace(each, (found) => escapes[found] ?? found) : text;
}

const special = /[\\\t\n\r]/u;
const each = /[\\\t\n\r]/gu;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

export function hex(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `\\\\x${text}`;
}
