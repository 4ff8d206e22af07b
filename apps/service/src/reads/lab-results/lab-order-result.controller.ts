import { Controller, Get, Header, Inject, Param, Query } from '@nestjs/common';
import type { LabOrderResultParams, NoQuery } from '@caregate/domain';
import { validateLabOrderResultParams, validateNoQuery } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { HealthDataSource, type SourceCall } from '../../source/health-data-source.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { CurrentCall } from '../current-call.decorator.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { orNotFound, ProblemError } from '../../problem/problem-error.ts';

@Controller()
export class LabOrderResultController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HealthDataSource) source: HealthDataSource) {
    this.#source = source;
  }

  @Get('v3/order/:order_id/result')
  @Operation('labOrderResult')
  @Header('content-type', JSON_MEDIA_TYPE)
  async result(
    @CurrentPrincipal() { teamId }: AllowedPrincipal,
    @Param({ schema: validateLabOrderResultParams }) { order_id }: LabOrderResultParams,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string> {
    const result = orNotFound(await this.#source.labOrderResult(teamId, order_id, call));
    if (result.body === undefined) {
      disclose({ patients: result.userId === undefined ? [] : [result.userId], recordCount: 0 });
      const { orderStatus } = result;
      throw new ProblemError({
        type: 'no-result',
        ...(/^[\w.-]{1,100}$/u.test(orderStatus ?? '') && { orderStatus }),
      });
    }
    const { body, userId } = result;
    disclose(
      userId === undefined
        ? { patients: [], unnamedPatients: 1, recordCount: 1 }
        : { patients: [userId], recordCount: 1 },
    );
    return body;
  }
}
