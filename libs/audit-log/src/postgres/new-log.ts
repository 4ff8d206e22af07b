import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { KeyObject } from 'node:crypto';
import { nodeDisk } from '../disk/node-disk.ts';
import { writeWhole } from '../disk/whole-file.ts';
import { NEW_LOG, ownText } from '../entry/record-text.ts';
import { AuditBrokenError, AuditLogError } from '../errors.ts';
import { archiveName, type NewLog, type NewLogOptions } from '../folder/new-log.ts';
import { auditKeyFile, loadOrMakeKey, signingKeyElsewhere } from '../note/audit-key.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { lockLog, logsOf, type OwnLog } from './acquire-log.ts';
import { archivedLogs } from './archived-logs.ts';
import { openSession, type AuditSession, type WriteSettings } from './audit-session.ts';
import { KeptCheckpoints, keptFolder } from './kept-checkpoints.ts';
import { takeKey } from './key-lock.ts';
import { checkKept, PostgresLog } from './postgres-log.ts';
import { seenText } from './seen-logs.ts';
import { settledKey } from './settled-key.ts';
import { PostgresLogReader } from './stored/log-reader.ts';
import { verifyEnd } from './verify-end.ts';

/**
 * Begins a log under a new key, whose second record names the logs of the old one: they stay in the tables, as they are. The old
 * key and the kept checkpoints go to `audit.broken-<time>`. If it is interrupted, run it again.
 *
 * @throws AuditLogError if the logs are whole, or the key is in use; the server's error
 */
export async function newLogOnPostgres(
  settings: WriteSettings,
  dataDir: string,
  options: NewLogOptions,
): Promise<NewLog> {
  const folder = resolve(dataDir);
  if (signingKeyElsewhere() !== undefined) {
    throw new AuditLogError(
      'The signing key is kept outside the data folder: begin a new log by a new data folder and a new key. The broken log stays in the database.',
    );
  }
  const lock = takeKey(folder);
  try {
    const session = await openSession(settings, () => undefined);
    try {
      const log = await beginLog(session, folder, options);
      return { ...log, archive: archiveKey(folder) };
    } finally {
      await session.close();
    }
  } finally {
    lock.release();
  }
}

async function beginLog(
  session: AuditSession,
  folder: string,
  { actorId, reason, onProgress }: NewLogOptions,
): Promise<Omit<NewLog, 'archive'>> {
  const hasKey = nodeDisk.read(join(folder, auditKeyFile)) !== undefined;
  const key = hasKey ? await settledKey(session, folder) : undefined;
  const logs = key === undefined ? [] : await logsOf(session, key);
  for (const { logId } of logs) {
    if (!(await lockLog(session, logId))) {
      throw new AuditLogError(
        `An instance is writing log ${logId}. Stop it, and run this command again.`,
      );
    }
  }
  const kept = new KeptCheckpoints(folder);
  const refusal = await refusalOf(session, { key, kept, logs }, onProgress);
  const earlier = key === undefined ? [] : await archivedLogs(session, VerifierKey.of('', key));
  const notes = kept.notes();
  const archived = new Set([...earlier, ...[...logs, ...notes].map(({ logId }) => logId)]);
  const checkpoints = notes.flatMap(({ logId, note }) => {
    const signed = key && VerifierKey.of(note.split('\n', 1)[0] ?? '', key).tryOpen(note);
    return signed === undefined ? [] : [{ logId, size: signed.size, root: signed.root }];
  });
  const draft = join(folder, 'audit.new');
  nodeDisk.makeFolder(draft);
  const log = await PostgresLog.open(session, loadOrMakeKey(draft));
  const details = {
    reason,
    refusal,
    archived: [...archived].join(' '),
    checkpoints: seenText(checkpoints),
  };
  await log.append([ownText({ operation: NEW_LOG, actor_id: actorId, details })]);
  await log.checkpoint();
  return { logId: log.identity.logId, publicKey: log.verifierKey };
}

/** The key first: with the new one, a start refuses the checkpoints of the old one. */
function archiveKey(folder: string): string {
  const archive = join(folder, archiveName());
  const [draft, keyFile] = [join(folder, 'audit.new'), join(folder, auditKeyFile)];
  nodeDisk.makeFolder(archive);
  const oldKey = nodeDisk.read(keyFile);
  if (oldKey !== undefined) {
    writeWhole(nodeDisk, join(archive, auditKeyFile), oldKey);
  }
  nodeDisk.rename(join(draft, auditKeyFile), keyFile);
  if (nodeDisk.list(join(folder, keptFolder)).length > 0) {
    nodeDisk.rename(join(folder, keptFolder), join(archive, keptFolder));
  }
  nodeDisk.syncFolder(folder);
  rmSync(draft, { recursive: true });
  return archive;
}

interface Refused {
  readonly key: KeyObject | undefined;
  readonly kept: KeptCheckpoints;
  readonly logs: readonly OwnLog[];
}

/** What a start says, or a verification of all records. */
async function refusalOf(
  session: AuditSession,
  { key, kept, logs }: Refused,
  onProgress: NewLogOptions['onProgress'],
): Promise<string> {
  if (key === undefined) {
    return 'The signing key is missing';
  }
  try {
    await checkKept(session, key, kept);
    for (const log of logs) {
      await verifyEnd(session, log, key);
      await new PostgresLogReader(session, log).requireRecords(onProgress);
    }
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      return error.message;
    }
    throw error;
  }
  throw new AuditLogError('The audit log is whole: there is no reason to begin another.');
}
