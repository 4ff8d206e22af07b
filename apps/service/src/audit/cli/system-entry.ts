import { userInfo } from 'node:os';
import type { AuditEntry } from '../audit-entry.ts';
import { systemRecord } from '../system-record.ts';

/** A record of what someone did at this machine's command line, by their name on it. */
export function commandEntry(
  operation: string,
  details: Readonly<Record<string, string | number>>,
): AuditEntry {
  return systemRecord({
    actorId: `command line: ${userName()}`,
    operation,
    dataCategory: 'audit',
    details,
  });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
