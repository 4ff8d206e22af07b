import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Head } from '../checkpoint.ts';
import { AuditBrokenError, AuditLogError } from '../errors.ts';
import type { Copies, Members, StoredRecord } from '../record.ts';
import { findQuery } from './find-query.ts';
import type { Commit, FoundRecord, LogRow, LogStorage, Node, Search } from './storage.ts';

type Row = Readonly<Record<string, SQLInputValue>>;

/** How long a commit waits for that of another process, in milliseconds. */
const BUSY_MS = 5000;
/** SQLite's codes of an error that may be gone at the next attempt: busy, locked. */
const passing = new Set([5, 6]);
/** SQLite's codes of a file that is not what SQLite wrote: corrupt, not a database. */
const damaged = new Set([11, 26]);

function makeTables({ time, texts, ids }: Members): string {
  const appendOnly = ['audit_record', 'audit_head', 'audit_node'].flatMap((table) =>
    ['update', 'delete'].map(
      (act) => `create trigger if not exists ${table}_${act} before ${act} on ${table}
        begin select raise(abort, 'the audit log is append-only'); end;`,
    ),
  );
  return `
    create table if not exists audit_log (
      log_id text primary key, name text not null, public_key text not null, size integer not null, frontier blob not null
    ) strict, without rowid;
    create table if not exists audit_record (
      seq integer primary key, salt blob not null, body text not null, ${time} integer,
      ${texts.map((name) => `${name} text`).join(', ')}, ${ids.one} blob, ${ids.many} blob
    ) strict;
    create index if not exists audit_record_first on audit_record (${texts[0] ?? time}, ${time}, seq);
    create index if not exists audit_record_one on audit_record (${ids.one}, ${time}, seq) where ${ids.one} is not null;
    create index if not exists audit_record_many on audit_record (${time}, seq) where ${ids.many} is not null;
    create table if not exists audit_head (
      size integer primary key, root blob not null, signature blob not null, signed_at_us integer not null
    ) strict;
    create table if not exists audit_node (
      level integer not null, place integer not null, hash blob not null, primary key (level, place)
    ) strict, without rowid;
    ${appendOnly.join('\n')}`;
}

/** One log in a file of SQLite. Reading and writing do not wait for each other (WAL). */
export class SqliteStorage implements LogStorage {
  readonly #file: string;
  readonly #fileId: string | undefined;
  readonly #db: DatabaseSync;
  readonly #members: Members;
  readonly #statements = new Map<string, StatementSync>();

  /** @throws AuditBrokenError if the file is no whole database, AuditLogError if it cannot be opened */
  constructor(
    file: string,
    members: Members,
    { readOnly = false }: { readonly readOnly?: boolean } = {},
  ) {
    this.#file = file;
    this.#members = members;
    let db: DatabaseSync | undefined;
    try {
      if (!readOnly) {
        // For its owner alone; SQLite makes the files beside it alike.
        closeSync(openSync(file, 'a', 0o600));
      }
      db = new DatabaseSync(readOnly ? readOnlyUrl(file) : file, {
        ...{ readOnly, timeout: BUSY_MS, allowExtension: false },
      });
      this.#db = db;
      if (readOnly) {
        db.prepare('select count(*) from sqlite_schema').get();
      } else {
        db.exec('pragma journal_mode = wal');
        // A commit is on the disk when it returns.
        db.exec('pragma synchronous = full; pragma cache_size = -16384');
        db.exec('pragma wal_autocheckpoint = 2000; pragma journal_size_limit = 67108864');
        db.exec(`begin immediate; ${makeTables(members)} commit`);
      }
      this.#fileId = readFileId(file);
    } catch (error) {
      db?.close();
      const named = this.#name(error);
      throw named instanceof AuditBrokenError
        ? named
        : new AuditLogError(`The audit log ${file} cannot be opened: ${(error as Error).message}.`);
    }
  }

  logs(): Promise<LogRow[]> {
    return this.#read(() =>
      this.#all('select log_id, name, public_key, size, frontier from audit_log').map((row) => ({
        logId: text(row['log_id']),
        name: text(row['name']),
        publicKey: text(row['public_key']),
        size: Number(row['size']),
        frontier: bytes(row['frontier']),
      })),
    );
  }

  async settledLog(logId: string): Promise<LogRow | undefined> {
    await this.#read(() => {
      this.#inTransaction(() => {
        // Waits for the commit of another process, and shows whether the disk takes one.
        this.#db.exec('update audit_log set size = size');
      });
    });
    return (await this.logs()).find((row) => row.logId === logId);
  }

  commit(commit: Commit): Promise<boolean> {
    return this.#read(() =>
      this.#inTransaction(() => {
        const [row] = this.#all('select log_id, size from audit_log');
        if (row !== undefined && row['log_id'] !== commit.logId) {
          throw new AuditLogError(`The file holds the audit log ${text(row['log_id'])} already.`);
        }
        if (Number(row?.['size'] ?? 0) !== commit.before) {
          return false;
        }
        this.#insert(commit);
        return true;
      }),
    );
  }

  isLost(error: unknown): boolean {
    const code = (error as { readonly errcode?: number } | undefined)?.errcode;
    return code !== undefined && passing.has(code & 0xff);
  }

  newestHead(): Promise<Head | undefined> {
    return this.#read(
      () => this.#all('select * from audit_head order by size desc limit 1').map(headIn)[0],
    );
  }

  heads(_logId: string, fromSize: number, toSize: number): Promise<Head[]> {
    return this.#read(() =>
      this.#all(
        'select * from audit_head where size between ? and ? order by size',
        fromSize,
        toSize,
      ).map(headIn),
    );
  }

  records(_logId: string, from: number, to: number): Promise<StoredRecord[]> {
    return this.#read(() =>
      this.#all(
        'select seq, salt, body from audit_record where seq >= ? and seq < ? order by seq',
        from,
        to,
      ).map(recordIn),
    );
  }

  recordsWithCopies(
    _logId: string,
    from: number,
    to: number,
  ): Promise<(StoredRecord & { readonly copies: Copies })[]> {
    const { time, texts, ids } = this.#members;
    const columns = ['seq', 'salt', 'body', time, ids.one, ids.many, ...texts].join();
    return this.#read(() => {
      const statement = this.#prepare(
        `select ${columns} from audit_record where seq >= ? and seq < ? order by seq`,
      );
      // Half the time of rows with names.
      statement.setReturnArrays(true);
      const rows = statement.all(from, to) as unknown as [
        number,
        Uint8Array,
        string,
        ...SQLInputValue[],
      ][];
      return rows.map(([seq, salt, body, at, one, many, ...copied]) => ({
        seq,
        salt: bytes(salt),
        body,
        copies: {
          time: at === null ? null : Number(at),
          texts: copied as (string | null)[],
          one: one === null ? null : bytes(one),
          many: many === null ? null : bytes(many),
        },
      }));
    });
  }

  range(): Promise<{ readonly first: number; readonly end: number }> {
    return this.#read(() => {
      // As floating point: a forged number may be larger than what is safe. Two selects, for each uses the index.
      const [row] = this.#all(
        `select (select cast(min(seq) as real) from audit_record) as first,
                (select cast(max(seq) as real) from audit_record) as last`,
      );
      return { first: Number(row?.['first'] ?? 0), end: Number(row?.['last'] ?? -1) + 1 };
    });
  }

  nodes(_logId: string, level: number, from: number, to: number): Promise<Node[]> {
    return this.#read(() =>
      this.#all(
        'select level, place, hash from audit_node where level = ? and place >= ? and place < ? order by place',
        level,
        from,
        to,
      ).map((row) => ({
        level,
        place: Number(row['place']),
        hash: bytes(row['hash']),
      })),
    );
  }

  find(search: Search): Promise<FoundRecord[]> {
    return this.#read(() => {
      const [log] = this.#all('select log_id from audit_log');
      const logId = `'${text(log?.['log_id']).replaceAll("'", "''")}'`;
      const query = findQuery(search, this.#members, {
        table: 'audit_record',
        logId,
        slot: (position) => `?${position}`,
        contains: (column, slot) => `instr(${column}, ${slot}) > 0`,
      });
      return this.#all(query.text, ...query.values).map((row) => ({
        ...recordIn(row),
        logId: text(row['log_id']),
        timeUs: Number(row[this.#members.time]),
      }));
    });
  }

  close(): Promise<void> {
    return this.#read(() => {
      if (this.#db.isOpen) {
        this.#db.close();
      }
    });
  }

  /** Copies the log as it is into a new file, also beside a process that writes it. */
  copyTo(file: string): void {
    this.#db.prepare('vacuum into ?').run(file);
  }

  #insert({ logId, name, publicKey, before, size, frontier, ...commit }: Commit): void {
    const { time, texts, ids } = this.#members;
    const columns = ['seq', 'salt', 'body', time, ...texts, ids.one, ids.many];
    const record = this.#prepare(
      `insert into audit_record (${columns.join()}) values (${columns.map(() => '?').join()})`,
    );
    for (const { seq, salt, body, copies } of commit.records) {
      record.run(seq, salt, body, copies.time, ...copies.texts, copies.one, copies.many);
    }
    const node = this.#prepare('insert into audit_node (level, place, hash) values (?, ?, ?)');
    for (const { level, place, hash } of commit.nodes) {
      node.run(level, place, hash);
    }
    const head = this.#prepare(
      'insert into audit_head (size, root, signature, signed_at_us) values (?, ?, ?, ?)',
    );
    for (const one of commit.heads) {
      head.run(one.size, one.root, one.signature, commit.signedAtUs);
    }
    if (before === 0) {
      this.#prepare(
        'insert into audit_log (log_id, name, public_key, size, frontier) values (?, ?, ?, ?, ?)',
      ).run(logId, name, publicKey, size, frontier);
    } else {
      this.#prepare('update audit_log set size = ?, frontier = ?, public_key = ?').run(
        size,
        frontier,
        publicKey,
      );
    }
  }

  #all(text: string, ...values: SQLInputValue[]): Row[] {
    return this.#prepare(text).all(...values);
  }

  #prepare(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      // Searches differ in their text.
      if (this.#statements.size > 100) {
        this.#statements.clear();
      }
      statement = this.#db.prepare(text);
      this.#statements.set(text, statement);
    }
    return statement;
  }

  #inTransaction<T>(work: () => T): T {
    this.#db.exec('begin immediate');
    try {
      this.#requireFile();
      const result = work();
      this.#db.exec('commit');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) {
        this.#db.exec('rollback');
      }
      throw error;
    }
  }

  /** What is written to a file that was removed is lost when this process ends, and SQLite does not notice. */
  #requireFile(): void {
    if (readFileId(this.#file) !== this.#fileId) {
      throw new Error(
        `${this.#file} was removed or replaced while it was in use. Move that same file back, or stop this process and restore a backup: caregate restore BACKUP --data DIR`,
      );
    }
  }

  /** An error of SQLite becomes a rejected promise, as with PostgreSQL. */
  #read<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      try {
        resolve(work());
      } catch (error) {
        reject(this.#name(error));
      }
    });
  }

  #name(error: unknown): Error {
    const code = (error as { readonly errcode?: number }).errcode;
    return code !== undefined && damaged.has(code & 0xff)
      ? new AuditBrokenError('altered', `${this.#file} is damaged: ${(error as Error).message}`)
      : (error as Error);
  }
}

/** Names the file at a path, whatever is in it. */
function readFileId(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}/${stats.ino}`;
}

/** Where no process writes, SQLite would make files beside the one that it reads, which may be on a read-only disk. */
function readOnlyUrl(file: string): URL {
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) {
    url.search = 'immutable=1';
  }
  return url;
}

function recordIn(row: Row): StoredRecord {
  return { seq: Number(row['seq']), salt: bytes(row['salt']), body: text(row['body']) };
}

function headIn(row: Row): Head {
  return {
    size: Number(row['size']),
    root: bytes(row['root']),
    signature: bytes(row['signature']),
  };
}

function bytes(value: SQLInputValue | undefined): Buffer {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : Buffer.from(text(value));
}

/** A column of text; another value, which somebody put there, as text. */
function text(value: SQLInputValue | undefined): string {
  return typeof value === 'string'
    ? value
    : JSON.stringify(value ?? null, (_, one: unknown) =>
        typeof one === 'bigint' ? String(one) : one,
      );
}
