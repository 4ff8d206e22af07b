import { OPEN_LOG, ownRecord, ownStart, SEE_LOGS } from '../entry/record-text.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { identityOf, requireTree, type Queryable } from './stored/stored-tree.ts';

/** A log as another log of the database recorded it. */
export interface SeenLog {
  readonly logId: string;
  readonly size: number;
  readonly root: Buffer;
}

const mostRecords = 1000;

/** Recorded when a log is opened, so that a log that is deleted or truncated later is missed. */
export async function unseenLogs(db: Queryable, own: string): Promise<SeenLog[]> {
  const { rows } = await db.query(
    `select l.log_id, l.origin, l.verifier_key, c.note from audit.audit_log l cross join lateral (
       select note from audit.audit_checkpoint where log_id = l.log_id order by size desc limit 1
     ) as c where l.log_id <> $1 order by l.created_at_us, l.log_id`,
    [own],
  );
  const others = rows.flatMap((row) => {
    const { logId, verifierKey } = identityOf(row);
    const checkpoint = VerifierKey.parse(verifierKey).tryOpen(row['note'] as string);
    return checkpoint === undefined
      ? []
      : [{ logId, size: checkpoint.size, root: checkpoint.root }];
  });
  const { rows: records } = await db.query(
    `select salt || convert_to(body, 'UTF8') as entry from audit.audit_event where starts_with(body, '${ownStart}')
     order by (body::json ->> 'recorded_at_us')::bigint desc limit ${mostRecords}`,
  );
  const seen = new Map<string, number>();
  for (const { entry } of records) {
    for (const { logId, size } of seenIn(entry as Buffer)) {
      seen.set(logId, Math.max(size, seen.get(logId) ?? -1));
    }
  }
  return others.filter(({ logId, size }) => size > (seen.get(logId) ?? -1));
}

/** `<log id>:<size>:<root, base64>`, separated by spaces. */
export function seenText(logs: readonly SeenLog[]): string {
  return logs
    .map(({ logId, size, root }) => `${logId}:${size}:${root.toString('base64')}`)
    .join(' ');
}

export function seenIn(entry: Buffer): SeenLog[] {
  const { operation = '', details } = ownRecord(entry) ?? {};
  const { logs } = details ?? {};
  if (![OPEN_LOG, SEE_LOGS].includes(operation) || typeof logs !== 'string') {
    return [];
  }
  return logs.split(' ').flatMap((text) => {
    const [logId = '', size = '', root = ''] = text.split(':');
    return logId === '' ? [] : [{ logId, size: Number(size), root: Buffer.from(root, 'base64') }];
  });
}

/** @throws AuditBrokenError if a log is missing, shorter or another one than the others recorded */
export async function requireSeen(db: Queryable, seen: readonly SeenLog[]): Promise<void> {
  for (const one of seen) {
    await requireTree(db, one, 'as another log says');
  }
}
