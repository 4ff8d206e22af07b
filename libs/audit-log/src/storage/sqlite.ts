import { closeSync, existsSync, openSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { AuditBrokenError, AuditLogError } from '../errors.ts';
import type { Members } from '../record.ts';
import { SqlReader, type SqlValue } from './sql-reader.ts';
import type { Commit, LogRow, LogStorage } from './storage.ts';

/** How long a commit waits for a commit of another process, in milliseconds. */
const BUSY_MS = 5000;
/** SQLite's transient error codes: busy, locked. */
const transientCodes = new Set([5, 6]);
/** SQLite's error codes for damaged files: corrupt, not a database. */
const damageCodes = new Set([11, 26]);

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

const pragmas = `
  pragma journal_mode = wal;
  -- A commit is on the disk when it returns.
  pragma synchronous = full;
  pragma cache_size = -16384;
  pragma wal_autocheckpoint = 2000;
  pragma journal_size_limit = 67108864;`;

/** One log in a SQLite file in WAL mode, so that readers and the writer don't block each other. */
export class SqliteStorage extends SqlReader implements LogStorage {
  readonly #file: string;
  readonly #fileId: string | undefined;
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  /** @throws AuditBrokenError if the file is damaged, AuditLogError if it can't be opened */
  constructor(
    file: string,
    members: Members,
    { readOnly = false }: { readonly readOnly?: boolean } = {},
  ) {
    super(members, {
      schema: '',
      ofLog: '?1 is not null',
      contains: (column, parameter) => `instr(${column}, ${parameter}) > 0`,
    });
    this.#file = file;
    let db: DatabaseSync | undefined;
    try {
      if (!readOnly) {
        // Only its owner can read the file. SQLite gives the files beside it the same permissions.
        closeSync(openSync(file, 'a', 0o600));
      }
      db = new DatabaseSync(readOnly ? readOnlyUrl(file) : file, { readOnly, timeout: BUSY_MS });
      this.#db = db;
      db.exec(
        readOnly
          ? 'select count(*) from sqlite_schema'
          : `${pragmas} begin immediate; ${makeTables(members)} commit`,
      );
      this.#fileId = readFileId(file);
    } catch (error) {
      db?.close();
      const named = this.#nameDamage(error);
      throw named instanceof AuditBrokenError
        ? named
        : new AuditLogError(`The audit log ${file} cannot be opened: ${(error as Error).message}.`);
    }
  }

  async readSettledLog(logId: string): Promise<LogRow | undefined> {
    // An empty transaction waits for the commit of another process, and shows whether the disk accepts writes.
    await this.#try(() => {
      this.#inTransaction(() => {
        this.#run('update audit_log set size = size');
      });
    });
    return (await this.readLogs()).find((row) => row.logId === logId);
  }

  commit(commit: Commit): Promise<boolean> {
    return this.#try(() => this.#inTransaction(() => this.#insert(commit)));
  }

  isTransient(error: unknown): boolean {
    const code = (error as { readonly errcode?: number } | undefined)?.errcode;
    return code !== undefined && transientCodes.has(code & 0xff);
  }

  close(): Promise<void> {
    return this.#try(() => {
      if (this.#db.isOpen) {
        this.#db.close();
      }
    });
  }

  protected query(text: string, values: readonly SqlValue[] = []): Promise<unknown[][]> {
    return this.#try(() => this.#prepare(text).all(...values) as unknown as unknown[][]);
  }

  protected async getLogColumn(): Promise<string> {
    const [row] = await this.readLogs();
    return `'${(row?.logId ?? '').replaceAll("'", "''")}'`;
  }

  /** Returns false if the log has another name or number of records. */
  #insert({ logId, name, publicKey, before, size, frontier, ...commit }: Commit): boolean {
    const [row] = this.#prepare('select log_id, name, size from audit_log').all() as unknown as [
      [string, string, number]?,
    ];
    if (row !== undefined && row[0] !== logId) {
      throw new AuditLogError(`The file holds the audit log ${row[0]} already.`);
    }
    const [, storedName = name, storedSize = 0] = row ?? [];
    if (storedName !== name || storedSize !== before) {
      return false;
    }
    this.#run(
      row === undefined
        ? 'insert into audit_log (size, frontier, public_key, log_id, name) values (?, ?, ?, ?, ?)'
        : 'update audit_log set size = ?, frontier = ?, public_key = ?',
      ...[size, frontier, publicKey, ...(row === undefined ? [logId, name] : [])],
    );
    const { time, texts, ids } = this.members;
    const columns = ['seq', 'salt', 'body', time, ...texts, ids.one, ids.many];
    const record = this.#prepare(
      `insert into audit_record (${columns.join()}) values (${columns.map(() => '?').join()})`,
    );
    for (const { seq, salt, body, copies } of commit.records) {
      record.run(seq, salt, body, copies.time, ...copies.texts, copies.one, copies.many);
    }
    for (const { level, place, hash } of commit.nodes) {
      this.#run('insert into audit_node (level, place, hash) values (?, ?, ?)', level, place, hash);
    }
    for (const { size: headSize, root, signature } of commit.heads) {
      this.#run(
        'insert into audit_head (size, root, signature, signed_at_us) values (?, ?, ?, ?)',
        ...[headSize, root, signature, commit.signedAtUs],
      );
    }
    return true;
  }

  #run(text: string, ...values: readonly SqlValue[]): void {
    this.#prepare(text).run(...values);
  }

  #prepare(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (statement === undefined) {
      // The text of searches varies, so the cache needs a limit.
      if (this.#statements.size > 100) {
        this.#statements.clear();
      }
      statement = this.#db.prepare(text);
      // Arrays take half the time of objects.
      statement.setReturnArrays(true);
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

  /**
   * If the file was deleted, SQLite would go on writing to it without an error, and the data would be lost at the end
   * of the process.
   */
  #requireFile(): void {
    if (readFileId(this.#file) !== this.#fileId) {
      throw new Error(
        `${this.#file} was removed or replaced while it was in use. Move that same file back, or stop this process and restore a backup: caregate restore BACKUP --data DIR`,
      );
    }
  }

  /** Turns an error of SQLite into a rejected promise, as PostgreSQL's errors are. */
  #try<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      try {
        resolve(work());
      } catch (error) {
        reject(this.#nameDamage(error));
      }
    });
  }

  #nameDamage(error: unknown): Error {
    const code = (error as { readonly errcode?: number }).errcode;
    return code !== undefined && damageCodes.has(code & 0xff)
      ? new AuditBrokenError('altered', `${this.#file} is damaged: ${(error as Error).message}`)
      : (error as Error);
  }
}

/** Identifies the file itself (device and inode), whatever its content. */
function readFileId(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev}/${stats.ino}`;
}

/** Opens a file that no process writes without creating files beside it, since it may be on a read-only disk. */
function readOnlyUrl(file: string): URL {
  const url = pathToFileURL(file);
  if (!existsSync(`${file}-wal`)) {
    url.search = 'immutable=1';
  }
  return url;
}
