import type { DatabaseSync } from 'node:sqlite';
import { type LogReader, type StoredEntry } from '@caregate/audit-log';
import { asText, auditTables, besideBody, bodyColumns } from '@caregate/audit-log/postgres';
import type { LockedFolder } from './lock-folder.ts';

const saltLength = 16;

/** A column value in SQLite. */
export type Value = string | number | Uint8Array | null;

export type Row = Readonly<Record<string, Value>>;

/** A table of a data folder and its destination. */
export type MovedTable = TableOfFile | TableOfLog;

interface TableOfFile extends Target {
  readonly file: 'store' | 'access';
  readonly rows?: undefined;
}

interface TableOfLog extends Target {
  readonly file: 'audit';
  /** The log has no tables: what their rows would be. */
  readonly rows: () => Iterable<Row>;
}

interface Target {
  readonly name: string;
  /** `schema.table`. */
  readonly into: string;
  readonly columns: readonly string[];
}

/**
 * All tables of a folder, in an order that satisfies foreign keys. Store and access have the same tables on both engines, so
 * they are read from the schema of the files: tables of later versions are included automatically.
 */
export function movedTables(folder: LockedFolder): readonly MovedTable[] {
  return [
    ...tablesIn(folder.store, 'store'),
    ...tablesIn(folder.access, 'access'),
    ...(folder.audit === undefined ? [] : tablesOfLog(folder.audit)),
  ];
}

/** All destination tables, as `schema.table`. */
export function targetsOf(tables: readonly MovedTable[]): readonly string[] {
  return [
    ...tables.filter(({ file }) => file !== 'audit').map(({ into }) => into),
    ...auditTables.map((name) => `audit.${name}`),
  ];
}

/** Made of the other tables, in the way of each engine: `fillPeople` makes them again where they are moved to. */
const MADE_AGAIN = /^(?:people|people_index.*)$/u;

/** In order of creation: referenced tables come first. */
function tablesIn(db: DatabaseSync, file: 'store' | 'access'): TableOfFile[] {
  const names = db.prepare(
    `select name from sqlite_schema where type = 'table' and name not like 'kysely\\_%' escape '\\'
       and name not like 'sqlite\\_%' escape '\\' order by rowid`,
  );
  const columns = db.prepare('select name from pragma_table_info(?)');
  const moved = names.all().map((row) => String(row['name']));
  return moved
    .filter((name) => !MADE_AGAIN.test(name))
    .map((name) => {
      const named = columns.all(name).map((column) => String(column['name']));
      return { file, name, into: `${file}.${name}`, columns: named };
    });
}

/** Columns copied from the bodies are made here; tiles and a seal over all are made in the database. */
function tablesOfLog(log: LogReader): TableOfLog[] {
  const { logId, origin, verifierKey } = log.identity();
  const entries = function* (): Generator<StoredEntry> {
    for (const item of log.read(0, log.size())) {
      if ('leafHash' in item) {
        yield item;
      }
    }
  };
  return [
    tableOf('audit_log', ['log_id', 'origin', 'verifier_key', 'created_at_us'], () => [
      { log_id: logId, origin, verifier_key: verifierKey, created_at_us: Date.now() * 1000 },
    ]),
    tableOf(
      'audit_event',
      ['log_id', 'seq', 'leaf_hash', 'salt', 'body', 'patients', ...columnNames],
      function* () {
        for (const { seq, leafHash, entry } of entries()) {
          const body = entry.toString('utf8', saltLength);
          const salt = entry.subarray(0, saltLength);
          yield { log_id: logId, seq, leaf_hash: leafHash, salt, body, ...copiedOf(body) };
        }
      },
    ),
    tableOf('audit_checkpoint', ['log_id', 'size', 'note'], () => {
      const note = log.checkpoint();
      return [{ log_id: logId, size: Number(note.split('\n')[1]), note }];
    }),
  ];
}

function tableOf(name: string, columns: readonly string[], rows: () => Iterable<Row>): TableOfLog {
  return { file: 'audit', name, into: `audit.${name}`, columns, rows };
}

const columnNames = Object.keys(bodyColumns);

/** The columns copied from a body. */
function copiedOf(body: string): Row {
  const { columns, patients } = besideBody(body);
  const values: Row = { ...columns, patients };
  return Object.fromEntries(
    ['patients', ...columnNames].map((name) => [name, values[name] ?? null]),
  );
}

/**
 * Replaces U+0000, which PostgreSQL does not support: it may be in the text of a review. The import rejects it in health
 * data.
 */
export function movedValue({ file }: MovedTable, value: Value): Value {
  return typeof value === 'string' && file !== 'store' ? asText(value) : value;
}
