import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AuditLogEvents, type AuditLog, type AuditLogOptions } from '../../audit/audit-log.ts';
import { openAuditLog } from '../../audit/audit-writer.ts';
import type { AuditTrail } from '../../audit/trail/audit-trail.ts';
import { SqliteAuditTrail } from '../../audit/trail/sqlite-audit-trail.ts';
import { auditKeyFile } from '../../audit/log/audit-key.ts';
import { migrateAudit } from '../../audit/postgres/audit-tables.ts';
import { openPostgresAuditLog } from '../../audit/postgres/postgres-backend.ts';
import { PostgresAuditTrail } from '../../audit/postgres/postgres-audit-trail.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { makeFolder } from '../../database/sqlite/make-folder.ts';
import { openPostgres } from '../../database/postgres/open-postgres.ts';

export interface OpenedAudit {
  readonly audit: AuditLog;
  readonly auditTrail: AuditTrail;
  readonly auditEvents: AuditLogEvents;
  /** Whether its key was made just now. */
  readonly isNew: boolean;
}

/** Of each instance, beside the one that records. */
const connections = 2;

/**
 * The audit log of the data folder, or, where `DATABASE_URL` names a database, this instance's own of those there. Its
 * key is in the data folder either way.
 */
export async function openAudit(
  config: Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'databaseTimeoutMs'>,
  options: Omit<AuditLogOptions, 'onStateChange'> = {},
): Promise<OpenedAudit> {
  const { dataDir, databaseUrl: url, databaseTimeoutMs: timeoutMs } = config;
  const isNew = !existsSync(join(dataDir, auditKeyFile));
  const auditEvents = new AuditLogEvents();
  const logOptions: AuditLogOptions = {
    ...options,
    onStateChange: (state, message) => {
      auditEvents.emit(state === 'open' ? 'resumed' : 'interrupted', message);
    },
  };
  if (url === '') {
    const audit = await openAuditLog(dataDir, logOptions);
    return { audit, auditTrail: new SqliteAuditTrail(dataDir, audit), auditEvents, isNew };
  }
  makeFolder(dataDir);
  const pool = openPostgres(url, {
    applicationName: 'caregate auditors',
    connections,
    statementTimeoutMs: timeoutMs,
    connectTimeoutMs: timeoutMs,
  });
  try {
    await migrateAudit(pool);
    const audit = await openPostgresAuditLog(url, dataDir, logOptions);
    return { audit, auditTrail: new PostgresAuditTrail(pool, audit), auditEvents, isNew };
  } catch (error) {
    await pool.end();
    throw error;
  }
}
