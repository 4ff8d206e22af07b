import { randomBytes, type KeyObject } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { formatVerifierKey, signCheckpoint, verifierKey } from '../log/checkpoint.ts';
import { emptyRoot } from '../log/tree.ts';
import type { Queryable } from './stored-tree.ts';

export interface AcquiredLog {
  readonly logId: string;
  readonly origin: string;
  readonly verifierKey: string;
}

/** A locked log, and the server process of the session that locked it. */
export interface LogLock {
  readonly logId: string;
  readonly pid: number;
}

// The log of a killed process stays locked until the server has noticed.
const waitMs = 1000;
const pauseMs = 100;

/**
 * Locks an unlocked log that this key can sign, or creates one, for the lifetime of the session, with a session-level
 * advisory lock that the server releases when the connection ends. So two instances never write the same log. (If the lock
 * were lost, the primary key of `audit_event` would still reject the second of two records.)
 *
 * @param before the lock of an earlier session of this instance: that log is tried first, and that session is terminated,
 * since it may still be waiting on the server
 */
export async function acquireLog(
  session: Queryable,
  key: KeyObject,
  { host, before }: { readonly host: string; readonly before: LogLock | undefined },
): Promise<AcquiredLog> {
  if (before !== undefined) {
    await session.query(
      `select pg_terminate_backend(pid) from pg_locks
       where locktype = 'advisory' and pid = $1 and (classid::bigint << 32) + objid::bigint = $2`,
      [before.pid, lockOf(before.logId)],
    );
  }
  const deadline = performance.now() + waitMs;
  for (;;) {
    const logs = await logsOf(session, key, before?.logId);
    for (const log of logs) {
      if (await lock(session, log.logId)) {
        return log;
      }
    }
    if (logs.length === 0 || performance.now() > deadline) {
      return await makeLog(session, key, host);
    }
    await pause(pauseMs);
  }
}

async function logsOf(
  session: Queryable,
  key: KeyObject,
  wanted: string | undefined,
): Promise<AcquiredLog[]> {
  const { rows } = await session.query(
    `select log_id, origin, verifier_key from audit.audit_log where right(verifier_key, 44) = $1
     order by log_id = $2 desc, created_at_us`,
    [formatVerifierKey(verifierKey('any', key)).slice(-44), wanted ?? ''],
  );
  return rows
    .map((row) => ({
      logId: row['log_id'] as string,
      origin: row['origin'] as string,
      verifierKey: row['verifier_key'] as string,
    }))
    .filter((log) => log.verifierKey === formatVerifierKey(verifierKey(log.origin, key)));
}

async function makeLog(session: Queryable, key: KeyObject, host: string): Promise<AcquiredLog> {
  const logId = randomBytes(6).toString('hex');
  if (!(await lock(session, logId))) {
    throw new Error('The new log is locked by another instance');
  }
  const origin = `${host}/audit/${logId}`;
  const verifier = formatVerifierKey(verifierKey(origin, key));
  const note = signCheckpoint({ origin, size: 0, root: emptyRoot }, key);
  await session.query(
    `with log as (
       insert into audit.audit_log (log_id, origin, verifier_key, created_at_us) values ($1, $2, $3, $4)
     ), head as (
       insert into audit.audit_head (log_id, size, root) values ($1, 0, $5)
     )
     insert into audit.audit_checkpoint (log_id, size, note) values ($1, 0, $6)`,
    [logId, origin, verifier, Date.now() * 1000, emptyRoot, note],
  );
  return { logId, origin, verifierKey: verifier };
}

async function lock(session: Queryable, logId: string): Promise<boolean> {
  const { rows } = await session.query('select pg_try_advisory_lock($1::bigint) as taken', [
    lockOf(logId),
  ]);
  return rows[0]?.['taken'] === true;
}

/** Advisory lock key: `Cg` and the 48 bits of the log id. */
function lockOf(logId: string): string {
  return BigInt(`0x4367${logId}`).toString();
}
