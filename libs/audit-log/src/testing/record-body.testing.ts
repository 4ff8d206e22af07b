import { auditEntry } from './audit-entry.testing.ts';
import type { AuditEntry } from '../entry/audit-entry.ts';
import { auditBody } from '../entry/body.ts';
import { parseBody, type RecordBody } from '../entry/record-body.ts';

/** A record of a read that was allowed, with these fields changed: through the log's own text, so that no name drifts. */
export function recordBody(changes: Partial<RecordBody> = {}): RecordBody {
  const place = {
    logId: '0a1b2c3d4e5f',
    seq: 7,
    recordedAtUs: Date.UTC(2026, 2, 1, 9, 30) * 1000,
    serverId: 'health.example.org',
  };
  const entry: AuditEntry = auditEntry();
  return { ...parseBody(auditBody(entry, place).body), ...changes };
}
