import type { Command } from 'commander';
import { type PersonEraser, type PersonKey, uuidBytes } from '@caregate/data-store';
import { OperatorError } from '../../config/operator-error.ts';
import { readDatabaseUrl } from '../../config/read-config.ts';
import { base, uuid, type Common } from '../start/access-command.ts';
import { CommandLog } from '../start/command-log.ts';
import { withEraser } from '../start/with-eraser.ts';

export interface PersonOptions extends Common {
  readonly team: string;
  readonly user: string;
}

export function ofPerson(name: string, summary: string): Command {
  return base(name, summary)
    .requiredOption('--team <uuid>', 'team of the person', uuid)
    .requiredOption('--user <uuid>', 'user id of the person', uuid);
}

export function keyOfPerson(team: string, user: string): PersonKey {
  const none = Buffer.alloc(0);
  return { team_id: uuidBytes(team) ?? none, user_id: uuidBytes(user) ?? none };
}

/** The same for a person of another team. */
export function noSuchPerson({ team, user }: PersonOptions): OperatorError {
  return new OperatorError(`Team ${team} has no person ${user}.`, 2);
}

/** The store of a command, and the log in which it is recorded. @throws OperatorError before anything is created */
export async function withStoreAndLog<T>(
  data: string | undefined,
  work: (store: PersonEraser, log: CommandLog) => Promise<T>,
): Promise<T> {
  const log = CommandLog.of(data);
  const where = { dataDir: log.dataDir, databaseUrl: readDatabaseUrl(process.env) };
  return await withEraser(where, (store) => work(store, log));
}
