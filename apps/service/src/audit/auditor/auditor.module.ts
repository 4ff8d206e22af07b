import { Module } from '@nestjs/common';
import { AuditExportController } from './audit-export.controller.ts';
import { DeskEventsController } from './desk-events.controller.ts';
import { DisclosuresController } from './disclosures.controller.ts';
import { LogStateController } from './log-state.controller.ts';

/** What the auditor's desk asks for besides events and proofs, and what all desks tell. */
@Module({
  controllers: [
    DisclosuresController,
    DeskEventsController,
    AuditExportController,
    LogStateController,
  ],
})
export class AuditorModule {}
