import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Counts } from './import/import-types.ts';
import type { StoreRecord } from './import/record.ts';
import { StoreWriter } from './import/store-writer.ts';
import { openStore } from './open-store.ts';
import type { SqlStore } from './sql-store.ts';
import { uuidBytes } from './uuid-bytes.ts';

/** For specs: a store in a folder of its own, written and read, gone afterwards. */
export async function withStore(
  body: (store: SqlStore, writer: StoreWriter, folder: string) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'caregate-store-'));
  const writer = await StoreWriter.open(folder);
  const store = await openStore(folder);
  try {
    await body(store, writer, folder);
  } finally {
    await store.close();
    writer.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Puts records in one transaction; a refusal throws. */
export async function put(writer: StoreWriter, records: readonly StoreRecord[]): Promise<Counts> {
  const counts = { added: 0, updated: 0, unchanged: 0 };
  await writer.begin(1000);
  for (const record of records) {
    const refused = writer.put(record, counts);
    if (refused !== undefined) {
      writer.rollback();
      throw new Error(`${refused.path.join('.')} ${refused.message}`);
    }
  }
  writer.commit();
  return counts;
}

export const teamA = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a1111';
export const teamB = '4f7c2b7e-0f0e-4d28-9c67-3d1c0c4a2222';

export function bytes(uuid: string): Uint8Array {
  const found = uuidBytes(uuid);
  if (found === undefined) {
    throw new Error(`${uuid} is no uuid`);
  }
  return found;
}

/** The uuid of the n-th person of a spec. */
export const userId = (n: number): string =>
  `a${(n * 2654435761).toString(16).padStart(15, '0').slice(-7)}-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;
