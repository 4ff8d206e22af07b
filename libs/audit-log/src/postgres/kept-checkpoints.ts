import { readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeDurably } from '../disk/write-durably.ts';
import { AuditBrokenError, BadCheckpointError } from '../errors.ts';
import {
  openCheckpoint,
  parseCheckpoint,
  type Checkpoint,
  type LogIdentity,
  type VerifierKey,
} from '../note/checkpoint.ts';
import { parseNote } from '../note/signed-note.ts';
import { hasTree, readSize, type Queryable } from './stored/stored-tree.ts';

/** Folder, in the data folder of an instance, of the newest checkpoint of each log that it wrote. */
export const keptFolder = 'audit-kept';

/** Whether checkpoints can be kept now, and a sentence without data. */
export type KeptChange = (isKept: boolean, message: string) => void;

/** The newest checkpoint of a log that is kept. */
interface KeptNote {
  readonly logId: string;
  readonly note: string;
}

/** Where the newest cosigned checkpoint of a log is kept. */
export function witnessedFile(dataDir: string, logId: string): string {
  return join(resolve(dataDir), keptFolder, `${logId}.witnessed`);
}

/**
 * The newest checkpoint of each log that was written with the key of a data folder, kept beside the key: what somebody with
 * all rights in the database, but none over the data folder, cannot take back.
 */
export class KeptCheckpoints {
  readonly folder: string;
  readonly #onChange: KeptChange;
  #isFailing = false;
  readonly #waiting = new Map<string, string>();
  #writing: Promise<void> | undefined;

  /**
   * @param dataDir the data folder, with the key
   * @param onChange called when checkpoints cannot be kept, once, and when they can be again
   */
  constructor(dataDir: string, onChange: KeptChange = () => undefined) {
    this.folder = join(dataDir, keptFolder);
    this.#onChange = onChange;
  }

  /** Keeps a checkpoint instead of the one before it. Resolves when it is durable, or cannot be kept. */
  async keep(logId: string, note: string): Promise<void> {
    this.#waiting.set(logId, note);
    this.#writing ??= this.#write();
    await this.#writing;
  }

  /** Resolves when nothing is being kept any more: a log that was closed leaves its folder alone. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      for (const [logId, note] of this.#waiting) {
        this.#waiting.delete(logId);
        await writeDurably(join(this.folder, logId), note);
      }
      this.#changed(true, `Checkpoints of the audit log are kept in ${this.folder} again`);
    } catch (error) {
      // The record is in the log all the same; the checkpoint before this one still proves what it covers.
      const { code = 'unknown error' } = error as NodeJS.ErrnoException;
      this.#changed(
        false,
        `The checkpoint of the audit log cannot be kept in ${this.folder} (${code}): a start would not notice a log that was cut back behind the one kept before`,
      );
    } finally {
      this.#writing = undefined;
    }
  }

  #changed(isKept: boolean, message: string): void {
    if (this.#isFailing === isKept) {
      this.#isFailing = !isKept;
      this.#onChange(isKept, message);
    }
  }

  /**
   * Checks that each log has what its kept checkpoint covers.
   *
   * @param keyOf the public key of the log of this name; undefined where it is in none of `logs`
   * @param logs those of the database
   * @throws AuditBrokenError if a log is missing, shorter or another one
   */
  async check(
    db: Queryable,
    keyOf: (origin: string) => VerifierKey | undefined,
    logs: readonly LogIdentity[],
  ): Promise<void> {
    for (const one of this.notes()) {
      await this.checkOne(db, one, { keyOf, logs });
    }
  }

  /** The same for one of them. */
  async checkOne(
    db: Queryable,
    { logId, note }: KeptNote,
    {
      keyOf,
      logs,
    }: {
      readonly keyOf: (origin: string) => VerifierKey | undefined;
      readonly logs: readonly LogIdentity[];
    },
  ): Promise<void> {
    const file = join(this.folder, logId);
    const isThere = logs.some((one) => one.logId === logId);
    const kept = opened(file, note, keyOf(note.slice(0, note.indexOf('\n'))));
    const size = isThere ? await readSize(db, logId) : 0;
    if (!isThere || size < kept.size) {
      throw new AuditBrokenError(
        'truncated',
        `Log ${logId} has ${size} records in the database, and had ${kept.size} (${file})`,
        size,
      );
    }
    if (!(await hasTree(db, logId, kept))) {
      throw new AuditBrokenError(
        'forked',
        `The first ${kept.size} records of log ${logId} are not those of ${file}`,
      );
    }
  }

  /** All that are kept; none where there is no such folder. */
  notes(): KeptNote[] {
    return this.#ids().map((logId) => ({
      logId,
      note: readFileSync(join(this.folder, logId), 'utf8'),
    }));
  }

  #ids(): string[] {
    try {
      return readdirSync(this.folder)
        .filter((name) => /^[0-9a-f]{12}$/u.test(name))
        .toSorted();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return [];
      }
      throw error;
    }
  }
}

/** @throws AuditBrokenError if this key did not sign it */
function opened(file: string, note: string, key: VerifierKey | undefined): Checkpoint {
  try {
    return key === undefined ? parseCheckpoint(parseNote(note).text) : openCheckpoint(note, key);
  } catch (error) {
    throw error instanceof BadCheckpointError
      ? new AuditBrokenError('bad_signature', `${file} is not signed by the key of its data folder`)
      : error;
  }
}
