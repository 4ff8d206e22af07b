import { readDatabaseUrl } from '../../config/read-config.ts';
import { type ImportDatabase, openPostgresImport, openSqliteImport } from '@caregate/data-store';

export async function openImport(dataDir: string, waitMs: number): Promise<ImportDatabase> {
  const url = readDatabaseUrl(process.env);
  if (url === '') {
    return await openSqliteImport(dataDir);
  }
  return await openPostgresImport(url, Math.min(waitMs, 60_000), (reason) => {
    process.stderr.write(`Waiting for the database: ${reason}\n`);
  });
}
