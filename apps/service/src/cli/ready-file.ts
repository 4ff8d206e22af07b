import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

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

/** Nobody is ready any more, or not yet: a file left by an earlier run would say otherwise. */
export function removeReadyFile(file: string): void {
  rmSync(file, { force: true });
}
