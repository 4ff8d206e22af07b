import { Global, Module } from '@nestjs/common';
import { RESOURCES } from '../common/tokens.ts';
import type { Resources } from '../resources.module.ts';
import { AnswerEntries } from './answer-entry.ts';
import { AuditAlarms } from './audit-alarms.ts';
import { AuditHook } from './audit-hook.ts';
import { AuditEventsController } from './auditor/audit-events.controller.ts';
import { AuditLogController } from './auditor/audit-log.controller.ts';
import { DeskEventsController } from './auditor/desk-events.controller.ts';
import { EventPages } from './auditor/event-pages.ts';
import { CheckpointCopy } from './checkpoint-copy.ts';
import { RecordIds } from './record-ids.ts';
import { SelfVerification } from './self-verification.ts';

@Global()
@Module({
  controllers: [AuditEventsController, AuditLogController, DeskEventsController],
  providers: [
    AnswerEntries,
    AuditAlarms,
    AuditHook,
    EventPages,
    RecordIds,
    SelfVerification,
    {
      provide: CheckpointCopy,
      useFactory: ({ checkpointCopy }: Resources) => checkpointCopy,
      inject: [RESOURCES],
    },
  ],
  exports: [AuditAlarms, AuditHook, CheckpointCopy, RecordIds, SelfVerification],
})
export class AuditModule {}
