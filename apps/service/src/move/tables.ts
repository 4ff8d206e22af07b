import type { DatabaseSync } from 'node:sqlite';
import { LogMove } from '@caregate/audit-log/postgres';
import { recordColumns } from '../audit/postgres/audit-schema.ts';
import type { LockedFolder } from './lock-folder.ts';

export type MovedTable = ReturnType<LogMove['tables']>[number];

export type Value = string | number | Uint8Array | null;

/** In an order that satisfies foreign keys, from the schema of the files: both engines have the same tables. */
export function movedTables({ store, access }: LockedFolder, log: LogMove): readonly MovedTable[] {
  return [...tablesIn(store, 'store'), ...tablesIn(access, 'access'), ...log.tables(recordColumns)];
}

export function targetsOf(tables: readonly MovedTable[]): readonly string[] {
  return [...new Set([...tables.map(({ into }) => into), ...LogMove.targets])];
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
