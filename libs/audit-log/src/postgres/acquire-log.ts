import type { KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { LogKeys, VerifierKey, type LogIdentity } from '../note/checkpoint.ts';
import { identityOf, type Queryable } from './stored/stored-tree.ts';

export interface LogLock {
  readonly logId: string;
  readonly pids: readonly number[];
  /** The durable end when the lock was held. */
  readonly end?: { readonly size: number; readonly root: Buffer };
}

export interface OwnLog extends LogIdentity {
  readonly keys: LogKeys;
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
): Promise<OwnLog | undefined> {
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

/** The logs that this key signs or signed, the wanted one first, then oldest first. */
export async function logsOf(db: Queryable, key: KeyObject, wanted = ''): Promise<OwnLog[]> {
  const { rows } = await db.query(
    `select l.log_id, l.origin, l.verifier_key, c.note from audit.audit_log l left join lateral (
       select note from audit.audit_checkpoint where log_id = l.log_id order by size desc limit 1
     ) as c on true
     where right(l.verifier_key, 44) = $2 or c.note like E'%\\n— %\\n— %' -- which names keys
     order by l.log_id = $1 desc, l.created_at_us`,
    [wanted, VerifierKey.of('any', key).text.slice(-44)],
  );
  return rows.flatMap((row) => {
    const log = identityOf(row);
    if (!isNamed(log)) {
      return [];
    }
    const keys = LogKeys.named(log, (row['note'] as string | null) ?? undefined);
    return keys.has(VerifierKey.of(log.origin, key)) ? [{ ...log, keys }] : [];
  });
}

/** Whether its names fit each other: whoever writes to the database can write any. */
export function isNamed({ logId, origin, verifierKey }: LogIdentity): boolean {
  try {
    return (
      /^[0-9a-f]{12}$/u.test(logId) &&
      origin.endsWith(`/audit/${logId}`) &&
      VerifierKey.parse(verifierKey).name === origin
    );
  } catch {
    return false;
  }
}

export async function lockLog(session: Queryable, logId: string): Promise<boolean> {
  const { rows } = await session.query('select pg_try_advisory_lock($1::bigint) as taken', [
    lockOf(logId),
  ]);
  return rows[0]?.['taken'] === true;
}

/** @throws while another session holds it */
export async function waitForLog(session: Queryable, logId: string): Promise<void> {
  const deadline = performance.now() + endMs;
  while (!(await lockLog(session, logId))) {
    if (performance.now() > deadline) {
      throw new Error(`Another session holds log ${logId}`);
    }
    await pause(pauseMs);
  }
}

export async function unlockLog(session: Queryable, logId: string): Promise<void> {
  await session.query('select pg_advisory_unlock($1::bigint)', [lockOf(logId)]);
}

/** Advisory lock key: `Cg` and the 48 bits of the log id. */
function lockOf(logId: string): string {
  return BigInt(`0x4367${logId}`).toString();
}
