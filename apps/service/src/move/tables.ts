import type { DatabaseSync } from 'node:sqlite';
import type { LogReader } from '@caregate/audit-log';
import { auditTables, besideBody, bodyColumns } from '@caregate/audit-log/postgres';
import type { LockedFolder } from './lock-folder.ts';

const saltLength = 16;

/** A column value in SQLite. */
export type Value = string | number | Uint8Array | null;

export interface MovedTable {
  readonly name: string;
  /** `schema.table`. */
  readonly into: string;
  readonly columns: readonly string[];
  readonly count: number;
  /** Values in the order of the columns. */
  readonly rows: () => Iterable<readonly Value[]>;
}

/**
 * In an order that satisfies foreign keys. Store and access have the same tables on both engines, so they are read from
 * the schema of the files.
 */
export function movedTables({ store, access, audit }: LockedFolder): readonly MovedTable[] {
  return [
    ...tablesIn(store, 'store'),
    ...tablesIn(access, 'access'),
    ...(audit === undefined ? [] : tablesOfLog(audit)),
  ];
}

export function targetsOf(tables: readonly MovedTable[]): readonly string[] {
  return [
    ...new Set([...tables.map(({ into }) => into), ...auditTables.map((name) => `audit.${name}`)]),
  ];
}

/** Derived from the other tables, differently on each engine: `fillPeople` makes them again. */
const DERIVED = /^(?:people|people_index.*)$/u;

/** In order of creation: referenced tables come first. */
function tablesIn(db: DatabaseSync, schema: 'store' | 'access'): MovedTable[] {
  const names = db.prepare(
    `select name from sqlite_schema where type = 'table' and name not like 'kysely\\_%' escape '\\'
       and name not like 'sqlite\\_%' escape '\\' order by rowid`,
  );
  const columnNames = db.prepare('select name from pragma_table_info(?)');
  return names
    .all()
    .map((row) => String(row['name']))
    .filter((name) => !DERIVED.test(name))
    .map((name) => {
      const columns = columnNames.all(name).map((column) => String(column['name']));
      const count = Number(db.prepare(`select count(*) as count from ${name}`).get()?.['count']);
      const rows = (): Iterable<readonly Value[]> => {
        const all = db.prepare(`select ${columns.join(', ')} from ${name}`);
        all.setReturnArrays(true);
        return all.iterate() as Iterable<unknown> as Iterable<readonly Value[]>;
      };
      return { name, into: `${schema}.${name}`, columns, count, rows };
    });
}

/** The columns beside a body are copied from it; tiles and a seal over all are made in the database. */
function tablesOfLog(log: LogReader): MovedTable[] {
  const { logId, origin, verifierKey } = log.identity();
  const beside = ['patients', ...Object.keys(bodyColumns)];
  const events = function* (): Generator<readonly Value[]> {
    for (const item of log.read(0, log.size())) {
      if ('leafHash' in item) {
        const body = item.entry.toString('utf8', saltLength);
        const { columns, patients } = besideBody(body);
        const values: Readonly<Record<string, Value>> = { ...columns, patients };
        const salt = item.entry.subarray(0, saltLength);
        const copies = beside.map((name) => values[name] ?? null);
        yield [logId, item.seq, item.leafHash, salt, body, ...copies];
      }
    }
  };
  const table = (
    name: string,
    columns: readonly string[],
    [count, rows]: readonly [number, MovedTable['rows']],
  ): MovedTable => ({ name, into: `audit.${name}`, columns, count, rows });
  const note = log.checkpoint();
  const identity = [logId, origin, verifierKey, Date.now() * 1000];
  return [
    table(
      'audit_log',
      ['log_id', 'origin', 'verifier_key', 'created_at_us'],
      [1, () => [identity]],
    ),
    table(
      'audit_event',
      ['log_id', 'seq', 'leaf_hash', 'salt', 'body', ...beside],
      [log.size(), events],
    ),
    table(
      'audit_checkpoint',
      ['log_id', 'size', 'note'],
      [1, () => [[logId, Number(note.split('\n')[1]), note]]],
    ),
  ];
}
