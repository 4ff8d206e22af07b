import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packSortedUuids } from '../record.ts';
import type { Members, RecordText } from '../record.ts';

export const teamId = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
export const userIds: readonly string[] = [
  '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
  '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  '6fa459ea-ee8a-4ca4-894e-db77e160355e',
];

/** The columns that the service searches by. */
export const members: Members = {
  time: 'recorded_at_us',
  texts: ['team_id', 'actor_id', 'operation', 'decision'],
  ids: { one: 'patient', many: 'patients' },
};

export function auditText(changes: Readonly<Record<string, unknown>> = {}): RecordText {
  const { patients = userIds.slice(0, 1), ...more } = changes;
  const packed = Array.isArray(patients) ? (packSortedUuids(patients as string[]) ?? patients) : [];
  const before = { actor_id: 'front-desk-1', decision: 'allowed', operation: 'resolveUser' };
  const after = { team_id: teamId, ...more };
  const start = Object.entries(before).filter(([name]) => !(name in more));
  return [
    `${JSON.stringify({ ...Object.fromEntries(start), patients: packed }).slice(0, -1)},"recorded_at_us":`,
    `,${JSON.stringify(after).slice(1)}`,
  ];
}

export async function inFolder<T>(body: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-audit-'));
  try {
    return await body(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
