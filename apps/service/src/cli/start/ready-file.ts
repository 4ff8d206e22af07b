import { OperatorError } from '../../config/operator-error.ts';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** What a script needs in order to use a service that is ready. */
export interface Ready {
  readonly base_url: string;
  /** The demo's team; null for `serve`, which may serve many. */
  readonly team_id: string | null;
  /** Keys by their labels; none for `serve`: the store has only their hashes. */
  readonly keys: Readonly<Record<string, string>>;
  /** Someone with data in all five operations; null for `serve`, which names nobody. */
  readonly sample: Sample | null;
}

export interface Sample {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly order_id: string;
}

/** Written whole or not at all, for its owner alone, since it may hold keys. */
export function writeReadyFile(file: string, ready: Ready): void {
  const unfinished = `${file}.${process.pid}.tmp`;
  const handle = openSync(unfinished, 'wx', 0o600);
  try {
    writeSync(handle, `${JSON.stringify(ready, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  try {
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/**
 * Begins a start: a file that an earlier run left is removed, since nobody is ready yet, and at the process's end this
 * run's own is.
 *
 * @throws OperatorError where the file's folder is missing, before any work is done
 */
export function prepareReadyFile(file: string): void {
  if (!existsSync(dirname(file))) {
    throw new OperatorError(`The folder for the ready file ${file} does not exist.`, 2);
  }
  const remove = (): void => {
    rmSync(file, { force: true });
  };
  remove();
  process.on('exit', remove);
}
