import type { Command } from 'commander';
import { type PersonKey, uuidBytes } from '@caregate/data-store';
import { OperatorError } from '@caregate/data-store/errors';
import { dataCommand, uuid } from '../command.ts';

export interface PersonOptions {
  readonly team: string;
  readonly user: string;
}

export function personSubcommand(name: string, summary: string): Command {
  return dataCommand(name, summary)
    .requiredOption('--team <uuid>', 'team of the person', uuid)
    .requiredOption('--user <uuid>', 'user id of the person', uuid);
}

export function personKey({ team, user }: PersonOptions): PersonKey {
  const none = Buffer.alloc(0);
  return { team_id: uuidBytes(team) ?? none, user_id: uuidBytes(user) ?? none };
}

/** Returns the same error for an unknown person and for one of another team. */
export function noSuchPerson({ team, user }: PersonOptions): OperatorError {
  return new OperatorError(`Team ${team} has no person ${user}.`, 2);
}
