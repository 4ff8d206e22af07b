import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, Reflector } from '@nestjs/core';
import { AccessStore } from './access-store.ts';
import { AccessGuard } from './access.guard.ts';
import { AlarmLog } from './alarm-log.ts';
import { BreakGlassController } from './break-glass/break-glass.controller.ts';
import { EmergencyAccess } from './break-glass/emergency-access.ts';
import type { PermissionTable } from '../operations/permission-table.ts';

export interface AccessParts {
  readonly access: AccessStore;
  readonly permissions: PermissionTable;
}

@Module({})
export class AccessModule {
  static with({ access, permissions }: AccessParts): DynamicModule {
    return {
      module: AccessModule,
      global: true,
      controllers: [BreakGlassController],
      providers: [
        EmergencyAccess,
        { provide: AccessStore, useValue: access },
        AlarmLog,
        {
          provide: APP_GUARD,
          useFactory: (reflector: Reflector, emergency: EmergencyAccess) =>
            new AccessGuard(reflector, access, permissions, emergency),
          inject: [Reflector, EmergencyAccess],
        },
      ],
      exports: [AccessStore],
    };
  }
}
