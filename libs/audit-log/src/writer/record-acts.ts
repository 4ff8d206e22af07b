import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { nodeDisk } from '../disk/node-disk.ts';
import { requireText } from '../entry/record-text.ts';
import { AuditUnavailableError, keyUnsure, NoAuditLogError } from '../errors.ts';
import { logPaths } from '../folder/layout.ts';
import { openLocked } from '../folder/locked-log.ts';
import { readLogFile } from '../folder/log-file.ts';
import { LogRefusedError, refused } from '../folder/log-refused.ts';
import type { LogWriter } from '../folder/log-writer.ts';
import { VerifierKey, type LogIdentity } from '../note/checkpoint.ts';
import { sendActs, type ActRequest } from './act-socket.ts';
import type { AuditLogOptions } from './audit-log.ts';

export interface RecordActsOptions extends Pick<
  AuditLogOptions,
  'host' | 'busyTimeoutMs' | 'hadLog'
> {
  /** Whether to create a log in an existing folder. */
  readonly create?: boolean;
}

/** Time per attempt to get the lock before asking its holder again. */
const triesEveryMs = 100;

/**
 * Records acts and signs the log, through the process that is writing it or directly. Returns the checkpoint over them.
 *
 * @throws AuditLogError if a text is wrong (nothing is recorded), NoAuditLogError without a log or folder, LogRefusedError if a
 *   start refuses the log, or its writer neither ends nor listens, AuditUnavailableError if its writer may have recorded them
 */
export async function recordActs(
  dataDir: string,
  texts: readonly string[],
  options: RecordActsOptions = {},
): Promise<string> {
  texts.forEach(requireText);
  const folder = resolve(dataDir);
  const paths = logPaths(folder);
  const mayGoOn =
    options.create === true ? existsSync(folder) : [paths.log, paths.ownKey].some(existsSync);
  if (!mayGoOn) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
  return await throughWriter(folder, { texts }, options, (log) => {
    log.append(texts);
    return log.checkpoint();
  });
}

/**
 * Replaces the signing key, through the process that is writing the log or directly. Returns the new public key.
 *
 * @throws AuditLogError if the new key can't be taken (nothing is changed), NoAuditLogError without a log, LogRefusedError as
 *   `recordActs`, AuditUnavailableError if either key may sign now
 */
export async function rotateKey(dataDir: string, actorId: string): Promise<string> {
  const folder = resolve(dataDir);
  if (!existsSync(logPaths(folder).log)) {
    throw new NoAuditLogError('This data folder has no audit log.');
  }
  const note = await throughWriter(folder, { rotate: actorId }, {}, (log) => {
    const next = log.nextKey();
    try {
      return log.rotateKey(next, actorId);
    } catch (error) {
      throw keyUnsure(error);
    }
  }).catch((error: unknown) => {
    throw error instanceof AuditUnavailableError && !error.isRefused ? keyUnsure(error) : error;
  });
  const { verifierKey } = readLogFile(nodeDisk, logPaths(folder)) as LogIdentity;
  return VerifierKey.parse(verifierKey).open(note).keys.current.text;
}

async function throughWriter(
  dataDir: string,
  request: ActRequest,
  options: RecordActsOptions,
  write: (log: LogWriter) => string,
): Promise<string> {
  const { busyTimeoutMs = 5000 } = options;
  const until = performance.now() + busyTimeoutMs;
  do {
    const note = (await sendActs(dataDir, request)) ?? writeIfFree(dataDir, options, write);
    if (note !== undefined) {
      return note;
    }
    // The lock's holder is starting or ending.
    await sleep(triesEveryMs);
  } while (performance.now() < until);
  throw refused('in_use');
}

function writeIfFree(
  dataDir: string,
  { hadLog, host }: RecordActsOptions,
  write: (log: LogWriter) => string,
): string | undefined {
  let opened;
  try {
    opened = openLocked({ host, dataDir, busyTimeoutMs: triesEveryMs, hadLog });
  } catch (error) {
    if (error instanceof LogRefusedError && error.kind === 'in_use') {
      return undefined;
    }
    throw error;
  }
  try {
    return write(opened.log);
  } finally {
    opened.close();
  }
}
