import { LogReader } from '@caregate/audit-log';
import type { AuditEntry } from './audit-entry.ts';
import { parseRecord, type RecordBody } from './record-body.ts';
import { recordText } from './record-text.ts';

export const teamId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
export const userIds: readonly string[] = [
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
  '6fa459ea-ee8a-4ca4-894e-db77e160355e',
];

/** A record of a read that was allowed, with these fields of it changed. */
export function auditEntry(changes: Partial<AuditEntry> = {}): AuditEntry {
  return {
    teamId,
    actorType: 'key',
    actorId: 'front-desk-1',
    role: 'clinician',
    keyId: 'AbCdEf012345',
    sessionId: null,
    operation: 'resolveUser',
    dataCategory: 'user',
    decision: 'allowed',
    reasonCode: null,
    httpStatus: 200,
    purposeOfUse: 'TREAT',
    breakGlassId: null,
    orderId: null,
    recordCount: 1,
    requestId: '0b7e2a52-6a4e-4a53-9d8c-5a8f6d3f6b11',
    clientIp: '192.0.2.7',
    deviceId: null,
    policyVersion: '1',
    patients: [userIds[0] as string],
    ...changes,
  };
}

/** A record of a read that was allowed, with these fields changed: through its own text, so that no name drifts. */
export function recordBody(changes: Partial<RecordBody> = {}): RecordBody {
  const origin = { atMs: Date.UTC(2026, 2, 1, 9, 30), serverId: 'health.example.org' };
  const place = { logId: '0a1b2c3d4e5f', seq: 7 };
  return { ...parseRecord(recordText(auditEntry(), origin), place), ...changes };
}

/** All records of a log, in order. */
export function bodiesIn(dataDir: string): RecordBody[] {
  const reader = LogReader.open(dataDir);
  try {
    const { logId } = reader.identity();
    return Array.from({ length: reader.size() }, (_, seq) =>
      parseRecord(String(reader.entry(seq).subarray(16)), { logId, seq }),
    );
  } finally {
    reader.close();
  }
}

/** One record of a log. */
export function bodyAt(dataDir: string, seq: number): RecordBody {
  return bodiesIn(dataDir)[seq] as RecordBody;
}
