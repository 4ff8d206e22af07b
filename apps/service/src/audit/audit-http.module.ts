import { Module, type DynamicModule } from '@nestjs/common';
import { AuditExportController } from './auditor/audit-export.controller.ts';
import { DeskEventsController } from './auditor/desk-events.controller.ts';
import { DisclosuresController } from './auditor/disclosures.controller.ts';
import { LogStateController } from './auditor/log-state.controller.ts';
import { CheckpointLines } from './checkpoint-copy/checkpoint-lines.ts';
import { SelfVerification } from './self-verification.ts';
import { RecordIds } from './record-ids.ts';
import { PatientFinder } from './http/patient-finder.ts';
import { AuditAlarms } from './http/audit-alarms.ts';
import { AuditEventsController } from './http/audit-events.controller.ts';
import { AuditProofController } from './http/audit-proof.controller.ts';
import { CheckpointCopy } from './checkpoint-copy/checkpoint-copy.ts';
import { AuditTrail } from './trail/audit-trail.ts';
import { EventPages } from './http/event-pages.ts';

export interface AuditParts {
  readonly auditTrail: AuditTrail;
  readonly alarms: AuditAlarms;
  readonly recordIds: RecordIds;
  readonly checkpointCopy?: CheckpointCopy | undefined;
  readonly selfVerification: SelfVerification;
  readonly checkpointLines: CheckpointLines;
}

@Module({})
export class AuditHttpModule {
  static with(parts: AuditParts): DynamicModule {
    return {
      module: AuditHttpModule,
      global: true,
      controllers: [
        AuditEventsController,
        AuditProofController,
        DisclosuresController,
        DeskEventsController,
        AuditExportController,
        LogStateController,
      ],
      providers: [
        { provide: AuditTrail, useValue: parts.auditTrail },
        { provide: AuditAlarms, useValue: parts.alarms },
        { provide: RecordIds, useValue: parts.recordIds },
        { provide: SelfVerification, useValue: parts.selfVerification },
        { provide: CheckpointLines, useValue: parts.checkpointLines },
        ...(parts.checkpointCopy === undefined
          ? []
          : [{ provide: CheckpointCopy, useValue: parts.checkpointCopy }]),
        PatientFinder,
        EventPages,
      ],
      exports: [AuditAlarms, AuditTrail],
    };
  }
}
