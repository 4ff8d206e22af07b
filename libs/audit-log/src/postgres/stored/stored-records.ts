import { AuditBrokenError } from '../../errors.ts';
import type { StoredEntry } from '../../log/log-source.ts';
import { copiesOf, type Copies } from './copies.ts';
import type { Queryable } from './stored-tree.ts';

export interface StoredRecord extends StoredEntry {
  readonly row: Readonly<Record<string, unknown>>;
}

/** Records from `from` to before `to` that exist. */
export async function readRecords(
  db: Queryable,
  logId: string,
  { from, to, columns }: { readonly from: number; readonly to: number; readonly columns: Copies },
): Promise<StoredRecord[]> {
  const copies = Object.keys(columns).map((name) => `, e.${name}::text`);
  const { rows } = await db.query(
    `select e.seq, e.leaf_hash, e.salt, e.body${copies.join('')} from audit.audit_event e
     where e.log_id = $1 and e.seq >= $2 and e.seq < $3 order by e.seq`,
    [logId, from, to],
  );
  return rows.map((row) => ({
    seq: Number(row['seq']),
    leafHash: row['leaf_hash'] as Buffer,
    entry: entryOf(row),
    row,
  }));
}

/** @throws AuditBrokenError if a column beside the record differs from it */
export function requireCopies({ seq, row }: StoredRecord, columns: Copies): void {
  const copies = Object.entries(copiesOf(row['body'] as string, columns));
  if (copies.some(([name, copy]) => row[name] !== (copy === null ? null : String(copy)))) {
    throw new AuditBrokenError('altered', `Record ${seq} was altered`, seq);
  }
}

function entryOf({ salt, body }: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.concat([salt as Buffer, Buffer.from(body as string)]);
}
