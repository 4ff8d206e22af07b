import type { Command } from 'commander';
import { idBytes, type PersonKey } from '@caregate/data-store';
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
  return { team_id: idBytes(team), user_id: idBytes(user) };
}

/** Returns the same error for an unknown person and for one of another team. */
export function noSuchPerson({ team, user }: PersonOptions): OperatorError {
  return new OperatorError(`Team ${team} has no person ${user}.`, 2);
}
