import type { KeyObject } from 'node:crypto';
import { NoAuditLogError } from '../errors.ts';
import { formatVerifierKey, verifierKey, type LogIdentity } from '../note/checkpoint.ts';
import { lockLog } from './acquire-log.ts';
import type { AuditSession } from './audit-session.ts';
import { PostgresLog, type PostgresLogOptions } from './postgres-log.ts';

/**
 * Opens this log and no other, for a command that records something about it.
 *
 * @throws NoAuditLogError if an instance is writing it, or the key does not sign it
 * @throws AuditBrokenError if its end is not as its checkpoints and seals say
 */
export async function openOneLog(
  session: AuditSession,
  key: KeyObject,
  { logId, origin, verifierKey: text }: LogIdentity,
  options: Omit<PostgresLogOptions, 'before'>,
): Promise<PostgresLog> {
  if (formatVerifierKey(verifierKey(origin, key)) !== text) {
    throw new NoAuditLogError(
      `The key in the data folder does not sign log ${logId}: use --data with the folder of the instance that wrote it.`,
    );
  }
  if (!(await lockLog(session, logId))) {
    throw new NoAuditLogError(
      `An instance is writing log ${logId}. Stop that instance while this command runs; others may go on.`,
    );
  }
  // A session locks what it has locked once more.
  return await PostgresLog.open(session, key, { ...options, before: { logId, pids: [] } });
}
