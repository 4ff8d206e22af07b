import { type AuditLogOptions } from '@caregate/audit-log';
import { type AuditTrail, AuditLogEvents } from '../../audit/trail/audit-trail.ts';
import { FolderAuditTrail } from '../../audit/trail/folder-audit-trail.ts';
import { migrateAudit } from '../../audit/postgres/audit-schema.ts';
import { PostgresAuditTrail } from '../../audit/postgres/postgres-audit-trail.ts';
import { DATABASE_TIMEOUT_MS } from '../../config/limits.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { requireNotMoved } from '../../database/sqlite/moved-folder.ts';
import { makeFolder } from '../../database/sqlite/make-folder.ts';
import { openPostgres } from '../../database/postgres/open-postgres.ts';
import {
  openAuditLog,
  type AuditLog,
  openPostgresAuditLog,
} from '../../audit/record/record-log.ts';

export interface OpenedAudit {
  readonly audit: AuditLog;
  readonly auditTrail: AuditTrail;
  readonly auditEvents: AuditLogEvents;
  readonly auditState: AuditLog['state'];
  readonly verifyLog: AuditLog['verify'];
}

/** Beside the one that records. */
const connections = 2;

/** The signing key is in the data folder with either engine. */
export async function openAudit(
  config: Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'databaseDurability'>,
  options: Omit<AuditLogOptions, 'onStateChange'> = {},
): Promise<OpenedAudit> {
  const { dataDir, databaseUrl: url } = config;
  const auditEvents = new AuditLogEvents();
  const openedOf = (audit: AuditLog, auditTrail: AuditTrail): OpenedAudit => ({
    ...{ audit, auditTrail, auditEvents },
    auditState: () => audit.state(),
    verifyLog: (share, signal) => audit.verify(share, signal),
  });
  const logOptions: AuditLogOptions = {
    ...options,
    onStateChange: (state, message) => {
      auditEvents.emit(state === 'open' ? 'resumed' : 'interrupted', message);
    },
  };
  if (url === '') {
    requireNotMoved(dataDir);
    const audit = await openAuditLog(dataDir, logOptions);
    return openedOf(audit, new FolderAuditTrail(dataDir, audit));
  }
  makeFolder(dataDir);
  const pool = openPostgres(url, {
    applicationName: 'caregate auditors',
    connections,
    statementTimeoutMs: DATABASE_TIMEOUT_MS,
    connectTimeoutMs: DATABASE_TIMEOUT_MS,
  });
  try {
    await migrateAudit(pool);
    const audit = await openPostgresAuditLog(url, dataDir, {
      recordsOnceMore: true,
      ...logOptions,
      replicated: config.databaseDurability === 'replicated',
    });
    return openedOf(audit, new PostgresAuditTrail(pool, audit));
  } catch (error) {
    await pool.end();
    throw error;
  }
}
