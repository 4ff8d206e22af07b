import { InvalidArgumentError, Option, type Command } from 'commander';
import { openFolderCuts } from '../../audit/retention/folder-cuts.ts';
import { openPostgresCuts } from '../../audit/retention/postgres-cuts.ts';
import type { CutStore } from '../../audit/retention/cut-store.ts';
import type { RetentionTerms } from '../../audit/retention/retention.ts';
import { readConfig } from '../../config/read-config.ts';
import { ADMIN_KEY } from './secret-input.ts';
import type { PassphraseFlag } from './approver-key-files.ts';
import type { Told } from '../start/run-command.ts';
import { auditWork, onDatabase } from './audit-work.ts';

export interface DataFlag {
  /** Always there without a database. */
  readonly data: string;
  readonly log?: string;
}

/** Flags of what an approver signs. */
export type KeyFlags = DataFlag & PassphraseFlag & { readonly key: string };

/** Runs a command on what retention needs of the log. */
export async function cutWork(
  { data, log }: DataFlag,
  work: (store: CutStore) => Promise<Told>,
): Promise<void> {
  await auditWork((progress) =>
    onDatabase(
      async (pool, url) =>
        closing(
          await openPostgresCuts(pool, { url, dataDir: data, logId: log }, progress.draw),
          work,
        ),
      () => closing(openFolderCuts(data, progress.draw), work),
    ),
  );
}

async function closing(store: CutStore, work: (store: CutStore) => Promise<Told>): Promise<Told> {
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export function termsOf({ data }: DataFlag): RetentionTerms {
  // This variable is not a setting of the service.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([variable]) => variable !== ADMIN_KEY),
  );
  return { years: readConfig(env, { dataDir: data }).auditRetentionYears };
}

/** Adds --key and --passphrase-fd. */
export function withKey(command: Command): Command {
  return withPassphrase(
    command.requiredOption(
      '--key <file>',
      'private key of the approver, as made by `audit approver create`',
    ),
  );
}

export function withPassphrase(command: Command): Command {
  return command.addOption(
    new Option(
      '--passphrase-fd <number>',
      'read the passphrase from this file descriptor instead of the terminal',
    ).argParser((text) => {
      if (!/^\d{1,4}$/u.test(text)) {
        throw new InvalidArgumentError('Expected the number of a file descriptor, such as 3.');
      }
      return Number(text);
    }),
  );
}

export function lines(found: readonly string[], none: string): string {
  return `${found.length === 0 ? none : found.join('\n')}\n`;
}
