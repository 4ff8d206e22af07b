import type { Head } from '../checkpoint.ts';
import { toIdBytes, type Copies, type Members, type StoredRecord } from '../record.ts';
import type { FoundRecord, LogRow, Node, ReadableStorage, Search } from './storage.ts';

export type SqlValue = string | number | Uint8Array | null;

/** SQL that differs between SQLite and PostgreSQL. */
export interface Dialect {
  readonly schema: string;
  /** Condition for the rows of the log `?1`. */
  readonly ofLog: string;
  /** Condition that a column with several IDs contains the ID of a parameter. */
  readonly contains: (column: string, parameter: string) => string;
}

/** Reads logs with the same statements on both engines. `?1` stands for the first value. */
export abstract class SqlReader implements ReadableStorage {
  protected readonly members: Members;
  readonly #dialect: Dialect;

  constructor(members: Members, dialect: Dialect) {
    this.members = members;
    this.#dialect = dialect;
  }

  protected abstract query(text: string, values?: readonly SqlValue[]): Promise<unknown[][]>;
  /** Returns the SQL expression for the log of a record. */
  protected abstract getLogColumn(): Promise<string>;
  abstract close(): Promise<void>;

  async readLogs(): Promise<LogRow[]> {
    const { schema } = this.#dialect;
    const columns = 'log_id, name, public_key, size, frontier';
    const rows = await this.query(`select ${columns} from ${schema}audit_log order by log_id`);
    return rows.map(readLog);
  }

  async readNewestHead(logId: string): Promise<Head | undefined> {
    const [row] = await this.#select(headColumns, 'audit_head', 'true order by size desc limit 1', [
      logId,
    ]);
    return row && readHead(row);
  }

  async readHeads(logId: string, fromSize: number, toSize: number): Promise<Head[]> {
    const condition = 'size between ?2 and ?3 order by size';
    const values = [logId, fromSize, toSize];
    return (await this.#select(headColumns, 'audit_head', condition, values)).map(readHead);
  }

  async readRecords(logId: string, from: number, to: number): Promise<StoredRecord[]> {
    return (await this.#selectRecords('seq, salt, body', logId, from, to)).map(readRecord);
  }

  async readRecordsWithCopies(
    logId: string,
    from: number,
    to: number,
  ): Promise<(StoredRecord & { readonly copies: Copies })[]> {
    const { time, texts, ids } = this.members;
    const columns = ['seq', 'salt', 'body', time, ids.one, ids.many, ...texts].join();
    return (await this.#selectRecords(columns, logId, from, to)).map((row) => ({
      ...readRecord(row),
      copies: {
        time: row[3] === null ? null : Number(row[3]),
        one: row[4] as Uint8Array | null,
        many: row[5] as Uint8Array | null,
        texts: row.slice(6) as (string | null)[],
      },
    }));
  }

  async readSeqRange(logId: string): Promise<{ readonly first: number; readonly end: number }> {
    // A forged number may exceed the safe integers, so it is read as floating point. Two selects use the index; a
    // single select for both may read the whole table.
    const { schema, ofLog } = this.#dialect;
    const [first, last] = ['min', 'max'].map(
      (bound) =>
        `(select cast(${bound}(seq) as double precision) from ${schema}audit_record where ${ofLog})`,
    );
    const [row] = await this.query(`select ${first}, ${last}`, [logId]);
    return { first: Number(row?.[0] ?? 0), end: Number(row?.[1] ?? -1) + 1 };
  }

  async readNodes(logId: string, level: number, from: number, to: number): Promise<Node[]> {
    const condition = 'level = ?2 and place >= ?3 and place < ?4 order by place';
    const values = [logId, level, from, to];
    const rows = await this.#select('place, hash', 'audit_node', condition, values);
    return rows.map(([place, hash]) => ({ level, place: Number(place), hash: readBytes(hash) }));
  }

  /** May also return records of other IDs, so the caller must check the body. */
  async find(search: Search): Promise<FoundRecord[]> {
    const { time, texts, ids } = this.members;
    const log = await this.getLogColumn();
    const values: SqlValue[] = [];
    const bind = (value: SqlValue): string => `?${values.push(value)}`;
    const bindAll = (all: readonly string[]): string => `(${all.map(bind).join()})`;
    const { fromUs, toUs, log: logId, withoutLogs = [], after, id, limit } = search;
    const clauses = [
      ...texts.map((name) => {
        const accepted = search.texts[name];
        return accepted !== undefined && `${name} in ${bindAll(accepted)}`;
      }),
      logId !== undefined && `${log} = ${bind(logId)}`,
      withoutLogs.length > 0 && `${log} not in ${bindAll(withoutLogs)}`,
      fromUs !== undefined && `${time} >= ${bind(fromUs)}`,
      toUs !== undefined && `${time} <= ${bind(toUs)}`,
      after !== undefined &&
        `(${time}, ${log}, seq) < (${[after.timeUs, after.logId, after.seq].map(bind).join()})`,
    ].filter((clause) => clause !== false);
    const order = `order by ${time} desc, log_id desc, seq desc limit ${bind(limit)}`;
    const select = (...more: readonly string[]): string =>
      `select seq, salt, body, ${log} as log_id, ${time} from ${this.#dialect.schema}audit_record
       where ${['true', ...clauses, ...more].join(' and ')} ${order}`;
    let text = select();
    if (id !== undefined) {
      const bytes = bind(toIdBytes(id));
      // Each half uses an index of its own, in the order of the result.
      const alone = select(`${ids.one} = ${bytes}`);
      const among = select(`${ids.many} is not null`, this.#dialect.contains(ids.many, bytes));
      text = `select * from (select * from (${alone}) as alone union all select * from (${among}) as among) as found ${order}`;
    }
    const rows = await this.query(text, values);
    return rows.map((row) => ({
      ...readRecord(row),
      logId: readText(row[3]),
      timeUs: Number(row[4]),
    }));
  }

  async #selectRecords(columns: string, logId: string, from: number, to: number) {
    const condition = 'seq >= ?2 and seq < ?3 order by seq';
    return await this.#select(columns, 'audit_record', condition, [logId, from, to]);
  }

  async #select(columns: string, table: string, condition: string, values: readonly SqlValue[]) {
    const { schema, ofLog } = this.#dialect;
    return await this.query(
      `select ${columns} from ${schema}${table} where ${ofLog} and ${condition}`,
      values,
    );
  }
}

const headColumns = 'size, root, signature';

function readHead([size, root, signature]: readonly unknown[]): Head {
  return { size: Number(size), root: readBytes(root), signature: readBytes(signature) };
}

export function readLog([logId, name, publicKey, size, frontier]: readonly unknown[]): LogRow {
  return {
    logId: readText(logId),
    name: readText(name),
    publicKey: readText(publicKey),
    size: Number(size),
    frontier: readBytes(frontier),
  };
}

function readRecord([seq, salt, body]: readonly unknown[]): StoredRecord {
  return { seq: Number(seq), salt: readBytes(salt), body: readText(body) };
}

function readBytes(value: unknown): Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(readText(value));
}

/** Reads a text column. Somebody may have written a value of another type into it. */
function readText(value: unknown): string {
  return typeof value === 'string' ? value : String(value);
}
