import { AuditBrokenError } from '../../errors.ts';
import type { StoredEntry } from '../../log/log-source.ts';
import { besideBody } from './body-columns.ts';
import { bodyColumns } from './schema.ts';
import type { Queryable } from './stored-tree.ts';

export interface StoredRecord extends StoredEntry {
  readonly row: Readonly<Record<string, unknown>>;
}

const names = Object.keys(bodyColumns);

const page = `
  select e.seq, e.leaf_hash, e.salt, e.body, ${names.map((name) => `e.${name}`).join(', ')}, e.patients::text as patients
  from audit.audit_event e where e.log_id = $1 and e.seq >= $2 and e.seq < $3 order by e.seq`;

/** Records from `from` to before `to` that exist. */
export async function readRecords(
  db: Queryable,
  logId: string,
  [from, to]: readonly [from: number, to: number],
): Promise<StoredRecord[]> {
  const { rows } = await db.query(page, [logId, from, to]);
  return rows.map((row) => ({
    seq: Number(row['seq']),
    leafHash: row['leaf_hash'] as Buffer,
    entry: entryOf(row),
    row,
  }));
}

export function requireBeside({ seq, row }: StoredRecord): void {
  const { columns, patients } = besideOf(seq, row['body'] as string);
  const holds =
    row['patients'] === patients && names.every((name) => isSame(row[name], columns[name] ?? null));
  if (!holds) {
    throw altered(seq);
  }
}

function besideOf(seq: number, body: string): ReturnType<typeof besideBody> {
  try {
    return besideBody(body);
  } catch (error) {
    // Not the text of a record.
    throw altered(seq, error);
  }
}

function altered(seq: number, cause?: unknown): AuditBrokenError {
  return Object.assign(new AuditBrokenError('altered', `Record ${seq} was altered`, seq), {
    ...(cause !== undefined && { cause }),
  });
}

/** A `bigint` is text or a number, depending on the connection. */
function isSame(stored: unknown, expected: string | number | null): boolean {
  return typeof expected === 'number'
    ? stored !== null && Number(stored) === expected
    : stored === expected;
}

function entryOf({ salt, body }: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.concat([salt as Buffer, Buffer.from(body as string)]);
}
