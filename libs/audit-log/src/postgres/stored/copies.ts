import { idsOf } from '../../entry/packed-uuids.ts';
import { membersOf } from '../../entry/record-text.ts';
import type { Queryable } from './stored-tree.ts';

/** Columns beside a record, by the member that they copy: `text`, `bigint`, or `smallint[]` with the keys of a list of ids. */
export type Copies = Readonly<Record<string, string>>;
type Value = string | number | null;

const ownColumns = ['log_id', 'seq', 'leaf_hash', 'salt', 'body'];

export async function copiesIn(db: Queryable): Promise<Copies> {
  const { rows } = await db.query(
    `select attname as name, format_type(atttypid, null) as type from pg_attribute
     where attrelid = 'audit.audit_event'::regclass and attnum > 0 and not attisdropped and attname <> all($1::text[])
     order by attnum`,
    [ownColumns],
  );
  return Object.fromEntries(rows.map(({ name, type }) => [name as string, type as string]));
}

/** The values of these columns, as text where they are lists; null for what the record does not have. */
export function copiesOf(body: string, columns: Copies): Record<string, Value> {
  const members = membersOf(body);
  const copies: Record<string, Value> = {};
  for (const name of Object.keys(columns)) {
    copies[name] = copyOf(members[name], columns[name] as string);
  }
  return copies;
}

function copyOf(value: unknown, type: string): Value {
  if (type === 'bigint') {
    return Number.isSafeInteger(value) ? (value as number) : null;
  }
  if (type === 'smallint[]') {
    return idKeys(idsOf(value));
  }
  if (value === undefined || value === null) {
    return null;
  }
  // PostgreSQL supports neither U+0000 nor lone surrogates.
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\p{Surrogate}|\0/gu, '\uFFFD');
}

/** The last 16 bits of an id, signed: a small index that rarely finds another; the record decides. 0 for other ids. */
export function idKey(id: string): number {
  const digits = /[0-9a-f]{4}$/u.exec(id)?.[0] ?? '0';
  return Buffer.from(digits.padStart(4, '0'), 'hex').readInt16BE();
}

function idKeys(ids: readonly string[]): string | null {
  const keys = [...new Set(ids.map(idKey))].sort((one, other) => one - other);
  return keys.length === 0 ? null : `{${keys.join()}}`;
}
