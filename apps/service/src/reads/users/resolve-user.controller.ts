import { Controller, Get, Header, Inject, Param, Query } from '@nestjs/common';
import type { NoQuery, ResolveUserParams } from '@caregate/domain';
import { validateNoQuery, validateResolveUserParams } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { HealthDataSource, type SourceCall } from '../../source/health-data-source.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { CurrentCall } from '../current-call.decorator.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { orNotFound } from '../../problem/problem-error.ts';

@Controller()
export class ResolveUserController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HealthDataSource) source: HealthDataSource) {
    this.#source = source;
  }

  @Get('v2/user/resolve/:client_user_id')
  @Operation('resolveUser')
  @Header('content-type', JSON_MEDIA_TYPE)
  async resolve(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Param({ schema: validateResolveUserParams }) { client_user_id }: ResolveUserParams,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string> {
    const { body, userId } = orNotFound(
      await this.#source.resolveUser(teamId, client_user_id, call),
    );
    disclose({ patients: [userId], recordCount: 1 });
    return body;
  }
}
