import { verifyInThread, type LogPlace } from '@caregate/audit-log';
import { AuditLogEvents, AuditTrail } from '../../audit/trail/audit-trail.ts';
import { migrateAudit } from '../../audit/postgres/audit-schema.ts';
import { members } from '../../audit/record/record-body.ts';
import { openAuditLog, type AuditLog, type LogOptions } from '../../audit/record/record-log.ts';
import type { VerifyLog } from '../../audit/self-verification.ts';
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
  readonly verifyLog: VerifyLog;
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
  if (url === '') {
    requireNotMoved(dataDir);
    const place = { dataDir };
    const audit = await openAuditLog(place, { ...options, onStateChange });
    return {
      ...{
        audit,
        auditEvents,
        auditState: () => audit.state(),
        verifyLog: verifying(place, audit),
      },
      auditTrail: new AuditTrail(audit, place),
      waitsForStandby: () => Promise.resolve(undefined),
    };
  }
  makeFolder(dataDir);
  const pool = openPostgres(url, {
    applicationName: 'caregate audit state',
    connections: 1,
    statementTimeoutMs: DATABASE_TIMEOUT_MS,
    connectTimeoutMs: DATABASE_TIMEOUT_MS,
  });
  let audit: AuditLog | undefined;
  try {
    await migrateAudit(pool);
    const postgres = { url, replicated: config.databaseDurability === 'replicated' };
    const place = { dataDir, postgres };
    const log = await openAuditLog(place, { ...options, onStateChange });
    audit = log;
    const auditTrail = new AuditTrail(log, place);
    const close = auditTrail.close.bind(auditTrail);
    auditTrail.close = async () => {
      await close();
      await pool.end();
    };
    return {
      ...{ audit: log, auditTrail, auditEvents },
      ...{ auditState: () => log.state(), verifyLog: verifying(place, log) },
      waitsForStandby: () => waitsForStandby(pool),
    };
  } catch (error) {
    await audit?.close();
    await pool.end();
    throw error;
  }
}

function verifying(place: LogPlace, log: AuditLog): VerifyLog {
  return async (share, signal) => {
    const checkpoint = await log.checkpoint();
    const { logId, publicKey } = log;
    return await verifyInThread({ place, members, logId, publicKey, checkpoint, share }, signal);
  };
}
