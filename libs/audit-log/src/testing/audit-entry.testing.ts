import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packSortedUuids } from '../entry/packed-uuids.ts';
import type { IndexedMembers } from '../index-db/index-rows.ts';

export const teamId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
export const userIds: readonly string[] = [
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
  '6fa459ea-ee8a-4ca4-894e-db77e160355e',
];

export interface Members {
  readonly operation: string;
  readonly team_id: string | null;
  readonly decision: string;
  readonly patients: readonly string[];
  readonly [name: string]: unknown;
}

export const march: number = Date.UTC(2026, 2, 14, 9, 30);

/** The text of a record of a read that was allowed, with these members of it changed. */
export function auditEntry(changes: Partial<Members> = {}, atMs: number = march): string {
  const { patients = [userIds[0] as string], ...members } = changes;
  return JSON.stringify({
    actor_id: 'front-desk-1',
    actor_type: 'key',
    client_ip: '192.0.2.7',
    decision: 'allowed',
    details: {},
    http_status: 200,
    operation: 'resolveUser',
    patients: (Array.isArray(patients) && packSortedUuids(patients)) || patients,
    record_count: 1,
    recorded_at_us: atMs * 1000,
    request_id: '0b7e2a52-6a4e-4a53-9d8c-5a8f6d3f6b11',
    role: 'clinician',
    server_id: 'clinic.example',
    team_id: teamId,
    ...members,
  });
}

export const indexedMembers: IndexedMembers = {
  time: 'recorded_at_us',
  texts: ['team_id', 'actor_id', 'operation', 'decision'],
  ids: 'patients',
};

export function parsed(text: string): Members {
  return JSON.parse(text) as Members;
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
