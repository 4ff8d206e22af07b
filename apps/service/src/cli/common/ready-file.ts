import { OperatorError } from '@caregate/data-store/errors';
import { writeDurably } from '../../files/write-durably.ts';
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Ready {
  readonly base_url: string;
  readonly team_id: string | null;
  readonly data?: string;
  /** API keys by label. Empty for `serve`, whose store has only their hashes. */
  readonly keys: Readonly<Record<string, string>>;
  /** IDs with data for all reads; null for `serve`. */
  readonly sample: Sample | null;
  readonly identity_provider?: {
    readonly issuer: string;
    readonly people: readonly {
      readonly subject: string;
      readonly name: string;
      readonly role: string;
    }[];
    readonly enrolment_code: string;
  };
}

export interface Sample {
  readonly user_id: string;
  readonly client_user_id: string;
  readonly order_id: string;
}

/** Removes the file now and on exit. @throws OperatorError if its folder is missing */
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

/** Writes the file atomically. Only its owner can read it, since it may contain API keys. */
export async function writeReadyFile(
  file: string,
  ready: Ready | { readonly mllp: string },
): Promise<void> {
  await writeDurably(file, `${JSON.stringify(ready, null, 2)}\n`);
}
