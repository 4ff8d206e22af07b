import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type LogIdentity, VerifierKey } from '../note/checkpoint.ts';
import { identityOf, type Queryable } from './stored/stored-tree.ts';

export interface LogLock {
  readonly logId: string;
  readonly pids: readonly number[];
  /** The durable end when the lock was held. */
  readonly end?: { readonly size: number; readonly root: Buffer };
}

// A killed process holds the lock until the server notices.
const waitMs = 1000;
// A terminated process ends at once unless a disk delays it.
const endMs = 10_000;
const pauseMs = 100;

/**
 * Ends the sessions of `before` and tries its log first; undefined if no log of this key is free. The server releases the lock
 * with the connection; if it were lost, the primary keys would still reject the second of two groups.
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

/** Terminates the sessions that hold the lock and waits until it is free: they could still commit. */
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

/** The logs that this key signs, the wanted one first, then oldest first. */
export async function logsOf(db: Queryable, key: KeyObject, wanted = ''): Promise<LogIdentity[]> {
  const { rows } = await db.query(
    `select log_id, origin, verifier_key from audit.audit_log where right(verifier_key, 44) = $1
     order by log_id = $2 desc, created_at_us`,
    [VerifierKey.of('any', key).text.slice(-44), wanted],
  );
  return rows
    .map(identityOf)
    .filter(
      ({ logId, origin, verifierKey: text }) =>
        /^[0-9a-f]{12}$/u.test(logId) &&
        origin.endsWith(`/audit/${logId}`) &&
        text === VerifierKey.of(origin, key).text,
    );
}

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
