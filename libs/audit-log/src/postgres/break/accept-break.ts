import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nodeDisk } from '../../disk/node-disk.ts';
import { ACCEPT_BREAK, ownText } from '../../entry/record-text.ts';
import type { OnRecords } from '../../log/log-source.ts';
import { AuditLogError } from '../../errors.ts';
import { auditKeyFile, loadOrMakeKey, signingKeyElsewhere } from '../../note/audit-key.ts';
import type { VerifierKey } from '../../note/checkpoint.ts';
import { openSession, type AuditSession, type WriteSettings } from '../audit-session.ts';
import { KeptCheckpoints } from '../kept-checkpoints.ts';
import { PostgresLog } from '../postgres-log.ts';
import { settledKey } from '../settled-key.ts';
import { beginFinish, breakFolder, finishBreak, isBreakPending, takeKey } from './finish-break.ts';
import { lostLogs } from './lost-logs.ts';

interface Acceptance {
  readonly reason: string;
  readonly actorId: string;
  /** The public key of the log, kept elsewhere; default: that of the signing key in the data folder. */
  readonly publicKey?: VerifierKey;
  readonly onProgress?: OnRecords;
}

/**
 * Begins a log under a new key after a refused start, sets the old key and the kept checkpoints aside, and returns the new id.
 * The broken log stays in the database. If it is interrupted, run it again.
 *
 * @throws AuditLogError if there is nothing to accept, or the key is in use; the server's error
 */
export async function acceptBreakOnPostgres(
  settings: WriteSettings,
  dataDir: string,
  acceptance: Acceptance,
): Promise<string> {
  const folder = resolve(dataDir);
  if (signingKeyElsewhere() !== undefined) {
    throw new AuditLogError(
      'The signing key is kept outside the data folder: begin a new log by a new data folder and a new key. The refused log stays in the database.',
    );
  }
  const lock = takeKey(folder);
  try {
    if (!isBreakPending(nodeDisk, folder)) {
      const session = await openSession(settings, () => undefined);
      try {
        beginFinish(nodeDisk, folder, await recordBreak(session, folder, acceptance));
      } finally {
        await session.close();
      }
    }
    return finishBreak(nodeDisk, folder);
  } finally {
    lock.release();
  }
}

async function recordBreak(
  session: AuditSession,
  folder: string,
  { reason, actorId, publicKey, onProgress }: Acceptance,
): Promise<string> {
  const { refusal, oldKey, logs } = await lostLogs(session, {
    key: existsSync(join(folder, auditKeyFile)) ? await settledKey(session, folder) : undefined,
    publicKey,
    onProgress,
    kept: new KeptCheckpoints(folder),
  });
  const draft = join(folder, breakFolder);
  nodeDisk.makeFolder(draft);
  nodeDisk.syncFolder(folder);
  const log = await PostgresLog.open(session, loadOrMakeKey(draft));
  const details = {
    reason,
    refusal,
    ...(oldKey !== undefined && { old_public_key: oldKey }),
    ...(logs !== '' && { old_logs: logs }),
  };
  await log.append([ownText({ operation: ACCEPT_BREAK, actor_id: actorId, details })]);
  await log.checkpoint();
  return log.identity.logId;
}
