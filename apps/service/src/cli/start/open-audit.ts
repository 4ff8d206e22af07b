import { AuditLogEvents, AuditTrail } from '../../audit/trail/audit-trail.ts';
import { migrateAudit } from '../../audit/postgres/audit-schema.ts';
import { openAuditLog, type AuditLog, type LogOptions } from '../../audit/record/record-log.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import {
  DATABASE_TIMEOUT_MS,
  makeFolder,
  openPostgres,
  requireNotMoved,
  waitsForStandby,
} from '@caregate/data-store/database';

export interface OpenedAudit {
  readonly audit: AuditLog;
  readonly auditTrail: AuditTrail;
  readonly auditEvents: AuditLogEvents;
  readonly auditState: AuditLog['state'];
  readonly verifyLog: AuditLog['verify'];
  /** Whether PostgreSQL confirms commits with a standby; undefined on SQLite. */
  readonly waitsForStandby: () => Promise<boolean | undefined>;
}

/** The signing key is in the data folder with either engine. */
export async function openAudit(
  config: Pick<ServiceConfig, 'dataDir' | 'databaseUrl' | 'databaseDurability'>,
  options: Omit<LogOptions, 'onStateChange'> = {},
): Promise<OpenedAudit> {
  const { dataDir, databaseUrl: url } = config;
  const auditEvents = new AuditLogEvents();
  const onStateChange: LogOptions['onStateChange'] = (state, message) => {
    auditEvents.emit(state === 'open' ? 'resumed' : 'interrupted', message);
  };
  const pool = url === '' ? undefined : openPool(url);
  let audit: AuditLog | undefined;
  try {
    if (pool === undefined) {
      requireNotMoved(dataDir);
    } else {
      await migrateAudit(pool);
    }
    makeFolder(dataDir);
    const replicated = config.databaseDurability === 'replicated';
    const place = { dataDir, postgres: pool && { url, replicated } };
    const log = (audit = await openAuditLog(place, { ...options, onStateChange }));
    const auditTrail = new AuditTrail(log, place);
    const close = auditTrail.close.bind(auditTrail);
    auditTrail.close = async () => {
      await close();
      await pool?.end();
    };
    return {
      ...{ audit: log, auditTrail, auditEvents },
      ...{ auditState: () => log.state(), verifyLog: (share, signal) => log.verify(share, signal) },
      waitsForStandby: async () => pool && (await waitsForStandby(pool)),
    };
  } catch (error) {
    await audit?.close();
    await pool?.end();
    throw error;
  }
}

function openPool(url: string): ReturnType<typeof openPostgres> {
  return openPostgres(url, {
    ...{ applicationName: 'caregate audit state', connections: 1 },
    ...{ statementTimeoutMs: DATABASE_TIMEOUT_MS, connectTimeoutMs: DATABASE_TIMEOUT_MS },
  });
}
