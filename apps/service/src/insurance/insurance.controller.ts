import { Controller, Get, Param, Query } from '@nestjs/common';
import type { LatestInsuranceParams, LatestInsuranceQuery } from '@caregate/domain';
import {
  validateLatestInsuranceParams,
  validateLatestInsuranceQuery,
} from '@caregate/domain/validate';
import { CurrentCaller, Caller } from '../auth/caller.ts';
import { Operation } from '../auth/operation.decorator.ts';
import type { Answer } from '../common/answer.ts';
import { InsuranceService } from './insurance.service.ts';

@Controller('v2/user/:user_id/insurance')
export class InsuranceController {
  constructor(private readonly insurance: InsuranceService) {}

  @Get('latest')
  @Operation('latestInsurance')
  getLatestInsurance(
    @CurrentCaller() caller: Caller,
    @Param({ schema: validateLatestInsuranceParams }) { user_id }: LatestInsuranceParams,
    @Query({ schema: validateLatestInsuranceQuery }) { is_primary }: LatestInsuranceQuery,
  ): Promise<Answer> {
    return this.insurance.getLatestInsurance(caller, user_id, is_primary ?? true);
  }
}
