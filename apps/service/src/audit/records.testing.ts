import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseRecord, toRecordText, type AuditEntry, type AuditRecord } from './audit-record.ts';

export const teamId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
export const userIds: readonly string[] = [
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
  '6fa459ea-ee8a-4ca4-894e-db77e160355e',
];

export function auditEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    team_id: teamId,
    actor_type: 'key',
    actor_id: 'front-desk-1',
    role: 'clinician',
    key_id: 'AbCdEf012345',
    operation: 'resolveUser',
    data_category: 'user',
    decision: 'allowed',
    http_status: 200,
    purpose_of_use: 'TREAT',
    record_count: 1,
    request_id: '0b7e2a52-6a4e-4a53-9d8c-5a8f6d3f6b11',
    client_ip: '192.0.2.7',
    policy_version: '1',
    patients: [userIds[0] as string],
    ...changes,
  };
}

/**
 * Returns the record of an allowed read, with these fields replaced. It is parsed from the record's own text, so that
 * the names are real.
 */
export function recordBody(changes: Partial<AuditRecord> = {}): AuditRecord {
  const place = { logId: '0a1b2c3d4e5f', seq: 7 };
  const text = formatRecord(auditEntry(), { serverId: 'health.example.org' });
  return { ...parseRecord(text, place), ...changes };
}

/** Returns the text of a record as the log writes it at this time. */
export function formatRecord(
  entry: AuditEntry,
  { serverId, atMs = Date.UTC(2026, 2, 1, 9, 30) }: { serverId?: string; atMs?: number } = {},
): string {
  return toRecordText(entry, serverId).join(String(atMs * 1000));
}

/** Returns all records of a log, except the one with which every log begins, in order. */
export function bodiesIn(dataDir: string): AuditRecord[] {
  const db = new DatabaseSync(join(dataDir, 'audit.db'), { readOnly: true, timeout: 30_000 });
  try {
    const logId = String(db.prepare('select log_id from audit_log').get()?.['log_id']);
    return db
      .prepare('select seq, body from audit_record order by seq')
      .all()
      .map(({ seq, body }) => parseRecord(String(body), { logId, seq: Number(seq) }))
      .filter(({ operation }) => operation !== 'openAuditLog');
  } finally {
    db.close();
  }
}

/** Changes the tables of a log without its writer. */
export function editLog(dataDir: string, sql: string): void {
  const db = new DatabaseSync(join(dataDir, 'audit.db'), { timeout: 30_000 });
  try {
    const triggers = db.prepare(`select name, sql from sqlite_schema where type = 'trigger'`).all();
    const drop = triggers.map(({ name }) => `drop trigger ${String(name)};`).join('');
    const restore = triggers.map(({ sql: text }) => `${String(text)};`).join('');
    db.exec(`begin immediate; ${drop} ${sql}; ${restore} commit`);
  } finally {
    db.close();
  }
}

export function bodyAt(dataDir: string, number: number): AuditRecord {
  return bodiesIn(dataDir).find(({ seq }) => seq === number) as AuditRecord;
}
