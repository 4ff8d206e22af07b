import type { Command } from 'commander';
import { toIdBytes, type PersonKey } from '@caregate/data-store';
import { OperatorError } from '@caregate/data-store/errors';
import { buildDataCommand, parseUuid } from '../command.ts';

export interface PersonOptions {
  readonly team: string;
  readonly user: string;
}

export function buildPersonCommand(name: string, summary: string): Command {
  return buildDataCommand(name, summary)
    .requiredOption('--team <uuid>', 'team of the person', parseUuid)
    .requiredOption('--user <uuid>', 'user id of the person', parseUuid);
}

export function toPersonKey({ team, user }: PersonOptions): PersonKey {
  return { team_id: toIdBytes(team), user_id: toIdBytes(user) };
}

/** Returns the same error for an unknown person and for one of another team. */
export function createUnknownPersonError({ team, user }: PersonOptions): OperatorError {
  return new OperatorError(`Team ${team} has no person ${user}.`, 2);
}
