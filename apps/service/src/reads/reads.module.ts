import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { AccessStore } from '../access/access-store.ts';
import type { Profile } from '../config/service-config.ts';
import { LatestInsuranceController } from './insurance/latest-insurance.controller.ts';
import { LabOrderResultController } from './lab-results/lab-order-result.controller.ts';
import { PublicSdkInterceptor } from './public-sdk/public-sdk.interceptor.ts';
import { Cursors } from './timeseries/cursors.ts';
import {
  MindfulnessMinutesController,
  PAGE_SIZE,
} from './timeseries/mindfulness-minutes.controller.ts';
import { ListUsersController } from './users/list-users.controller.ts';
import { ResolveUserController } from './users/resolve-user.controller.ts';

/** The five operations. They need the source and an `AccessStore` from global modules. */
@Module({})
export class ReadsModule {
  static with(parts: { pageSize: number; profile: Profile }): DynamicModule {
    return {
      module: ReadsModule,
      controllers: [
        ListUsersController,
        ResolveUserController,
        LatestInsuranceController,
        LabOrderResultController,
        MindfulnessMinutesController,
      ],
      providers: [
        { provide: PAGE_SIZE, useValue: parts.pageSize },
        {
          provide: Cursors,
          useFactory: async (access: AccessStore) => new Cursors(await access.cursorSecret()),
          inject: [AccessStore],
        },
        ...(parts.profile === 'public-sdk'
          ? [{ provide: APP_INTERCEPTOR, useClass: PublicSdkInterceptor }]
          : []),
      ],
    };
  }
}
