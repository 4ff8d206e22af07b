import { Global, Inject, Module } from '@nestjs/common';
import { APP_GUARD, HttpAdapterHost } from '@nestjs/core';
import type { Server } from 'node:http';
import type { Logger } from 'pino';
import { CONFIG, LIMITS_IN_FORCE, LOGGER } from '../common/tokens.ts';
import type { Limits } from '../config/limits.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { publicUrlOf } from '../http/public-url.ts';
import { AccessStore } from './access-store.ts';
import { AccessGuard } from './access.guard.ts';
import { logAlarms } from './alarm-log.ts';
import { BreakGlassController } from './break-glass/break-glass.controller.ts';
import { GrantedAccess } from './break-glass/granted-access.ts';
import { Authentication } from './authentication.ts';
import { RequestLimits } from './limits/request-limits.ts';
import { Proofs } from './sessions/proof.ts';
import { SessionGate } from './sessions/session-gate.ts';
import { CurrentSessionController } from './sign-in/current-session.controller.ts';
import { MeController } from './sign-in/me.controller.ts';
import { SignInController } from './sign-in/sign-in.controller.ts';
import { SignIn } from './sign-in/sign-in.ts';

@Global()
@Module({
  controllers: [BreakGlassController, CurrentSessionController, MeController, SignInController],
  providers: [
    Authentication,
    GrantedAccess,
    { provide: APP_GUARD, useClass: AccessGuard },
    {
      provide: SignIn,
      useFactory: (config: ServiceConfig, access: AccessStore) =>
        new SignIn(config, access.sessions, access.now),
      inject: [CONFIG, AccessStore],
    },
    {
      provide: RequestLimits,
      useFactory: (config: ServiceConfig, limits: Limits) =>
        new RequestLimits({ ...config, ...limits }),
      inject: [CONFIG, LIMITS_IN_FORCE],
    },
    {
      provide: SessionGate,
      useFactory: (
        config: ServiceConfig,
        access: AccessStore,
        { httpAdapter }: HttpAdapterHost,
      ) => {
        const publicUrl = publicUrlOf(config, () => httpAdapter.getHttpServer() as Server);
        return new SessionGate(access, new Proofs({ now: access.now, publicUrl }));
      },
      inject: [CONFIG, AccessStore, HttpAdapterHost],
    },
  ],
  exports: [RequestLimits],
})
export class AuthModule {
  constructor(access: AccessStore, @Inject(LOGGER) logger: Logger) {
    logAlarms(access.events, logger);
  }
}
