import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireText } from '../entry/record-text.ts';
import { NoAuditLogError } from '../errors.ts';
import { logPaths } from '../folder/layout.ts';
import { openLocked } from '../folder/locked-log.ts';
import { LogRefusedError, refused } from '../folder/log-refused.ts';
import { sendActs } from './act-socket.ts';
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
 *   start refuses the log, or its writer neither ends nor listens
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
  const { busyTimeoutMs = 5000 } = options;
  const until = performance.now() + busyTimeoutMs;
  do {
    const note = (await sendActs(folder, texts)) ?? writeIfFree(folder, texts, options);
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
  texts: readonly string[],
  options: RecordActsOptions,
): string | undefined {
  let opened;
  try {
    const { hadLog, host } = options;
    opened = openLocked({ host, dataDir, busyTimeoutMs: triesEveryMs, hadLog });
  } catch (error) {
    if (error instanceof LogRefusedError && error.kind === 'in_use') {
      return undefined;
    }
    throw error;
  }
  const { log } = opened;
  try {
    log.append(texts);
    return log.checkpoint();
  } finally {
    opened.close();
  }
}
