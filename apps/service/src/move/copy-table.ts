import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { OperatorError } from '../config/operator-error.ts';
import type { MovedTable, Value } from './tables.ts';

export type OnProgress = (what: string, done: number, of: number) => void;

const CHUNK_CHARACTERS = 256 * 1024;

/** Copies a table with one COPY. @throws OperatorError if PostgreSQL did not accept each row */
export async function copyTable(
  client: pg.ClientBase,
  { name, into, columns, count, rows }: MovedTable,
  onProgress: OnProgress,
): Promise<void> {
  const stream = client.query(copyFrom(`copy ${into} (${columns.join(', ')}) from stdin`));
  const copying = chunks(rows(), (done) => {
    onProgress(name, done, count);
  });
  await pipeline(copying, stream);
  if (stream.rowCount !== count) {
    throw new OperatorError(
      `PostgreSQL accepted only ${stream.rowCount} of ${count} rows of ${name}.`,
    );
  }
}

function* chunks(
  rows: Iterable<readonly Value[]>,
  onDone: (done: number) => void,
): Generator<string> {
  let text = '';
  let done = 0;
  for (const row of rows) {
    text += `${row.map(copied).join('\t')}\n`;
    done += 1;
    if (text.length >= CHUNK_CHARACTERS) {
      yield text;
      onDone(done);
      text = '';
    }
  }
  if (text !== '') {
    yield text;
    onDone(done);
  }
}

function copied(value: Value): string {
  if (value === null) {
    return '\\N';
  }
  if (typeof value === 'string') {
    // PostgreSQL has no U+0000, which may be in the text of a review.
    return escaped(value.replaceAll('\0', '\uFFFD'));
  }
  return typeof value === 'number' ? String(value) : hex(value);
}

function escaped(text: string): string {
  return special.test(text) ? text.replace(each, (found) => escapes[found] ?? found) : text;
}

const special = /[\\\t\n\r]/u;
const each = /[\\\t\n\r]/gu;
const escapes: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

function hex(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
  return `\\\\x${text}`;
}
