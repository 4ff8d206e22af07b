import { OperatorError } from '../config/operator-error.ts';
import type { KeyObject } from 'node:crypto';
import { formatVerifierKey, verifierKey, type LogReader } from '@caregate/audit-log';
import { listLogs } from '@caregate/audit-log/postgres';
import type { Queryable } from '@caregate/audit-log/postgres';

/** Operation of the record of a move. */
export const moveOperation = 'moveToDatabase';

export type Counts = Readonly<Record<string, number>>;

/**
 * The row counts of a previous move of this folder to the database: the command was interrupted after the commit, before it
 * archived the folder.
 *
 * @returns undefined if there is none
 * @throws OperatorError if the folder has changed since
 */
export async function findPreviousMove(
  db: Queryable,
  folder: {
    readonly key: KeyObject;
    readonly audit: LogReader | undefined;
    readonly counts: Counts;
  },
): Promise<Counts | undefined> {
  const mine = (await listLogs(db)).filter(
    (log) => log.verifierKey === formatVerifierKey(verifierKey(log.origin, folder.key)),
  );
  const { rows } = await db.query(
    `select log_id, seq, body from audit.audit_event
     where log_id = any($1) and operation = $2 order by seq limit 1`,
    [mine.map(({ logId }) => logId), moveOperation],
  );
  const [record] = rows;
  if (record === undefined) {
    return undefined;
  }
  const { details } = JSON.parse(record['body'] as string) as { details: Counts };
  const size = folder.audit === undefined ? 0 : folder.audit.size();
  const changed = Object.entries(folder.counts).some(([name, count]) => details[name] !== count);
  if (Number(record['seq']) !== size || changed) {
    throw new OperatorError(
      'This folder was already moved to that database, and was changed since. The changes are not in the database.',
    );
  }
  return folder.counts;
}
