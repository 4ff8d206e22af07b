import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { ServiceConfig } from '../config/service-config.ts';
import { LatestInsuranceController } from './insurance/latest-insurance.controller.ts';
import { LabOrderResultController } from './lab-results/lab-order-result.controller.ts';
import { PublicSdkInterceptor } from './public-sdk/public-sdk.interceptor.ts';
import { Cursors } from './timeseries/cursors.ts';
import { MindfulnessMinutesController } from './timeseries/mindfulness-minutes.controller.ts';
import { ListUsersController } from './users/list-users.controller.ts';
import { ResolveUserController } from './users/resolve-user.controller.ts';

export interface ReadsParts {
  readonly config: Pick<ServiceConfig, 'profile'>;
  readonly pageCursors: Cursors;
}

/** The five operations. They need the `HealthDataSource` from a global module. */
@Module({})
export class ReadsModule {
  static with({ config, pageCursors }: ReadsParts): DynamicModule {
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
        { provide: Cursors, useValue: pageCursors },
        ...(config.profile === 'public-sdk'
          ? [{ provide: APP_INTERCEPTOR, useClass: PublicSdkInterceptor }]
          : []),
      ],
    };
  }
}
