import {
  AUDIT_DECISIONS,
  toQueryInstant,
  isCalendarDate,
  isDateTime,
  type AuditDecision,
} from '@caregate/domain';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { RecordFilter } from '../../audit/audit-record.ts';
import { parseUuid } from '../command.ts';

export interface FilterFlags {
  readonly from?: string;
  readonly to?: string;
  readonly patient?: string;
  readonly team?: string;
  readonly actor?: string;
  readonly operation?: string;
  readonly decision?: AuditDecision;
}

export function withFilter(command: Command): Command {
  return command
    .option('--from <date>', 'only records from this date or date-time on', parseDate)
    .option('--to <date>', 'only records up to this date or date-time', parseDate)
    .option('--patient <uuid>', 'only records about this user', parseUuid)
    .option('--team <uuid>', 'only records of this team', parseUuid)
    .option('--actor <id>', 'only records of this key or person')
    .option('--operation <name>', 'only this operation, e.g. labOrderResult')
    .addOption(new Option('--decision <decision>', 'only this outcome').choices(AUDIT_DECISIONS));
}

export function readFilter({
  from,
  to,
  patient,
  team,
  actor,
  operation,
  decision,
}: FilterFlags): RecordFilter {
  return {
    ...{ about: patient, team, actor, decision },
    operations: operation === undefined ? undefined : [operation],
    fromUs: from === undefined ? undefined : toQueryInstant(from, 'start'),
    toUs: to === undefined ? undefined : toQueryInstant(to, 'end'),
  };
}

export function describeFilter(flags: FilterFlags): Readonly<Record<string, string>> {
  const names = ['from', 'to', 'patient', 'team', 'actor', 'operation', 'decision'] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = flags[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function parseDate(text: string): string {
  if (!isCalendarDate(text) && !isDateTime(text)) {
    throw new InvalidArgumentError('Expected a date such as 2026-01-31, or a date-time.');
  }
  return text;
}
