import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AuditLogError } from '@caregate/audit-log';
import type { ServiceConfig } from '../../config/service-config.ts';
import { errorCode } from '../../config/operator-error.ts';
import { openLog } from '../offline/open-log.ts';
import { readIfThere } from './kept-note.ts';

/** How long a start waits for the other disk. */
const READ_WITHIN_MS = 10_000;

const ofCopy = '.checkpoint';
const ofPlace = '.folder';

/** Beside the copy of a log's checkpoint: which data folder of which machine has the log. */
export function placeFile(folder: string, logId: string): string {
  return join(folder, `${logId}${ofPlace}`);
}

/** A data folder, as told from all others that share a folder of copies. */
export function placeOf(dataDir: string): string {
  return `${hostname()} ${resolve(dataDir)}\n`;
}

interface CopiedLog {
  readonly logId: string;
  readonly file: string;
  readonly origin: string;
  readonly records: number;
  /** Undefined for a copy from before this was kept. */
  readonly place: string | undefined;
}

/**
 * Requires that the folder of checkpoint copies, which several services may share, has no copy of another log of this data
 * folder: that log was deleted, with whatever stood in its place. To be called before a log is begun. A folder of copies that
 * cannot be read is a warning.
 *
 * @throws AuditLogError
 */
export async function requireNoOtherCopy(
  { checkpointCopy: folder, dataDir, databaseUrl }: ServiceConfig,
  logger: Logger,
): Promise<void> {
  if (folder === '' || databaseUrl !== '') {
    return;
  }
  const logId = logIdOf(dataDir);
  let others: CopiedLog[];
  try {
    const slow = delay(READ_WITHIN_MS, undefined, { ref: false }).then(() => {
      throw Object.assign(new Error('slow'), { code: 'ETIMEDOUT' });
    });
    const all = await Promise.race([copiesIn(folder), slow]);
    others = all.filter((one) => one.logId !== logId);
    const isKnown = others.length < all.length;
    const unknown = isKnown ? [] : others.filter(isOfThisMachine);
    if (unknown.length > 0) {
      logger.warn(
        { logs: unknown.map(({ origin }) => origin) },
        'the folder of checkpoint copies has none of this audit log, and copies of others of this machine: if one of them is of this data folder, its log was deleted',
      );
    }
  } catch (error) {
    logger.warn(
      { code: errorCode(error), path: folder },
      'the folder of checkpoint copies cannot be read',
    );
    return;
  }
  const before = others.find(({ place }) => place === placeOf(dataDir));
  if (before !== undefined) {
    throw new AuditLogError(
      `The checkpoint copy ${before.file} is of another audit log of this data folder, with ${before.records} records: that log was deleted or replaced. The service was not started. Put it back. If this is intended (the folder was emptied on purpose, or a break was accepted and a new log begun), move that file to another place, keep it as evidence of what is missing, and start again.`,
    );
  }
}

function isOfThisMachine({ place, origin }: CopiedLog): boolean {
  return place === undefined && origin.startsWith(`${hostname()}/audit/`);
}

/** Undefined if there is none, or it is refused for another reason, which a start tells. */
function logIdOf(dataDir: string): string | undefined {
  try {
    const log = openLog(dataDir);
    log.close();
    return log.identity().logId;
  } catch {
    return undefined;
  }
}

async function copiesIn(folder: string): Promise<CopiedLog[]> {
  const all = await readdir(folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') {
      return [];
    }
    throw error;
  });
  const names = all.filter((name) => /^[0-9a-f]{12}\.checkpoint$/u.test(name));
  return await Promise.all(
    names.map(async (name) => {
      const logId = name.slice(0, -ofCopy.length);
      const file = join(folder, name);
      const [origin = '', size] = ((await readIfThere(file)) ?? '').split('\n');
      const place = await readIfThere(placeFile(folder, logId));
      return { logId, file, origin, records: Number(size ?? 0), place };
    }),
  );
}
