import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { AuditLogError, AuditUnavailableError, readLogId } from '@caregate/audit-log';
import { writeDurably } from '../../files/write-durably.ts';
import type { Logger } from 'pino';
import { errorCode } from '../../config/operator-error.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import type { AuditTrail } from '../trail/audit-trail.ts';
import { requireExtends } from './require-extends.ts';

const READ_WITHIN_MS = 10_000;
const EVERY_MS = 5000;
const LAST_COPY_WITHIN_MS = 1000;

interface CopiedLog {
  readonly trail: AuditTrail;
  readonly logId: string;
  readonly logger: Logger;
}

/**
 * Copies the checkpoint every few seconds, if the log has grown. A failure is one warning and a metric; a hanging share delays
 * nothing. `<log id>.folder` names the machine and the data folder.
 */
export class CheckpointCopy {
  readonly path: string;
  readonly #folderFile: string;
  readonly #dataDir: string;
  readonly #trail: AuditTrail;
  readonly #logger: Logger;
  #timer: NodeJS.Timeout | undefined;
  #written: string | undefined;
  #copying: Promise<void> | undefined;
  #isFailing = false;

  private constructor(folder: string, dataDir: string, { trail, logId, logger }: CopiedLog) {
    this.path = join(folder, `${logId}.checkpoint`);
    this.#folderFile = join(folder, `${logId}.folder`);
    this.#dataDir = dataDir;
    this.#trail = trail;
    this.#logger = logger;
  }

  /** Undefined without a folder. @throws AuditLogError if the log does not extend the copy that is there */
  static async open(
    { checkpointCopy: folder, dataDir }: Pick<ServiceConfig, 'checkpointCopy' | 'dataDir'>,
    log: CopiedLog,
  ): Promise<CheckpointCopy | undefined> {
    if (folder === '') {
      return undefined;
    }
    const copy = new CheckpointCopy(folder, dataDir, log);
    const copied = await copy.#read();
    if (copied !== undefined) {
      await requireExtends(log.trail, copied, `The checkpoint copy ${copy.path}`);
    }
    return copy;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  start(): void {
    void this.copyNow();
    this.#timer = setInterval(() => void this.copyNow(), EVERY_MS).unref();
  }

  /** Never rejects. While a copy is under way, it is that one. */
  copyNow(): Promise<void> {
    this.#copying ??= this.#copy().finally(() => {
      this.#copying = undefined;
    });
    return this.#copying;
  }

  /** Copies the last checkpoint: call it while the log is still open. A hanging share delays it by a second. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    const last = this.copyNow().then(() => this.copyNow());
    await Promise.race([last, delay(LAST_COPY_WITHIN_MS, undefined, { ref: false })]);
  }

  /** Undefined if there is none, or it cannot be read, which is a warning. */
  async #read(): Promise<string | undefined> {
    try {
      return await inTime(readIfThere(this.path));
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  async #copy(): Promise<void> {
    try {
      const note = await this.#trail.checkpoint();
      if (note === this.#written) {
        return;
      }
      await writeDurably(this.path, note);
      if (this.#written === undefined) {
        await writeDurably(this.#folderFile, folderName(this.#dataDir));
      }
      this.#written = note;
      if (this.#isFailing) {
        this.#isFailing = false;
        this.#logger.info('checkpoints are copied again');
      }
    } catch (error) {
      // A log that cannot be written reports that itself.
      if (!(error instanceof AuditUnavailableError)) {
        this.#failed(error);
      }
    }
  }

  #failed(error: unknown): void {
    if (!this.#isFailing) {
      this.#isFailing = true;
      this.#logger.warn(
        { code: errorCode(error), path: this.path },
        'the checkpoint of the audit log cannot be copied; it will be tried again',
      );
    }
  }
}

/** A copy of another log of this data folder: that log was deleted. Call it before a log is created. @throws AuditLogError */
export async function requireNoOtherCopy(
  { checkpointCopy: folder, dataDir, databaseUrl }: ServiceConfig,
  logger: Logger,
): Promise<void> {
  if (folder === '' || databaseUrl !== '') {
    return;
  }
  const other = await inTime(findOtherCopy(folder, dataDir)).catch((error: unknown) => {
    const message = 'the folder of checkpoint copies cannot be read';
    logger.warn({ code: errorCode(error), path: folder }, message);
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
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    if (name !== own && /^[0-9a-f]{12}\.folder$/u.test(name)) {
      const file = join(folder, name.replace('.folder', '.checkpoint'));
      const note = await readIfThere(file);
      if (note !== undefined && (await readIfThere(join(folder, name))) === folderName(dataDir)) {
        return { file, records: note.split('\n')[1] ?? '0' };
      }
    }
  }
  return undefined;
}

function folderName(dataDir: string): string {
  return `${hostname()} ${resolve(dataDir)}\n`;
}

async function readIfThere(path: string): Promise<string | undefined> {
  return await unlessMissing(readFile(path, 'utf8'));
}

async function unlessMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}

export async function inTime<T>(reading: Promise<T>): Promise<T> {
  const slow = delay(READ_WITHIN_MS, undefined, { ref: false }).then(() => {
    throw Object.assign(new Error('slow'), { code: 'ETIMEDOUT' });
  });
  return await Promise.race([reading, slow]);
}
