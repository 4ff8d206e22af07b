import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditEntry } from '../entry/audit-entry.ts';

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

export async function inFolder<T>(body: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Resolves once it holds. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
