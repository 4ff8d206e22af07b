import { Module } from '@nestjs/common';
import { hkdfSync } from 'node:crypto';
import { AccessStore } from '../../access/access-store.ts';
import { SealedText } from '../../crypto/sealed-text.ts';
import { RecordIds } from '../record-ids.ts';
import { AuditEventsController, EVENTS_CURSORS } from './audit-events.controller.ts';
import { AuditProofController } from './audit-proof.controller.ts';

/** The auditor's operations. They need an `AccessStore`, the `AuditTrail` and `AuditAlarms` from global modules. */
@Module({
  controllers: [AuditEventsController, AuditProofController],
  providers: [
    {
      provide: RecordIds,
      useFactory: async (access: AccessStore) => new RecordIds(await access.cursorSecret()),
      inject: [AccessStore],
    },
    {
      provide: EVENTS_CURSORS,
      useFactory: async (access: AccessStore) => {
        const secret = await access.cursorSecret();
        const key = hkdfSync('sha256', secret, '', 'caregate audit cursor', 32);
        return new SealedText(Buffer.from(key));
      },
      inject: [AccessStore],
    },
  ],
})
export class AuditHttpModule {}
