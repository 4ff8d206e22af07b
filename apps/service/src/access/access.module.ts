import { Module, type DynamicModule } from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost, Reflector } from '@nestjs/core';
import type { Server } from 'node:http';
import type { ServiceConfig } from '../config/service-config.ts';
import { publicUrlOf } from '../http/public-url.ts';
import { HealthDataSource } from '@caregate/data-store';
import { AccessStore } from './access-store.ts';
import { AccessGuard } from './access.guard.ts';
import { BreakGlassController } from './break-glass/break-glass.controller.ts';
import type { RequestLimits } from './limits/request-limits.ts';
import { CurrentSessionController } from './sign-in/current-session.controller.ts';
import { Proofs } from './sessions/proof.ts';
import { SessionGate } from './sessions/session-gate.ts';
import { MeController, PERMISSIONS_IN_FORCE } from './sign-in/me.controller.ts';
import { SignInController } from './sign-in/sign-in.controller.ts';
import { SignIn } from './sign-in/sign-in.ts';
import type { PermissionTable } from '../operations/permission-table.ts';

export interface AccessParts {
  readonly access: AccessStore;
  readonly permissions: PermissionTable;
  readonly signIn: SignIn;
  readonly requestLimits: RequestLimits;
  readonly config: Pick<ServiceConfig, 'publicUrl' | 'host'>;
}

@Module({})
export class AccessModule {
  static with({ access, permissions, signIn, requestLimits, config }: AccessParts): DynamicModule {
    return {
      module: AccessModule,
      global: true,
      controllers: [BreakGlassController, CurrentSessionController, MeController, SignInController],
      providers: [
        { provide: AccessStore, useValue: access },
        { provide: SignIn, useValue: signIn },
        { provide: PERMISSIONS_IN_FORCE, useValue: permissions },
        {
          provide: SessionGate,
          useFactory: ({ httpAdapter }: HttpAdapterHost) => {
            const publicUrl = publicUrlOf(config, () => httpAdapter.getHttpServer() as Server);
            return new SessionGate(access, new Proofs({ now: access.now, publicUrl }));
          },
          inject: [HttpAdapterHost],
        },
        {
          provide: APP_GUARD,
          useFactory: (reflector: Reflector, gate: SessionGate, source?: HealthDataSource) =>
            new AccessGuard(reflector, access, permissions, gate, requestLimits, source),
          inject: [Reflector, SessionGate, { token: HealthDataSource, optional: true }],
        },
      ],
      exports: [AccessStore],
    };
  }
}
