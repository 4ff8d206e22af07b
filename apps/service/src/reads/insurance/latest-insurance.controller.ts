import { Controller, Get, Header, Inject, Param, Query } from '@nestjs/common';
import type { LatestInsuranceParams, LatestInsuranceQuery } from '@caregate/domain';
import {
  validateLatestInsuranceParams,
  validateLatestInsuranceQuery,
} from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { orNotFound, ProblemError } from '../../problem/problem-error.ts';
import { HealthDataSource, type SourceCall } from '../../source/health-data-source.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { CurrentCall } from '../current-call.decorator.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';

@Controller()
export class LatestInsuranceController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HealthDataSource) source: HealthDataSource) {
    this.#source = source;
  }

  @Get('v2/user/:user_id/insurance/latest')
  @Operation('latestInsurance')
  @Header('content-type', JSON_MEDIA_TYPE)
  async latest(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Param({ schema: validateLatestInsuranceParams }) { user_id }: LatestInsuranceParams,
    @Query({ schema: validateLatestInsuranceQuery }) query: LatestInsuranceQuery,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string> {
    const isPrimary = query.is_primary ?? true;
    const insurance = await this.#source.latestInsurance(teamId, user_id, isPrimary, call);
    if (insurance === 'no-insurance') {
      const kind = isPrimary ? 'primary' : 'secondary';
      const detail = `This user has no ${kind} insurance on record.`;
      throw new ProblemError({ type: 'no-insurance', detail });
    }
    const { body, userId } = orNotFound(insurance === 'no-user' ? undefined : insurance);
    disclose({ patients: [userId], recordCount: 1 });
    return body;
  }
}
