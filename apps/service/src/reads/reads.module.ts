import { Module, type DynamicModule } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { ServiceConfig } from '../config/service-config.ts';
import { LatestInsuranceController } from './insurance/latest-insurance.controller.ts';
import { LabOrderResultController } from './lab-results/lab-order-result.controller.ts';
import { Permissions, type PermissionTable } from '../operations/permission-table.ts';
import { ListOrdersController } from './orders/list-orders.controller.ts';
import { OrderHistoryController } from './orders/order-history.controller.ts';
import { SearchPeopleController } from './people/search-people.controller.ts';
import { PublicSdkInterceptor } from './public-sdk/public-sdk.interceptor.ts';
import { Cursors } from './timeseries/cursors.ts';
import { MindfulnessMinutesController } from './timeseries/mindfulness-minutes.controller.ts';
import { ListUsersController } from './users/list-users.controller.ts';
import { ResolveUserController } from './users/resolve-user.controller.ts';
import { UserInfoController } from './users/user-info.controller.ts';

export interface ReadsParts {
  readonly config: Pick<ServiceConfig, 'profile'>;
  readonly pageCursors: Cursors;
  readonly permissions: PermissionTable;
}

/** The reads. They need the `HealthDataSource` from a global module. */
@Module({})
export class ReadsModule {
  static with({ config, pageCursors, permissions }: ReadsParts): DynamicModule {
    return {
      module: ReadsModule,
      controllers: [
        ListUsersController,
        ResolveUserController,
        LatestInsuranceController,
        LabOrderResultController,
        MindfulnessMinutesController,
        UserInfoController,
        ListOrdersController,
        OrderHistoryController,
        SearchPeopleController,
      ],
      providers: [
        { provide: Cursors, useValue: pageCursors },
        { provide: Permissions, useValue: new Permissions(permissions) },
        ...(config.profile === 'public-sdk'
          ? [{ provide: APP_INTERCEPTOR, useClass: PublicSdkInterceptor }]
          : []),
      ],
    };
  }
}
