import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type AuditEntry, verifierKey } from '@caregate/audit-log';
import { encoded, openWriter, teamId } from '@caregate/audit-log/testing';
import { AccessStore } from '../../access/access-store.ts';
import { unrecorded } from '../../access/access.testing.ts';
import { adminOf, enrol } from './approvers.ts';
import type { CutStore } from './cut-store.ts';

/** People who approve cuts, with their private keys. */
export const people = {
  dana: generateKeyPairSync('ed25519').privateKey,
  omar: generateKeyPairSync('ed25519').privateKey,
  ines: generateKeyPairSync('ed25519').privateKey,
} as const;

/** Writes a log whose records bear these dates. */
export function writeLog(
  folder: string,
  records: readonly { readonly entry: AuditEntry; readonly at: string | number }[],
): void {
  const log = openWriter(folder, { host: 'health.example.org' });
  for (const { entry, at } of records) {
    log.append([encoded(log, entry, new Date(at).getTime())]);
  }
  log.checkpoint();
  log.close();
}

/** A key of the role admin. */
export async function adminKey(folder: string, label: string): Promise<string> {
  const store = await AccessStore.open(folder, { acts: unrecorded });
  try {
    return (await store.keys.create({ teamId, role: 'admin', label })).key;
  } finally {
    await store.close();
  }
}

/** Enrols approvers as an admin does. */
export async function enrolAll(
  store: CutStore,
  folder: string,
  approvers: Readonly<Record<string, KeyObject>>,
): Promise<void> {
  const admin = await adminKey(folder, 'Ada Lindqvist');
  const access = await AccessStore.open(folder, { acts: unrecorded });
  for (const [name, key] of Object.entries(approvers)) {
    await enrol(store, verifierKey(name, key), () => adminOf(access, admin));
  }
  await access.close();
}
