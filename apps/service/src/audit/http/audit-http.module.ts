import { Module, type DynamicModule } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { AccessStore } from '../../access/access-store.ts';
import { SealedText } from '../../http/sealed-text.ts';
import { AuditAlarms } from './audit-alarms.ts';
import { AuditTrail } from './audit-trail.ts';
import { AuditEventsController, EVENTS_CURSORS } from './audit-events.controller.ts';
import { AuditProofController } from './audit-proof.controller.ts';

/** The auditor's operations. They need an `AccessStore` from a global module. */
@Module({})
export class AuditHttpModule {
  static with(parts: { trail: AuditTrail; alarms: AuditAlarms }): DynamicModule {
    return {
      module: AuditHttpModule,
      controllers: [AuditEventsController, AuditProofController],
      providers: [
        { provide: AuditTrail, useValue: parts.trail },
        { provide: AuditAlarms, useValue: parts.alarms },
        {
          provide: EVENTS_CURSORS,
          useFactory: async (access: AccessStore) =>
            new SealedText(
              Buffer.from(
                hkdfSync('sha256', await access.cursorSecret(), '', 'caregate audit cursor', 32),
              ),
            ),
          inject: [AccessStore],
        },
      ],
    };
  }
}
