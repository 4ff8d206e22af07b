import type { DatabaseSync } from 'node:sqlite';
import { auditTables, bodyColumns } from '../audit/postgres/audit-tables.ts';
import { asText, columnsOf } from '../audit/postgres/body-columns.ts';
import type { LockedFolder } from './lock-folder.ts';

/** A column value in SQLite. */
export type Value = string | number | Uint8Array | null;

/** A table of a data folder and its destination. */
export interface MovedTable {
  readonly file: 'store' | 'access' | 'audit';
  readonly name: string;
  /** `schema.table`. */
  readonly into: string;
  readonly columns: readonly string[];
  /** Additional columns of the destination, with their values. */
  readonly more?: {
    readonly columns: readonly string[];
    readonly of: (row: Readonly<Record<string, Value>>) => readonly Value[];
  };
}

/**
 * All tables of a folder, in an order that satisfies foreign keys. Store and access have the same tables on both engines, so
 * they are read from the schema of the files: tables of later versions are included automatically.
 *
 * @param logId if there is a log
 */
export function movedTables(
  folder: LockedFolder,
  logId: string | undefined,
): readonly MovedTable[] {
  return [
    ...tablesIn(folder.store, 'store'),
    ...tablesIn(folder.access, 'access'),
    ...(logId === undefined ? [] : tablesOfLog(logId)),
  ];
}

/** All destination tables, as `schema.table`. */
export function targetsOf(tables: readonly MovedTable[]): readonly string[] {
  return [
    ...tables.filter(({ file }) => file !== 'audit').map(({ into }) => into),
    ...auditTables.map((name) => `audit.${name}`),
  ];
}

/** In order of creation: referenced tables come first. */
function tablesIn(db: DatabaseSync, file: 'store' | 'access'): MovedTable[] {
  const names = db.prepare(
    `select name from sqlite_schema where type = 'table' and name not like 'kysely\\_%' escape '\\'
       and name not like 'sqlite\\_%' escape '\\' order by rowid`,
  );
  const columns = db.prepare('select name from pragma_table_info(?)');
  return names.all().map((row) => {
    const name = String(row['name']);
    return tableOf(
      file,
      name,
      columns.all(name).map((column) => String(column['name'])),
    );
  });
}

/** The head is not copied, since it has one row per commit here; nor are columns generated from the bodies. */
function tablesOfLog(logId: string): MovedTable[] {
  const inLog = { columns: ['log_id'], of: () => [logId] };
  return [
    tableOf('audit', 'audit_log', ['log_id', 'origin', 'verifier_key', 'created_at_us']),
    {
      ...tableOf('audit', 'audit_event', ['seq', 'leaf_hash', 'salt', 'body']),
      more: {
        columns: ['log_id', ...columnNames],
        of: ({ body }) => [logId, ...besideBody(body)],
      },
    },
    { ...tableOf('audit', 'audit_patient', ['seq', 'user_id']), more: inLog },
    { ...tableOf('audit', 'audit_node', ['level', 'idx', 'hash']), more: inLog },
    { ...tableOf('audit', 'audit_checkpoint', ['size', 'note']), more: inLog },
  ];
}

function tableOf(file: MovedTable['file'], name: string, columns: readonly string[]): MovedTable {
  return { file, name, into: `${file}.${name}`, columns };
}

const columnNames = Object.keys(bodyColumns);

/** The columns copied from a body, which may have been erased by a retention cut. */
function besideBody(body: Value | undefined): readonly Value[] {
  if (typeof body !== 'string') {
    return columnNames.map(() => null);
  }
  const values = columnsOf(body);
  return columnNames.map((name) => values[name] ?? null);
}

/**
 * Replaces U+0000, which PostgreSQL does not support: it may be in the text of a review. The import rejects it in health
 * data.
 */
export function movedValue({ file }: MovedTable, value: Value): Value {
  return typeof value === 'string' && file !== 'store' ? asText(value) : value;
}
