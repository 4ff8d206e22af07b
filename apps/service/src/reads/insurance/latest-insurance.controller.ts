import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import {
  validateLatestInsuranceParams,
  validateLatestInsuranceQuery,
} from '@caregate/domain/validate';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../../access/operation.decorator.ts';
import { principalOf } from '../../access/principal.ts';
import { ProblemError } from '../../problem/problem-error.ts';
import { HEALTH_DATA_SOURCE, type HealthDataSource } from '../../source/health-data-source.ts';
import { noInsuranceDetail } from '../../source/no-insurance.ts';
import { recordDisclosure } from '../../http/disclosure.ts';
import { callOf } from '../source-call.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-type.ts';
import { orNotFound, pathOf, queryOf, trueOrFalse } from '../../http/parameters.ts';

@Controller()
export class LatestInsuranceController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HEALTH_DATA_SOURCE) source: HealthDataSource) {
    this.#source = source;
  }

  @Get('v2/user/:user_id/insurance/latest')
  @Operation('latestInsurance')
  @Header('content-type', JSON_MEDIA_TYPE)
  async latest(@Req() request: FastifyRequest): Promise<string> {
    const { teamId } = principalOf(request);
    const { user_id: userId } = pathOf(request, validateLatestInsuranceParams);
    const query = queryOf(request, { is_primary: trueOrFalse }, validateLatestInsuranceQuery);
    const isPrimary = query.is_primary ?? true;
    const insurance = await this.#source.latestInsurance(
      teamId,
      userId,
      isPrimary,
      callOf(request),
    );
    if (insurance === 'no-insurance') {
      throw new ProblemError({ type: 'not-found', detail: noInsuranceDetail(isPrimary) });
    }
    const { body, userId: patient } = orNotFound(insurance === 'no-user' ? undefined : insurance);
    recordDisclosure(request, { patients: [patient], recordCount: 1 });
    return body;
  }
}
