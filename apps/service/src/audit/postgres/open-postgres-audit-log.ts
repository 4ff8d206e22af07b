import type { AuditLog, AuditLogOptions } from '../audit-log.ts';
import { appendOptions, startWriter } from '../audit-writer.ts';
import { loadOrMakeKey } from '../log/audit-key.ts';
import { onPostgres } from './postgres-backend.ts';

/**
 * Opens a log of this instance's own on PostgreSQL, whose tables must be there: one that its key signs and nobody holds,
 * or a new one. The key pair is in the data folder, made where it is missing; only its public half leaves it.
 *
 * @throws AuditBrokenError where the tail does not verify
 */
export async function openPostgresAuditLog(
  url: string,
  dataDir: string,
  options: AuditLogOptions = {},
): Promise<AuditLog> {
  const { busyTimeoutMs: timeoutMs = 10_000 } = options;
  const key = loadOrMakeKey(dataDir);
  return await startWriter(onPostgres({ ...appendOptions(options), url, timeoutMs, key }), options);
}
