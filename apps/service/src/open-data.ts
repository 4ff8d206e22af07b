import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import {
  type HealthDataSource,
  openStore,
  openStoreForWriting,
  getStoreFile,
  PersonEraser,
} from '@caregate/data-store';
import {
  describeStoreProblem,
  hasSynchronousStandby,
  withPostgres,
} from '@caregate/data-store/database';
import { openLog } from './audit/open-log.ts';
import type { AuditLog, LogOptions } from './audit/open-log.ts';
import { AuditLogEvents, AuditTrail } from './audit/trail/audit-trail.ts';
import type { RecordAct } from './auth/access-acts.ts';
import { AccessStore } from './auth/access-store.ts';
import { OperatorError } from '@caregate/data-store/errors';
import type { ServiceConfig } from './config/service-config.ts';
import { getSampledTraceId } from './trace/request-trace.ts';

/** Location of the data: SQLite files in the folder, or PostgreSQL if there is a URL. */
export type Place = Pick<ServiceConfig, 'dataDir' | 'databaseUrl'>;

/** Opens the health data for the service, and creates the store if it is missing. */
export async function openSource(place: Place, logger: Logger): Promise<HealthDataSource> {
  const onWaiting = (reason: string): void => {
    logger.warn(`waiting for the database: ${reason}`);
  };
  return await openStore(place, onWaiting, getSampledTraceId);
}

/** Opens API keys, staff, desks and emergency accesses. @param acts records each change before it takes effect */
export async function openAccess(
  { dataDir, databaseUrl }: Place,
  acts?: RecordAct,
): Promise<AccessStore> {
  const options = acts && { acts };
  if (databaseUrl !== '') {
    return await AccessStore.openPostgres(databaseUrl, options);
  }
  return await AccessStore.open(dataDir, options).catch((error: unknown) => {
    const problem = describeStoreProblem(error)?.replace('store.db', 'access.db');
    throw problem === undefined ? error : new OperatorError(problem, 1, error);
  });
}

export interface OpenedAudit {
  readonly audit: AuditLog;
  readonly auditTrail: AuditTrail;
  readonly auditEvents: AuditLogEvents;
  readonly auditState: AuditLog['state'];
  readonly verifyLog: AuditLog['verify'];
  /** Whether PostgreSQL confirms commits with a standby; undefined on SQLite. */
  readonly waitsForStandby: () => Promise<boolean | undefined>;
}

/** Opens the audit log for the service. The signing key is in the data folder on either engine. */
export async function openAudit(
  {
    dataDir,
    databaseUrl: url,
    databaseDurability,
  }: Place & Pick<ServiceConfig, 'databaseDurability'>,
  options: Omit<LogOptions, 'onStateChange'> = {},
): Promise<OpenedAudit> {
  const auditEvents = new AuditLogEvents();
  const onStateChange: LogOptions['onStateChange'] = (state, message) => {
    auditEvents.emit(state === 'open' ? 'resumed' : 'interrupted', message);
  };
  const database =
    url === '' ? undefined : { url, replicated: databaseDurability === 'replicated' };
  const audit = await openLog({ dataDir, database }, { ...options, onStateChange });
  return {
    ...{ audit, auditEvents },
    auditTrail: new AuditTrail(audit, { dataDir, postgres: database }),
    auditState: () => audit.state(),
    verifyLog: (share, signal) => audit.verify(share, signal),
    waitsForStandby: async () =>
      url === ''
        ? undefined
        : await withPostgres(url, 'caregate audit state', hasSynchronousStandby),
  };
}

export function hasStore({ dataDir, databaseUrl }: Place): boolean {
  return databaseUrl !== '' || existsSync(getStoreFile(dataDir));
}

/** @throws OperatorError if there is no store; none is created */
export function requireStore(place: Place): void {
  if (!hasStore(place)) {
    const message =
      place.dataDir === ''
        ? 'No data folder: use --data DIR or set DATABASE_URL.'
        : `${place.dataDir} is not a data folder: it has no store.db.`;
    throw new OperatorError(message, 2);
  }
}

/** Opens the health data to read or erase people. @throws OperatorError if there is no store */
export async function withEraser<T>(
  place: Place,
  work: (eraser: PersonEraser) => Promise<T>,
): Promise<T> {
  requireStore(place);
  const eraser = new PersonEraser(await openStoreForWriting(place));
  try {
    return await work(eraser);
  } finally {
    await eraser.close();
  }
}
