import { readFileSync, readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../disk/write-durably.ts';
import { AuditBrokenError, BadCheckpointError } from '../errors.ts';
import { parseCheckpoint, type Checkpoint, type LogIdentity } from '../note/checkpoint.ts';
import { requireTree, type Queryable } from './stored/stored-tree.ts';

export const keptFolder = 'audit-kept';

/** What opens the checkpoints of a log, by its name; undefined if it is not known. */
type KeyOf = (origin: string) => { open(note: string): Checkpoint } | undefined;

export type KeptChange = (isKept: boolean, message: string) => void;

interface KeptNote {
  readonly logId: string;
  readonly note: string;
}

/** The newest checkpoint of each log of a key, kept beside the key: an administrator of the database can't roll them back. */
export class KeptCheckpoints {
  readonly folder: string;
  readonly #onChange: KeptChange;
  #isFailing = false;
  readonly #waiting = new Map<string, string>();
  #writing: Promise<void> | undefined;

  /** @param onChange called when checkpoints can't be kept, once, and when they can be again */
  constructor(dataDir: string, onChange: KeptChange = () => undefined) {
    this.folder = join(dataDir, keptFolder);
    this.#onChange = onChange;
  }

  /** Keeps a checkpoint in place of the previous one. Resolves when it is durable or can't be kept. */
  async keep(logId: string, note: string): Promise<void> {
    this.#waiting.set(logId, note);
    this.#writing ??= this.#write();
    await this.#writing;
  }

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
      // The record is durable all the same, and the previous checkpoint still proves what it covers.
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

  /** @throws AuditBrokenError if a log is missing, shorter or another one */
  async check(db: Queryable, keyOf: KeyOf, logs: readonly LogIdentity[]): Promise<void> {
    for (const one of this.notes()) {
      await this.checkOne(db, one, { keyOf, logs });
    }
  }

  async checkOne(
    db: Queryable,
    { logId, note }: KeptNote,
    {
      keyOf,
      logs,
    }: {
      readonly keyOf: KeyOf;
      readonly logs: readonly LogIdentity[];
    },
  ): Promise<void> {
    const file = join(this.folder, logId);
    const isThere = logs.some((one) => one.logId === logId);
    const kept = opened(file, note, keyOf(note.slice(0, note.indexOf('\n'))));
    if (!isThere) {
      throw new AuditBrokenError(
        'truncated',
        `Log ${logId} has 0 records in the database, and had ${kept.size} (${file})`,
        0,
      );
    }
    await requireTree(db, { logId, size: kept.size, root: kept.root }, file);
  }

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

function opened(file: string, note: string, key: ReturnType<KeyOf>): Checkpoint {
  try {
    return key === undefined
      ? parseCheckpoint(note.slice(0, note.indexOf('\n\n') + 1))
      : key.open(note);
  } catch (error) {
    throw error instanceof BadCheckpointError
      ? new AuditBrokenError('bad_signature', `${file} is not signed by the key of its data folder`)
      : error;
  }
}
