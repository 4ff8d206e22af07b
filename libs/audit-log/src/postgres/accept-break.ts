import { existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { ACCEPT_BREAK } from '../entry/log-operations.ts';
import { systemRecord } from '../entry/system-record.ts';
import { auditKeyFile, loadOrMakeKey } from '../note/audit-key.ts';
import { openSession, type SessionSettings } from './audit-session.ts';
import { keptFolder } from './kept-checkpoints.ts';
import { PostgresLog } from './postgres-log.ts';

/**
 * Goes on after a refused start, at a person's word: with a new key, and a new log whose records name the reason and the
 * logs that are there. The broken log stays as it is, and is found broken by each verification; the old key and the kept
 * checkpoints are set aside in the data folder. The service MUST be stopped.
 *
 * @returns the id of the new log
 * @throws the server's error; nothing is set aside then
 */
export async function acceptBreakOnPostgres(
  settings: SessionSettings,
  dataDir: string,
  { reason, actorId }: { readonly reason: string; readonly actorId: string },
): Promise<string> {
  const draft = join(dataDir, 'audit-key-next');
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  const session = await openSession(settings, () => undefined);
  try {
    const host = hostname();
    const log = await PostgresLog.open(session, loadOrMakeKey(draft), { host, serverId: host });
    const recordedAtUs = Date.now() * 1000;
    const entry = systemRecord({
      operation: ACCEPT_BREAK,
      actorId,
      dataCategory: 'audit',
      details: { reason },
    });
    await log.append([{ entry, recordedAtUs }]);
    await log.checkpoint();
    setAside(dataDir, log.identity.logId);
    // Replaces the old key in one step: what comes before it leaves a start refused, as it was.
    renameSync(join(draft, auditKeyFile), join(dataDir, auditKeyFile));
    return log.identity.logId;
  } finally {
    rmSync(draft, { recursive: true, force: true });
    await session.close();
  }
}

/** @param by id of the log that follows, which names what is set aside */
function setAside(dataDir: string, by: string): void {
  const key = join(dataDir, auditKeyFile);
  if (existsSync(key)) {
    linkSync(key, join(dataDir, `audit-key.before-${by}.pem`));
  }
  const kept = join(dataDir, keptFolder);
  if (existsSync(kept)) {
    renameSync(kept, join(dataDir, `${keptFolder}.before-${by}`));
  }
}
