import type { SecureContextOptions } from 'node:tls';
import type { Logger } from 'pino';
import type { AccessStore } from './access/access-store.ts';
import { logAlarms } from './access/alarm-log.ts';
import { SignIn } from './access/sign-in/sign-in.ts';
import { RequestLimits } from './access/limits/request-limits.ts';
import { parseNarrowing } from './operations/permission-table.ts';
import { AnonymousCounts } from './audit/http/anonymous-counts.ts';
import { AnswerEntries } from './audit/http/record-answers.ts';
import { AuditAlarms } from './audit/http/audit-alarms.ts';
import { SelfVerification, type VerifyLog } from './audit/self-verification.ts';
import { CheckpointLines } from './audit/checkpoint-copy/checkpoint-lines.ts';
import type { CheckpointCopy } from './audit/checkpoint-copy/checkpoint-copy.ts';
import { type AuditTrail, type AuditLogEvents } from './audit/trail/audit-trail.ts';
import { ClientUserIds } from './audit/http/details.ts';
import { RecordIds } from './audit/record-ids.ts';
import { LIMITS, type Limits } from './config/limits.ts';
import type { ServiceConfig } from './config/service-config.ts';
import { RequestLog } from './http/request-log.ts';
import { DiskWatch, spaceOf, type DiskSpace } from './observe/disk-watch.ts';
import { Metrics } from './observe/metrics.ts';
import { MetricsToken } from './observe/metrics-token.ts';
import { registerGauges } from './observe/gauges.ts';
import { Cursors } from './operations/cursors.ts';
import type { HealthDataSource, Upstreams } from '@caregate/data-store';
import type { AuditLog } from './audit/record/record-log.ts';
import type { AuditRecorder } from './audit/record/audit-entry.ts';

export interface OpenedParts {
  readonly config: ServiceConfig;
  /** For specs. */
  readonly limits?: Partial<Limits>;
  /** For teams without an upstream. */
  readonly source: HealthDataSource;
  readonly upstreams?: Upstreams;
  readonly access: AccessStore;
  readonly audit: AuditRecorder;
  readonly auditTrail: AuditTrail;
  readonly auditEvents: AuditLogEvents;
  readonly auditState: AuditLog['state'];
  readonly verifyLog: VerifyLog;
  readonly waitsForStandby: () => Promise<boolean | undefined>;
  /** For specs. */
  readonly diskSpace?: () => Promise<DiskSpace>;
  readonly checkpointCopy?: CheckpointCopy | undefined;
  readonly certificate?: SecureContextOptions | undefined;
  readonly logger: Logger;
}

/** Each made once: hooks take it from here, modules bind it by its class. */
export type ServiceParts = Awaited<ReturnType<typeof made>>;

export const serviceParts: (opened: OpenedParts) => Promise<ServiceParts> = made;

async function made(opened: OpenedParts) {
  const { diskSpace: readSpace = () => spaceOf(opened.config.dataDir), ...given } = opened;
  const { config, access, audit, auditEvents, logger } = given;
  const limits = { ...LIMITS, ...given.limits };
  const permissions = parseNarrowing(config.narrow);
  const secret = await access.secrets.permanent();
  const alarms = new AuditAlarms(audit, access.events, auditEvents);
  logAlarms(access.events, logger);
  const disk = new DiskWatch(readSpace, logger, ({ freeBytes, totalBytes }) => {
    alarms.raise('disk-space', { freeBytes, totalBytes });
  });
  const metrics = new Metrics();
  const verify = opened.verifyLog;
  const selfVerification = new SelfVerification({ verify, audit, alarms, logger });
  registerGauges(metrics, { ...given, disk, selfVerification });
  return {
    ...given,
    limits,
    selfVerification,
    checkpointLines: new CheckpointLines(opened.auditTrail, logger),
    permissions,
    signIn: new SignIn(config, access.sessions, access.now),
    requestLimits: new RequestLimits({ ...config, ...limits }),
    requestLog: new RequestLog(logger),
    metrics,
    metricsToken: new MetricsToken(secret),
    disk,
    alarms,
    anonymous: new AnonymousCounts(audit),
    answerEntries: new AnswerEntries(permissions, new ClientUserIds(secret)),
    recordIds: new RecordIds(secret),
    pageCursors: new Cursors(access.cursorSeal, limits.pageSize),
  };
}
