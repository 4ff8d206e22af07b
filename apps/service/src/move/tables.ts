import type { DatabaseSync } from 'node:sqlite';
import { auditTables, bodyColumns } from '../audit/postgres/audit-tables.ts';
import { asText, columnsOf } from '../audit/postgres/body-columns.ts';
import type { HeldFolder } from './held-folder.ts';

/** What a column holds in SQLite. */
export type Value = string | number | Uint8Array | null;

/** A table of a data folder and the one that takes its rows, column by column. */
export interface MovedTable {
  readonly file: 'store' | 'access' | 'audit';
  readonly name: string;
  /** `schema.table`. */
  readonly into: string;
  readonly columns: readonly string[];
  /** Columns that the table in SQLite has not, and their values, after those of `columns`. */
  readonly more?: {
    readonly columns: readonly string[];
    readonly of: (row: Readonly<Record<string, Value>>) => readonly Value[];
  };
}

/**
 * Every table of a folder, in an order in which each row finds those that it refers to. Store and access have the same
 * tables in both engines, so they are read off the files: what a later version adds is not forgotten here.
 *
 * @param logId where there is a log
 */
export function movedTables(folder: HeldFolder, logId: string | undefined): readonly MovedTable[] {
  return [
    ...tablesIn(folder.store, 'store'),
    ...tablesIn(folder.access, 'access'),
    ...(logId === undefined ? [] : tablesOfLog(logId)),
  ];
}

/** Every table that a move may write to, as `schema.table`. */
export function targetsOf(tables: readonly MovedTable[]): readonly string[] {
  return [
    ...tables.filter(({ file }) => file !== 'audit').map(({ into }) => into),
    ...auditTables.map((name) => `audit.${name}`),
  ];
}

/** In the order in which they were made: what is referred to comes first. */
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

/** The head is not copied: here it is a row for each commit. Nor is what is read out of the bodies. */
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

/** The columns beside a body, which a retention cut may have emptied. */
function besideBody(body: Value | undefined): readonly Value[] {
  if (typeof body !== 'string') {
    return columnNames.map(() => null);
  }
  const values = columnsOf(body);
  return columnNames.map((name) => values[name] ?? null);
}

/**
 * A value as PostgreSQL can hold it: a person may have put U+0000 into the text of a review. Health data has none: its
 * import refuses it.
 */
export function movedValue({ file }: MovedTable, value: Value): Value {
  return typeof value === 'string' && file !== 'store' ? asText(value) : value;
}
