import type { KeyObject } from 'node:crypto';
import { resolve } from 'node:path';
import { nodeDisk } from '../disk/node-disk.ts';
import { logPaths } from '../folder/layout.ts';
import { signingKey } from '../folder/log-key.ts';
import { SigningKey } from '../folder/signing-key.ts';
import { loadOrMakeKey } from '../note/audit-key.ts';
import { LogKeys, VerifierKey } from '../note/checkpoint.ts';
import { logsOf, unlockLog, waitForLog } from './acquire-log.ts';
import { requireStandby } from './audit-session.ts';
import type { LogSession } from './postgres-log.ts';
import type { Queryable } from './stored/stored-tree.ts';

/** The key that signs: the next one if `rotate-key` was committed and then interrupted. */
export async function settledKey(session: LogSession, dataDir: string): Promise<KeyObject> {
  const paths = logPaths(resolve(dataDir));
  const key = loadOrMakeKey(dataDir);
  const next = signingKey(nodeDisk.read(paths.nextKey) ?? Buffer.alloc(0));
  if (next === undefined) {
    return key;
  }
  const signing = new SigningKey(nodeDisk, paths);
  const settle = async (one: KeyObject): Promise<KeyObject> => {
    await confirmAll(session);
    signing.settle(LogKeys.of(VerifierKey.of('', one)));
    return one;
  };
  if (await hasTurned(session, next)) {
    return await settle(next);
  }
  const logs = await logsOf(session, key);
  // Outside the data folder the next key may be there before the command runs, or be of another database.
  if (paths.key !== paths.ownKey || logs.length === 0) {
    return key;
  }
  // Waits until no session can commit the change.
  for (const { logId } of logs) {
    await waitForLog(session, logId);
    await unlockLog(session, logId);
  }
  return await settle((await hasTurned(session, next)) ? next : key);
}

/** What is seen here may be on this machine alone: a commit that was cut off while it waited for the standby. */
async function confirmAll(session: LogSession): Promise<void> {
  if (session.replicated === true) {
    await session.query(`select pg_logical_emit_message(true, 'caregate', '')`);
    await requireStandby(session);
  }
}

async function hasTurned(session: Queryable, next: KeyObject): Promise<boolean> {
  const logs = await logsOf(session, next);
  return logs.some(({ keys, origin }) =>
    keys.current.bytes.equals(VerifierKey.of(origin, next).bytes),
  );
}
