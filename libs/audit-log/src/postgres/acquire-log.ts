import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { formatVerifierKey, verifierKey, type LogIdentity } from '../note/checkpoint.ts';
import { identityOf, type Queryable } from './stored/stored-tree.ts';

/** A log that an instance locked, and the sessions that may hold the lock. */
export interface LogLock {
  readonly logId: string;
  /** Their server processes. */
  readonly pids: readonly number[];
  /** What they had written. */
  readonly end?: { readonly size: number; readonly root: Buffer };
}

// The log of a killed process stays locked until the server has noticed.
const waitMs = 1000;
// A process that is told to end does so at once, unless a disk holds it up.
const endMs = 10_000;
const pauseMs = 100;

/**
 * Locks an unlocked log that this key can sign for the lifetime of the session, with a session-level advisory lock that the
 * server releases when the connection ends. So two instances never write the same log. (If the lock were lost, the primary
 * keys would still reject the second of two groups.)
 *
 * @param before the lock of earlier sessions of this instance: they are ended, and that log is tried first
 * @returns undefined if there is none, or each is locked
 */
export async function acquireLog(
  session: Queryable,
  key: KeyObject,
  before: LogLock | undefined,
): Promise<LogIdentity | undefined> {
  if (before !== undefined) {
    await endSessions(session, before);
  }
  const deadline = performance.now() + waitMs;
  for (;;) {
    const logs = await logsOf(session, key, before?.logId);
    for (const log of logs) {
      if (await lockLog(session, log.logId)) {
        return log;
      }
    }
    if (logs.length === 0 || performance.now() > deadline) {
      return undefined;
    }
    await pause(pauseMs);
  }
}

/**
 * Ends the sessions that hold this lock, and waits until they have let go: the server may not know yet that they were lost,
 * and would commit what they had begun.
 */
export async function endSessions(session: Queryable, { logId, pids }: LogLock): Promise<void> {
  const deadline = performance.now() + endMs;
  for (;;) {
    const { rows } = await session.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and pid = any($1) and (classid::bigint << 32) + objid::bigint = $2`,
      [pids, lockOf(logId)],
    );
    if (rows.length === 0 || performance.now() > deadline) {
      return;
    }
    await pause(pauseMs);
  }
}

/** The logs of the database that this key can sign, oldest first but for the wanted one. */
export async function logsOf(db: Queryable, key: KeyObject, wanted = ''): Promise<LogIdentity[]> {
  const { rows } = await db.query(
    `select log_id, origin, verifier_key from audit.audit_log where right(verifier_key, 44) = $1
     order by log_id = $2 desc, created_at_us`,
    [formatVerifierKey(verifierKey('any', key)).slice(-44), wanted],
  );
  return rows
    .map(identityOf)
    .filter(
      ({ logId, origin, verifierKey: text }) =>
        /^[0-9a-f]{12}$/u.test(logId) &&
        origin.endsWith(`/audit/${logId}`) &&
        text === formatVerifierKey(verifierKey(origin, key)),
    );
}

/** Whether the log was not locked by another session, and is by this one now. */
export async function lockLog(session: Queryable, logId: string): Promise<boolean> {
  const { rows } = await session.query('select pg_try_advisory_lock($1::bigint) as taken', [
    lockOf(logId),
  ]);
  return rows[0]?.['taken'] === true;
}

/** Advisory lock key: `Cg` and the 48 bits of the log id. */
function lockOf(logId: string): string {
  return BigInt(`0x4367${logId}`).toString();
}
