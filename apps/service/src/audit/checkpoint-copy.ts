import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  AuditBrokenError,
  AuditLogError,
  AuditUnavailableError,
  BadCheckpointError,
  parseCheckpoint,
  readLogId,
} from '@caregate/audit-log';
import type { Logger } from 'pino';
import { getErrorCode } from '@caregate/data-store/errors';
import type { ServiceConfig } from '../config/service-config.ts';
import { writeDurably } from '../files/write-durably.ts';
import type { AuditTrail } from './trail/audit-trail.ts';

const READ_TIMEOUT_MS = 10_000;
const COPY_INTERVAL_MS = 5000;
const LAST_COPY_TIMEOUT_MS = 1000;
const LOG_INTERVAL_MS = 60_000;

interface CopiedLog {
  readonly trail: Pick<AuditTrail, 'getCheckpoint' | 'requireExtends'>;
  readonly logId: string;
  readonly logger: Logger;
}

/**
 * Writes new checkpoints to the service's log output every minute and, if a folder is configured, to a file there
 * every few seconds. A failure is logged once and sets a metric; an unresponsive network share delays nothing. The
 * file `<log id>.folder` names the machine and the data folder.
 */
export class CheckpointCopy {
  readonly path: string | undefined;
  readonly #folderFile: string;
  readonly #dataDir: string;
  readonly #log: CopiedLog;
  #copyTimer: NodeJS.Timeout | undefined;
  #logTimer: NodeJS.Timeout | undefined;
  #lastWritten: string | undefined;
  #loggedSize = 0;
  #copying: Promise<void> | undefined;
  #isFailing = false;

  private constructor(folder: string, dataDir: string, log: CopiedLog) {
    this.path = folder === '' ? undefined : join(folder, `${log.logId}.checkpoint`);
    this.#folderFile = join(folder, `${log.logId}.folder`);
    this.#dataDir = dataDir;
    this.#log = log;
  }

  /** @throws AuditLogError if the audit log doesn't extend the existing copy */
  static async open(
    { checkpointCopy: folder, dataDir }: Pick<ServiceConfig, 'checkpointCopy' | 'dataDir'>,
    log: CopiedLog,
  ): Promise<CheckpointCopy> {
    const copy = new CheckpointCopy(folder, dataDir, log);
    if (copy.path !== undefined) {
      await copy.#requireExtends(copy.path);
    }
    return copy;
  }

  /** Whether the last copy failed; null if no folder is configured. */
  get isFailing(): boolean | null {
    return this.path === undefined ? null : this.#isFailing;
  }

  start(): void {
    if (this.path !== undefined) {
      void this.copyNow();
      this.#copyTimer = setInterval(() => void this.copyNow(), COPY_INTERVAL_MS).unref();
    }
  }

  /** Call it once the service listens. Until then, the output only explains why the service didn't start. */
  startLogging(): void {
    this.#logTimer = setInterval(() => void this.writeToLog(), LOG_INTERVAL_MS).unref();
  }

  /** Copies the checkpoint, or waits for the copy in progress. Never rejects. */
  copyNow(): Promise<void> {
    this.#copying ??= this.#copy().finally(() => {
      this.#copying = undefined;
    });
    return this.#copying;
  }

  /** Never rejects. If the audit log can't be written, it reports that itself. */
  async writeToLog(): Promise<void> {
    const { trail, logger } = this.#log;
    const checkpoint = await trail.getCheckpoint().catch(() => undefined);
    const { size } = checkpoint === undefined ? { size: 0 } : parseCheckpoint(checkpoint);
    if (size > this.#loggedSize) {
      this.#loggedSize = size;
      logger.info({ checkpoint }, 'newest checkpoint of the audit log');
    }
  }

  /**
   * Writes the last checkpoint. Call it while the audit log is still open. An unresponsive network share delays it by
   * a second.
   */
  async close(): Promise<void> {
    clearInterval(this.#copyTimer);
    clearInterval(this.#logTimer);
    if (this.#logTimer !== undefined) {
      await this.writeToLog();
    }
    const last = this.copyNow().then(() => this.copyNow());
    await Promise.race([last, delay(LAST_COPY_TIMEOUT_MS, undefined, { ref: false })]);
  }

  /** Warns if the copy can't be read. @throws AuditLogError if the log was rolled back, truncated or changed */
  async #requireExtends(path: string): Promise<void> {
    const note = await withTimeout(readIfExists(path)).catch((error: unknown) => {
      this.#warn(error);
      return undefined;
    });
    if (note === undefined) {
      return;
    }
    const what = `The checkpoint copy ${path}`;
    try {
      await this.#log.trail.requireExtends({ ...parseCheckpoint(note), what });
    } catch (error) {
      if (error instanceof AuditBrokenError || error instanceof BadCheckpointError) {
        throw new AuditLogError(
          `${what} does not fit the audit log, which was rolled back to an earlier state, truncated or replaced: ${error.message}. The service was not started. If this is intended (a backup was restored), move that file to another place, keep it as evidence of what is missing, and start again.`,
          { cause: error },
        );
      }
      throw error;
    }
  }

  async #copy(): Promise<void> {
    try {
      const note = await this.#log.trail.getCheckpoint();
      if (this.path === undefined || note === this.#lastWritten) {
        return;
      }
      await writeDurably(this.path, note);
      if (this.#lastWritten === undefined) {
        await writeDurably(this.#folderFile, describeFolder(this.#dataDir));
      }
      this.#lastWritten = note;
      if (this.#isFailing) {
        this.#isFailing = false;
        this.#log.logger.info('checkpoints are copied again');
      }
    } catch (error) {
      // If the audit log can't be written, it reports that itself.
      if (!(error instanceof AuditUnavailableError)) {
        this.#warn(error);
      }
    }
  }

  #warn(error: unknown): void {
    if (!this.#isFailing) {
      this.#isFailing = true;
      this.#log.logger.warn(
        { code: getErrorCode(error), path: this.path },
        'the checkpoint of the audit log cannot be copied; it will be tried again',
      );
    }
  }
}

/**
 * Checks that there is no checkpoint copy of another log of this data folder, which would mean that the log was
 * deleted. Call it before a log is created. @throws AuditLogError
 */
export async function requireNoOtherCopy(
  { checkpointCopy: folder, dataDir, databaseUrl }: ServiceConfig,
  logger: Logger,
): Promise<void> {
  if (folder === '' || databaseUrl !== '') {
    return;
  }
  const other = await withTimeout(findOtherCopy(folder, dataDir)).catch((error: unknown) => {
    const message = 'the folder of checkpoint copies cannot be read';
    logger.warn({ code: getErrorCode(error), path: folder }, message);
    return undefined;
  });
  if (other !== undefined) {
    throw new AuditLogError(
      `The checkpoint copy ${other.file} is of another audit log of this data folder, with ${other.records} records: that log was deleted or replaced. The service was not started. Put it back. If this is intended (the folder was emptied on purpose, or caregate audit new-log began another log), move that file to another place, keep it as evidence of what is missing, and start again.`,
    );
  }
}

async function findOtherCopy(
  folder: string,
  dataDir: string,
): Promise<{ readonly file: string; readonly records: string } | undefined> {
  const own = `${readLogId(dataDir) ?? ''}.folder`;
  for (const name of (await ignoreMissing(readdir(folder))) ?? []) {
    if (name !== own && /^[0-9a-f]{12}\.folder$/u.test(name)) {
      const file = join(folder, name.replace('.folder', '.checkpoint'));
      const note = await readIfExists(file);
      if (
        note !== undefined &&
        (await readIfExists(join(folder, name))) === describeFolder(dataDir)
      ) {
        return { file, records: note.split('\n')[1] ?? '0' };
      }
    }
  }
  return undefined;
}

function describeFolder(dataDir: string): string {
  return `${hostname()} ${resolve(dataDir)}\n`;
}

async function readIfExists(path: string): Promise<string | undefined> {
  return await ignoreMissing(readFile(path, 'utf8'));
}

async function ignoreMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  return await reading.catch((error: unknown) => {
    if (getErrorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
}

export async function withTimeout<T>(reading: Promise<T>): Promise<T> {
  const slow = delay(READ_TIMEOUT_MS, undefined, { ref: false }).then(() => {
    throw Object.assign(new Error('slow'), { code: 'ETIMEDOUT' });
  });
  return await Promise.race([reading, slow]);
}
