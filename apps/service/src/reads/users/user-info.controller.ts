import { Controller, Get, Header, Inject, Param, Query } from '@nestjs/common';
import type { NoQuery, UserInfoParams } from '@caregate/domain';
import { validateNoQuery, validateUserInfoParams } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { HealthDataSource, type SourceCall } from '../../source/health-data-source.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { CurrentCall } from '../current-call.decorator.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { orNotFound, ProblemError } from '../../problem/problem-error.ts';

@Controller()
export class UserInfoController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HealthDataSource) source: HealthDataSource) {
    this.#source = source;
  }

  @Get('v2/user/:user_id/info/latest')
  @Operation('userInfo')
  @Header('content-type', JSON_MEDIA_TYPE)
  async latest(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Param({ schema: validateUserInfoParams }) { user_id }: UserInfoParams,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string> {
    const info = await this.#source.userInfo(teamId, user_id, call);
    if (info === 'no-info') {
      throw new ProblemError({ type: 'no-user-info' });
    }
    const { body, userId } = orNotFound(info === 'no-user' ? undefined : info);
    disclose({ patients: [userId], recordCount: 1 });
    return body;
  }
}
