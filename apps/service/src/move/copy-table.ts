import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { escaped, hex } from '../source/store/postgres/staging.ts';
import type { LockedFolder } from './lock-folder.ts';
import { movedValue, type MovedTable, type Row, type Value } from './tables.ts';

/** Characters per chunk. */
const enough = 256 * 1024;

/**
 * Copies a table in storage order with one COPY.
 *
 * @param onRows called with the number of rows since the last call
 * @returns the number of rows accepted by PostgreSQL
 */
export async function copyTable(
  client: pg.ClientBase,
  folder: LockedFolder,
  table: MovedTable,
  onRows: (count: number) => void,
): Promise<number> {
  const { into, columns } = table;
  const stream = client.query(copyFrom(`copy ${into} (${columns.join(', ')}) from stdin`));
  await pipeline(pieces(folder, table, onRows), stream);
  return stream.rowCount;
}

function* pieces(
  folder: LockedFolder,
  table: MovedTable,
  onRows: (count: number) => void,
): Generator<string> {
  const { columns } = table;
  let lines: string[] = [];
  let size = 0;
  for (const row of rowsOf(folder, table)) {
    const line = columns.map((name) => copied(movedValue(table, row[name] ?? null))).join('\t');
    lines.push(line);
    size += line.length;
    if (size >= enough) {
      yield `${lines.join('\n')}\n`;
      onRows(lines.length);
      [lines, size] = [[], 0];
    }
  }
  if (lines.length > 0) {
    yield `${lines.join('\n')}\n`;
    onRows(lines.length);
  }
}

function rowsOf(folder: LockedFolder, table: MovedTable): Iterable<Row> {
  if (table.rows !== undefined) {
    return table.rows();
  }
  const text = `select ${table.columns.join(', ')} from ${table.name}`;
  return folder[table.file].prepare(text).iterate() as Iterable<Row>;
}

function copied(value: Value): string {
  if (value === null) {
    return '\\N';
  }
  return typeof value === 'string'
    ? escaped(value)
    : typeof value === 'number'
      ? String(value)
      : hex(value);
}
