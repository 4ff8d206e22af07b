import { pipeline } from 'node:stream/promises';
import type { DatabaseSync } from 'node:sqlite';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { escaped, hex } from '../source/store/postgres/staging.ts';
import { movedValue, type MovedTable, type Value } from './tables.ts';

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
  db: DatabaseSync,
  table: MovedTable,
  onRows: (count: number) => void,
): Promise<number> {
  const columns = [...table.columns, ...(table.more?.columns ?? [])];
  const stream = client.query(copyFrom(`copy ${table.into} (${columns.join(', ')}) from stdin`));
  await pipeline(pieces(db, table, onRows), stream);
  return stream.rowCount;
}

function* pieces(
  db: DatabaseSync,
  table: MovedTable,
  onRows: (count: number) => void,
): Generator<string> {
  const { columns, more } = table;
  const rows = db.prepare(`select ${columns.join(', ')} from ${table.name}`).iterate();
  let lines: string[] = [];
  let size = 0;
  for (const row of rows as Iterable<Record<string, Value>>) {
    const own = columns.map((name) => copied(movedValue(table, row[name] ?? null)));
    const line = [...own, ...(more?.of(row).map(copied) ?? [])].join('\t');
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
