import { join } from 'node:path';
import { AccessStore } from '../../access/access-store.ts';
import { migrate } from '../../database/sqlite/migrate.ts';
import { openRawSqlite, openSqlite } from '../../database/sqlite/open-sqlite.ts';
import { teamId } from '../audit.testing.ts';
import type { AuditEntry } from '../audit-entry.ts';
import { AppendLog } from '../log/append-log.ts';
import { loadOrMakeKey } from '../log/audit-key.ts';
import { auditFile, auditMigrations } from '../log/audit-schema.ts';

/** Writes a log whose records bear these dates. */
export async function writeLog(
  folder: string,
  records: readonly { readonly entry: AuditEntry; readonly at: string | number }[],
): Promise<void> {
  const file = join(folder, auditFile);
  const key = loadOrMakeKey(folder);
  const toMigrate = openSqlite(file);
  await migrate(toMigrate, auditMigrations);
  await toMigrate.destroy();
  const db = openRawSqlite(file);
  const options = { host: 'health.example.org', serverId: 'one', checkpointEveryRecords: 5 };
  const log = new AppendLog(db, key, options);
  for (const { entry, at } of records) {
    log.append([{ entry, recordedAtUs: new Date(at).getTime() * 1000 }]);
  }
  log.checkpoint();
  db.close();
}

/** Keys of the role admin, by label. */
export async function adminKeys<const Label extends string>(
  folder: string,
  ...labels: readonly Label[]
): Promise<Record<Label, string>> {
  const store = await AccessStore.open(folder);
  const keys: Partial<Record<Label, string>> = {};
  for (const label of labels) {
    keys[label] = (await store.keys.create({ teamId, role: 'admin', label })).key;
  }
  await store.close();
  return keys as Record<Label, string>;
}
