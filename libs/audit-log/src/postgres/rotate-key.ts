import { resolve } from 'node:path';
import { nodeDisk } from '../disk/node-disk.ts';
import { AuditLogError, keyUnsure } from '../errors.ts';
import { logPaths } from '../folder/layout.ts';
import { requireKeyElsewhere } from '../folder/log-key.ts';
import { SigningKey } from '../folder/signing-key.ts';
import { loadKey } from '../note/audit-key.ts';
import { LogKeys, VerifierKey } from '../note/checkpoint.ts';
import { lockLog, logsOf } from './acquire-log.ts';
import { openSession, type WriteSettings } from './audit-session.ts';
import { takeKey } from './key-lock.ts';
import { KeptCheckpoints } from './kept-checkpoints.ts';
import { checkKept, PostgresLog } from './postgres-log.ts';
import { settledKey } from './settled-key.ts';

/**
 * Replaces the key of the data folder in all its logs, in one commit. Returns a public key for each log.
 *
 * @throws AuditLogError while an instance or a command uses the key, or if a new key outside the folder can't be taken; nothing
 *   is changed. AuditBrokenError if a log is not as it was left. AuditUnavailableError if the commit is not confirmed: either key
 *   may sign, and the next start settles it
 */
export async function rotateKeyOnPostgres(
  settings: WriteSettings,
  dataDir: string,
  actorId: string,
): Promise<string[]> {
  const folder = resolve(dataDir);
  const lock = takeKey(folder);
  try {
    const paths = logPaths(folder);
    requireKeyElsewhere(nodeDisk, paths);
    if (loadKey(paths.key) === undefined) {
      throw new AuditLogError('This data folder has no signing key.');
    }
    const session = await openSession(settings, () => undefined);
    try {
      const key = await settledKey(session, folder);
      const kept = new KeptCheckpoints(folder);
      await checkKept(session, key, kept);
      const logs = await logsOf(session, key);
      const [one] = logs;
      if (one === undefined) {
        throw new AuditLogError('The key of this data folder has signed no log in this database.');
      }
      for (const { logId } of logs) {
        if (!(await lockLog(session, logId))) {
          throw new AuditLogError(
            `An instance is writing log ${logId}. Stop it, and run this command again.`,
          );
        }
      }
      const signing = new SigningKey(nodeDisk, paths);
      const next = signing.next(one.keys);
      await session.query('begin');
      const rotated: PostgresLog[] = [];
      for (const { logId } of logs) {
        const log = await PostgresLog.open(session, key, { before: { logId, pids: [] } });
        await log.rotateKey(next, actorId);
        rotated.push(log);
      }
      try {
        await session.query('commit');
        for (const log of rotated) {
          await kept.keep(log.identity.logId, await log.checkpoint());
        }
        const keys = rotated.map(({ verifierKey }) => verifierKey);
        signing.settle(LogKeys.of(VerifierKey.parse(keys[0] ?? '')));
        return keys;
      } catch (error) {
        throw keyUnsure(error);
      }
    } finally {
      await session.close();
    }
  } finally {
    lock.release();
  }
}
