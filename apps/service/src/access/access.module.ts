import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { ServiceConfig } from '../config/service-config.ts';
import { AccessStore } from './access-store.ts';
import { AccessGuard } from './access.guard.ts';
import { PERMISSION_TABLE, parseNarrowing } from './permission-table.ts';

@Module({})
export class AccessModule {
  /** @throws NarrowingError where `config.narrow` is wrong or would widen a cell */
  static with(parts: { store: AccessStore; config: Pick<ServiceConfig, 'narrow'> }): DynamicModule {
    return {
      module: AccessModule,
      global: true,
      providers: [
        { provide: AccessStore, useValue: parts.store },
        { provide: PERMISSION_TABLE, useValue: parseNarrowing(parts.config.narrow) },
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
      exports: [AccessStore, PERMISSION_TABLE],
    };
  }
}
