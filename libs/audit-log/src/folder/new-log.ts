import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { nodeDisk } from '../disk/node-disk.ts';
import { writeWhole } from '../disk/whole-file.ts';
import { NEW_LOG, ownText } from '../entry/record-text.ts';
import { AuditBrokenError, AuditLogError, NoAuditLogError } from '../errors.ts';
import type { OnRecords } from '../log/log-source.ts';
import { auditKeyFile } from '../note/audit-key.ts';
import { VerifierKey } from '../note/checkpoint.ts';
import { logPaths, type LogPaths } from './layout.ts';
import { lockFolder } from './lock/folder-lock.ts';
import { signingKey } from './log-key.ts';
import { LogReader } from './log-reader.ts';
import { LogRefusedError, type Refusal } from './log-refused.ts';
import { LogWriter, type LogWriterOptions } from './log-writer.ts';

export interface NewLogOptions {
  readonly actorId: string;
  readonly reason: string;
  readonly onProgress?: OnRecords;
}

export interface NewLog {
  readonly logId: string;
  readonly publicKey: string;
  /** The folder with what is set aside. */
  readonly archive: string;
}

const prefix = 'audit.broken-';

/** `audit.broken-20261122T094600123Z`. */
export function archiveName(): string {
  return prefix + new Date().toISOString().replaceAll(/[-:.]/gu, '');
}

/**
 * Renames the folder of a broken log to `audit.broken-<time>`, copies its key there, and begins a log under a new key, whose first
 * record names all archives. After an interruption starts are refused until it is run again.
 *
 * @throws AuditLogError if the log is whole, NoAuditLogError without a log, LogRefusedError while a process writes it
 */
export async function newLog(
  dataDir: string,
  {
    actorId,
    reason,
    onProgress,
    ...options
  }: NewLogOptions & Pick<LogWriterOptions, 'host' | 'hadLog'>,
): Promise<NewLog> {
  const paths = logPaths(resolve(dataDir));
  const refusal = await refusalOf(paths, options.hadLog, onProgress);
  const name = archiveName();
  const archive = join(paths.data, name);
  const earlier = readdirSync(paths.data).filter((entry) => entry.startsWith(prefix));
  const draft = logPaths(join(paths.data, 'audit.new'));
  rmSync(draft.data, { recursive: true, force: true });
  nodeDisk.makeFolder(draft.data);
  const log = new LogWriter({ disk: nodeDisk, dataDir: draft.data, host: options.host });
  const archived = [...earlier, name].toSorted().join(' ');
  const details = { reason, archived, ...lastCheckpoint(paths) };
  log.append([ownText({ operation: NEW_LOG, actor_id: actorId, reason_code: refusal, details })]);
  log.checkpoint();
  log.close();
  nodeDisk.rename(paths.audit, archive);
  const oldKey = nodeDisk.read(paths.ownKey);
  if (oldKey !== undefined) {
    writeWhole(nodeDisk, join(archive, auditKeyFile), oldKey);
  }
  nodeDisk.rename(draft.audit, paths.audit);
  if (existsSync(draft.ownKey)) {
    nodeDisk.rename(draft.ownKey, paths.ownKey);
  }
  nodeDisk.syncFolder(paths.data);
  rmSync(draft.data, { recursive: true });
  return { logId: log.identity.logId, publicKey: log.verifierKey, archive };
}

/** Why a start refuses the log; `altered` if a record that no start reads is not the one that was signed. */
async function refusalOf(
  paths: LogPaths,
  hadLog: string | undefined,
  onProgress: OnRecords | undefined,
): Promise<Refusal> {
  if (hadLog === undefined && ![paths.audit, paths.ownKey].some((path) => existsSync(path))) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
  nodeDisk.makeFolder(paths.audit);
  const lock = lockFolder(paths, 500);
  try {
    new LogWriter({ disk: nodeDisk, dataDir: paths.data, hadLog }).close();
    const log = LogReader.open(paths.data);
    try {
      await log.requireRecords(onProgress);
    } finally {
      log.close();
    }
  } catch (error) {
    if (error instanceof AuditBrokenError) {
      return 'altered';
    }
    // A key that is kept elsewhere is put right there; the log may be whole.
    if (error instanceof LogRefusedError && error.kind !== 'key_elsewhere') {
      return error.kind;
    }
    throw error;
  } finally {
    lock.release();
  }
  throw new AuditLogError('The audit log is whole: there is no reason to begin another.');
}

/** The newest checkpoint of the old log, if the key of the folder signed it. */
function lastCheckpoint(paths: LogPaths): Readonly<Record<string, string | number>> {
  const note = nodeDisk.read(paths.checkpoint)?.toString() ?? '';
  const own = signingKey(nodeDisk.read(paths.key) ?? Buffer.alloc(0));
  const checkpoint = own && VerifierKey.of(note.split('\n', 1)[0] ?? '', own).tryOpen(note);
  return checkpoint === undefined
    ? {}
    : {
        old_public_key: checkpoint.keys.current.text,
        checkpoint_size: checkpoint.size,
        checkpoint_root: checkpoint.root.toString('base64'),
      };
}
