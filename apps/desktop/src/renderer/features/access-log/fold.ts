import type { AuditRow } from '../../../shared/audit.ts';

type Group = readonly [AuditRow, ...AuditRow[]];

export const isSearch = ({ operation, decision }: AuditRow): boolean =>
  operation === 'searchPeople' && decision === 'allowed';

const minuteOf = ({ occurredAt }: AuditRow): number => Math.floor(Date.parse(occurredAt) / 60_000);

/** The searches that somebody made within one minute, with nothing between them, are one group; every other record is its own. */
export function foldedSearches(rows: readonly AuditRow[]): readonly Group[] {
  const groups: [AuditRow, ...AuditRow[]][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last !== undefined && isSameMinute(last[0], row)) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

function isSameMinute(one: AuditRow, other: AuditRow): boolean {
  return (
    isSearch(one) &&
    isSearch(other) &&
    one.actor.id === other.actor.id &&
    one.desk === other.desk &&
    minuteOf(one) === minuteOf(other)
  );
}
