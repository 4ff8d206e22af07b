import { NoAuditLogError, type LogIdentity, type LogReader } from '@caregate/audit-log';
import { listLogs, PostgresLogReader, type Queryable } from '@caregate/audit-log/postgres';
import { openOwnLog } from './open-log.ts';

type Soon<T> = T | Promise<T>;

/** A log that can create proofs, in a data folder or a database. */
export interface ProvingLog {
  identity(): LogIdentity;
  leaf(seq: number): Soon<Buffer>;
  root(size: number): Soon<Buffer>;
  inclusion(seq: number, size: number): Soon<Buffer[]>;
  consistency(older: number, size: number): Soon<Buffer[]>;
}

export interface OneLog extends ProvingLog {
  /** The latest checkpoint. @throws NoAuditLogError if there is none */
  newest(): string | Promise<string>;
}

/** @throws NoAuditLogError */
export async function inFolder<T>(
  dataDir: string,
  what: (log: OneLog & LogReader) => T | Promise<T>,
): Promise<T> {
  const reader = openOwnLog(dataDir);
  try {
    return await what(Object.assign(reader, { newest: () => reader.checkpoint() }));
  } finally {
    reader.close();
  }
}

/** The log with this id, or the only log if no id is given. @throws NoAuditLogError if there is none, or several */
export async function logOfDatabase(
  db: Queryable,
  logId?: string,
): Promise<PostgresLogReader & OneLog> {
  return (await logsOfDatabase(db, { logId, isOne: true }))[0] as PostgresLogReader & OneLog;
}

/**
 * The log with this id, or all logs if no id is given, oldest first.
 *
 * @throws NoAuditLogError if there is no such log, or several where one is wanted
 */
export async function logsOfDatabase(
  db: Queryable,
  { logId, isOne = false }: { readonly logId?: string | undefined; readonly isOne?: boolean } = {},
): Promise<(PostgresLogReader & OneLog)[]> {
  const all = await listLogs(db);
  const logs = all.filter((one) => logId === undefined || one.logId === logId);
  if (logs.length === 0) {
    throw new NoAuditLogError('This database has no such audit log.');
  }
  if (isOne && logs.length > 1) {
    const ids = all.map((one) => one.logId).join(', ');
    throw new NoAuditLogError(
      `This database has ${all.length} logs. Choose one with --log: ${ids}.`,
    );
  }
  return logs.map((log) => {
    const reader = new PostgresLogReader(db, log);
    return Object.assign(reader, { newest: () => reader.checkpoint() });
  });
}
