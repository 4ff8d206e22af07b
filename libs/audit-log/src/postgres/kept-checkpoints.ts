import type { KeyObject } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeDurably } from '../disk/write-durably.ts';
import { AuditBrokenError, BadCheckpointError } from '../errors.ts';
import {
  openCheckpoint,
  verifierKey,
  type Checkpoint,
  type LogIdentity,
} from '../note/checkpoint.ts';
import { hasTree, readSize, type Queryable } from './stored/stored-tree.ts';

/** Folder, in the data folder of an instance, of the newest checkpoint of each log that it wrote. */
export const keptFolder = 'audit-kept';

/** Where the newest cosigned checkpoint of a log is kept. */
export function witnessedFile(dataDir: string, logId: string): string {
  return join(resolve(dataDir), keptFolder, `${logId}.witnessed`);
}

/**
 * The newest checkpoint of each log that was written with the key of a data folder, kept beside the key: what somebody with
 * all rights in the database, but none over the data folder, cannot take back.
 */
export class KeptCheckpoints {
  readonly #folder: string;
  readonly #waiting = new Map<string, string>();
  #writing: Promise<void> | undefined;

  /** @param dataDir the data folder, with the key */
  constructor(dataDir: string) {
    this.#folder = join(dataDir, keptFolder);
  }

  /** Keeps a checkpoint instead of the one before it. Resolves when it is durable, or cannot be kept. */
  async keep(logId: string, note: string): Promise<void> {
    this.#waiting.set(logId, note);
    this.#writing ??= this.#write();
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      for (const [logId, note] of this.#waiting) {
        this.#waiting.delete(logId);
        await writeDurably(join(this.#folder, logId), note);
      }
    } catch {
      // The record is in the log all the same; the checkpoint before this one still proves what it covers.
    } finally {
      this.#writing = undefined;
    }
  }

  /**
   * Checks that each log of this key has what its kept checkpoint covers.
   *
   * @param ended ids of logs whose break was accepted
   * @throws AuditBrokenError if a log is missing, shorter or another one
   */
  async check(
    db: Queryable,
    {
      key,
      logs,
      ended,
    }: { key: KeyObject; logs: readonly LogIdentity[]; ended: ReadonlySet<string> },
  ): Promise<void> {
    for (const logId of this.#ids().filter((id) => !ended.has(id))) {
      const kept = this.#read(logId, key);
      const log = logs.find((one) => one.logId === logId);
      const size = log === undefined ? 0 : await readSize(db, logId);
      if (log === undefined || size < kept.size) {
        throw new AuditBrokenError(
          'truncated',
          `Log ${logId} has ${size} records in the database, and had ${kept.size} (${join(this.#folder, logId)})`,
          size,
        );
      }
      if (!(await hasTree(db, logId, kept))) {
        throw new AuditBrokenError(
          'forked',
          `The first ${kept.size} records of log ${logId} are not those of ${join(this.#folder, logId)}`,
        );
      }
    }
  }

  #read(logId: string, key: KeyObject): Checkpoint {
    const file = join(this.#folder, logId);
    const note = readFileSync(file, 'utf8');
    try {
      return openCheckpoint(note, verifierKey(note.slice(0, note.indexOf('\n')), key));
    } catch (error) {
      throw error instanceof BadCheckpointError
        ? new AuditBrokenError(
            'bad_signature',
            `${file} is not signed by the key of its data folder`,
          )
        : error;
    }
  }

  #ids(): string[] {
    try {
      return readdirSync(this.#folder).filter((name) => /^[0-9a-f]{12}$/u.test(name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return [];
      }
      throw error;
    }
  }
}
