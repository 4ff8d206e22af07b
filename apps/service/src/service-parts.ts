import type { Logger } from 'pino';
import type { AccessStore } from './access/access-store.ts';
import { parseNarrowing, type PermissionTable } from './operations/permission-table.ts';
import type { AuditRecorder } from './audit/audit-entry.ts';
import type { AuditLogEvents } from './audit/audit-log.ts';
import { AnonymousCounts } from './audit/http/anonymous-counts.ts';
import { AnswerEntries } from './audit/http/answer-entry.ts';
import { AuditAlarms } from './audit/http/audit-alarms.ts';
import type { AuditTrail } from './audit/trail/audit-trail.ts';
import { ClientUserIds } from './audit/http/client-user-ids.ts';
import { EventCursors } from './audit/http/event-cursors.ts';
import { RecordIds } from './audit/record-ids.ts';
import type { ServiceConfig } from './config/service-config.ts';
import { RequestLog } from './http/request-log.ts';
import { Metrics } from './observe/metrics.ts';
import { ApiTexts } from './openapi/api-texts.ts';
import { Cursors } from './reads/timeseries/cursors.ts';
import type { HealthDataSource } from './source/health-data-source.ts';
import type { Upstreams } from './source/upstream/upstreams-file.ts';

/** What is opened before the service is made, and closed by it. */
export interface OpenedParts {
  readonly config: ServiceConfig;
  /** Read for every team that has no upstream. */
  readonly source: HealthDataSource;
  /** Teams whose data is read elsewhere; none unless given. */
  readonly upstreams?: Upstreams;
  readonly access: AccessStore;
  /** Where every answer is recorded before it leaves. */
  readonly audit: AuditRecorder;
  /** The same log, for its auditors to read. */
  readonly auditTrail: AuditTrail;
  readonly auditEvents: AuditLogEvents;
  readonly logger: Logger;
}

/** Everything that the service is made of, each made once: hooks take it from here, modules bind it by its class. */
export interface ServiceParts extends OpenedParts {
  readonly permissions: PermissionTable;
  readonly requestLog: RequestLog;
  readonly metrics: Metrics;
  readonly alarms: AuditAlarms;
  readonly anonymous: AnonymousCounts;
  readonly answerEntries: AnswerEntries;
  readonly recordIds: RecordIds;
  readonly eventCursors: EventCursors;
  readonly pageCursors: Cursors;
  readonly apiTexts: ApiTexts;
}

/** @throws NarrowingError where `config.narrow` is wrong or would widen a cell */
export async function serviceParts(opened: OpenedParts): Promise<ServiceParts> {
  const { config, access, audit, auditEvents, logger } = opened;
  const permissions = parseNarrowing(config.narrow);
  const secret = await access.cursorSecret();
  return {
    ...opened,
    permissions,
    requestLog: new RequestLog(logger),
    metrics: new Metrics(),
    alarms: new AuditAlarms(audit, access.events, auditEvents),
    anonymous: new AnonymousCounts(audit),
    answerEntries: new AnswerEntries(permissions, new ClientUserIds(secret)),
    recordIds: new RecordIds(secret),
    eventCursors: new EventCursors(secret),
    pageCursors: new Cursors(secret, config.pageSize),
    apiTexts: new ApiTexts(config.profile),
  };
}
