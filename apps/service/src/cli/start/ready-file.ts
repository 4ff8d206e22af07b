import { OperatorError } from '../../config/operator-error.ts';
import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Content of the ready file, for scripts. */
export interface Ready {
  readonly base_url: string;
  /** Team of the demo; null for `serve`. */
  readonly team_id: string | null;
  /** Data folder of the demo, for commands beside it. */
  readonly data?: string;
  /** Keys by label; empty for `serve`, whose store has only hashes. */
  readonly keys: Readonly<Record<string, string>>;
  /** A user with data for the five operations of the interface document; null for `serve`. */
  readonly sample: Sample | null;
  /** Of a demo whose people sign in at an identity provider. */
  readonly identity_provider?: {
    readonly issuer: string;
    readonly fingerprint: string;
    /** Enrols one desk within ten minutes. */
    readonly enrolment_code: string;
  };
}

export interface Sample {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly order_id: string;
}

/** Writes the file atomically, readable only by its owner, since it may contain keys. */
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
 * Removes a ready file of an earlier run, and that of this run on exit.
 *
 * @throws OperatorError if the folder of the file is missing
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
