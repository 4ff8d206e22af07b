import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import { validateLabOrderResultParams } from '@caregate/domain/validate';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../../access/operation.decorator.ts';
import { principalOf } from '../../access/principal.ts';
import { HEALTH_DATA_SOURCE, type HealthDataSource } from '../../source/health-data-source.ts';
import { recordDisclosure } from '../../http/disclosure.ts';
import { callOf } from '../source-call.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-type.ts';
import { orNotFound, noQuery, pathOf } from '../../http/parameters.ts';

@Controller()
export class LabOrderResultController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HEALTH_DATA_SOURCE) source: HealthDataSource) {
    this.#source = source;
  }

  @Get('v3/order/:order_id/result')
  @Operation('labOrderResult')
  @Header('content-type', JSON_MEDIA_TYPE)
  async result(@Req() request: FastifyRequest): Promise<string> {
    const { teamId } = principalOf(request);
    const { order_id: orderId } = pathOf(request, validateLabOrderResultParams);
    noQuery(request);
    const { body, userId } = orNotFound(
      await this.#source.labOrderResult(teamId, orderId, callOf(request)),
    );
    recordDisclosure(
      request,
      userId === undefined
        ? { patients: [], unnamedPatients: 1, recordCount: 1 }
        : { patients: [userId], recordCount: 1 },
    );
    return body;
  }
}
