import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR } from '@nestjs/core';
import type { ServiceConfig } from '../config/service-config.ts';
import { AccessStore } from './access-store.ts';
import { AccessGuard } from './access.guard.ts';
import { AlarmLog } from './alarm-log.ts';
import { BreakGlassController } from './break-glass/break-glass.controller.ts';
import { EmergencyAccess } from './break-glass/emergency-access.ts';
import { ReadWatchInterceptor } from './limits/read-watch.interceptor.ts';
import { ReadWatch } from './limits/read-watch.ts';
import { PERMISSION_TABLE, parseNarrowing } from './permission-table.ts';

@Module({})
export class AccessModule {
  /** @throws NarrowingError where `config.narrow` is wrong or would widen a cell */
  static with(parts: { store: AccessStore; config: Pick<ServiceConfig, 'narrow'> }): DynamicModule {
    return {
      module: AccessModule,
      global: true,
      controllers: [BreakGlassController],
      providers: [
        EmergencyAccess,
        { provide: AccessStore, useValue: parts.store },
        { provide: PERMISSION_TABLE, useValue: parseNarrowing(parts.config.narrow) },
        { provide: ReadWatch, useValue: new ReadWatch(parts.store.events) },
        AlarmLog,
        { provide: APP_GUARD, useClass: AccessGuard },
        { provide: APP_INTERCEPTOR, useClass: ReadWatchInterceptor },
      ],
      exports: [AccessStore, PERMISSION_TABLE],
    };
  }
}
