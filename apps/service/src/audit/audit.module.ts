import { Global, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { AccessStore } from '../auth/access-store.ts';
import {
  AUDIT_RECORDER,
  LOGGER,
  PERMANENT_SECRET,
  PERMISSIONS_IN_FORCE,
  RESOURCES,
} from '../common/tokens.ts';
import type { PermissionTable } from '../operations/permission-table.ts';
import type { Resources } from '../resources.module.ts';
import { DeskEventsController } from './auditor/desk-events.controller.ts';
import { CheckpointCopy } from './checkpoint-copy/checkpoint-copy.ts';
import { CheckpointLines } from './checkpoint-copy/checkpoint-lines.ts';
import { AuditAlarms } from './http/audit-alarms.ts';
import { AuditEventsController } from './http/audit-events.controller.ts';
import { AuditLogController } from './http/audit-log.controller.ts';
import { ClientUserIds } from './http/details.ts';
import { EventPages } from './http/event-pages.ts';
import { AnswerEntries } from './http/answer-entries.ts';
import { AuditHook } from './http/audit-hook.ts';
import type { AuditRecorder } from './record/audit-entry.ts';
import { RecordIds } from './record-ids.ts';
import { SelfVerification } from './self-verification.ts';
import { AuditTrail } from './trail/audit-trail.ts';

@Global()
@Module({
  controllers: [AuditEventsController, AuditLogController, DeskEventsController],
  providers: [
    AuditHook,
    EventPages,
    {
      provide: AnswerEntries,
      useFactory: (table: PermissionTable, secret: Buffer) =>
        new AnswerEntries(table, new ClientUserIds(secret)),
      inject: [PERMISSIONS_IN_FORCE, PERMANENT_SECRET],
    },
    {
      provide: AuditAlarms,
      useFactory: (audit: AuditRecorder, access: AccessStore, { auditEvents }: Resources) =>
        new AuditAlarms(audit, access.database.events, auditEvents),
      inject: [AUDIT_RECORDER, AccessStore, RESOURCES],
    },
    {
      provide: SelfVerification,
      useFactory: ({ verifyLog: verify, audit, logger }: Resources, alarms: AuditAlarms) =>
        new SelfVerification({ verify, audit, alarms, logger }),
      inject: [RESOURCES, AuditAlarms],
    },
    {
      provide: CheckpointLines,
      useFactory: (trail: AuditTrail, logger: Logger) => new CheckpointLines(trail, logger),
      inject: [AuditTrail, LOGGER],
    },
    {
      provide: CheckpointCopy,
      useFactory: ({ checkpointCopy }: Resources) => checkpointCopy,
      inject: [RESOURCES],
    },
    {
      provide: RecordIds,
      useFactory: (secret: Buffer) => new RecordIds(secret),
      inject: [PERMANENT_SECRET],
    },
  ],
  exports: [AuditAlarms, AuditHook, CheckpointLines, RecordIds, SelfVerification],
})
export class AuditModule {}
