import { AuditReader, NoAuditLogError } from '../log/audit-reader.ts';
import { listLogs, PostgresLogReader } from '../postgres/log-reader.ts';
import type { Queryable } from '../postgres/stored-tree.ts';
import type { ProvingLog } from '../cli/proof-text.ts';

export interface OneLog extends ProvingLog {
  /** The latest checkpoint. @throws NoAuditLogError if there is none */
  newest(): string | Promise<string>;
}

/** @throws NoAuditLogError */
export async function inFolder<T>(
  dataDir: string,
  what: (log: OneLog & Pick<AuditReader, 'db'>) => T | Promise<T>,
): Promise<T> {
  const reader = new AuditReader(dataDir);
  try {
    return await what(Object.assign(reader, { newest: () => newest(reader) }));
  } finally {
    reader.close();
  }
}

/**
 * The log with this id, or the only log if no id is given.
 *
 * @throws NoAuditLogError if there is no such log, or several without an id
 */
export async function logOfDatabase(db: Queryable, logId?: string): Promise<PostgresLogReader> {
  const all = await listLogs(db);
  const [log, ...more] = all.filter((one) => logId === undefined || one.logId === logId);
  if (log === undefined) {
    throw new NoAuditLogError('This database has no such audit log.');
  }
  if (more.length > 0) {
    const ids = all.map((one) => one.logId).join(', ');
    throw new NoAuditLogError(
      `This database has ${all.length} logs. Choose one with --log: ${ids}.`,
    );
  }
  return new PostgresLogReader(db, log);
}

function newest(reader: AuditReader): string {
  const note = reader.checkpoint();
  if (note === undefined) {
    throw new NoAuditLogError('The log has no checkpoint.');
  }
  return note;
}
