import { Module, type DynamicModule } from '@nestjs/common';
import { AccessStore } from '../access/access-store.ts';
import { LatestInsuranceController } from './insurance/latest-insurance.controller.ts';
import { LabOrderResultController } from './lab-results/lab-order-result.controller.ts';
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
  static with(parts: { pageSize: number }): DynamicModule {
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
      ],
    };
  }
}
