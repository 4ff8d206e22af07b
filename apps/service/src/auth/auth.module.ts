import { Global, Inject, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import type { Logger } from 'pino';
import { CONFIG, LIMITS_IN_FORCE, LOGGER } from '../common/tokens.ts';
import type { Limits } from '../config/limits.ts';
import type { ServiceConfig } from '../config/service-config.ts';
import { logAlarms } from './access-alarms.ts';
import { AccessStore } from './access-store.ts';
import { AccessGuard } from './access.guard.ts';
import { BreakGlassController } from './break-glass/break-glass.controller.ts';
import { GrantedAccess } from './break-glass/granted-access.ts';
import { RequestLimits } from './request-limits.ts';
import { SessionGate } from './sessions/session-gate.ts';
import { CurrentSessionController } from './sign-in/current-session.controller.ts';
import { MeController } from './sign-in/me.controller.ts';
import { SignInController } from './sign-in/sign-in.controller.ts';
import { SignIn } from './sign-in/sign-in.ts';

@Global()
@Module({
  controllers: [BreakGlassController, CurrentSessionController, MeController, SignInController],
  providers: [
    GrantedAccess,
    SessionGate,
    SignIn,
    { provide: APP_GUARD, useClass: AccessGuard },
    {
      provide: RequestLimits,
      useFactory: (config: ServiceConfig, limits: Limits) =>
        new RequestLimits({ ...config, ...limits }),
      inject: [CONFIG, LIMITS_IN_FORCE],
    },
  ],
  exports: [RequestLimits],
})
export class AuthModule {
  constructor({ database }: AccessStore, @Inject(LOGGER) logger: Logger) {
    logAlarms(database.events, logger);
  }
}
