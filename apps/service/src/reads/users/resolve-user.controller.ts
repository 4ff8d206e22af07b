import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import { validateResolveUserParams } from '@caregate/domain/validate';
import type { FastifyRequest } from 'fastify';
import { Operation } from '../../access/operation.decorator.ts';
import { principalOf } from '../../access/principal.ts';
import { HEALTH_DATA_SOURCE, type HealthDataSource } from '../../source/health-data-source.ts';
import { recordDisclosure } from '../../http/disclosure.ts';
import { callOf } from '../source-call.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-type.ts';
import { orNotFound, noQuery, pathOf } from '../../http/parameters.ts';

@Controller()
export class ResolveUserController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HEALTH_DATA_SOURCE) source: HealthDataSource) {
    this.#source = source;
  }

  @Get('v2/user/resolve/:client_user_id')
  @Operation('resolveUser')
  @Header('content-type', JSON_MEDIA_TYPE)
  async resolve(@Req() request: FastifyRequest): Promise<string> {
    const { teamId } = principalOf(request);
    const { client_user_id: clientUserId } = pathOf(request, validateResolveUserParams);
    noQuery(request);
    const { body, userId } = orNotFound(
      await this.#source.resolveUser(teamId, clientUserId, callOf(request)),
    );
    recordDisclosure(request, { patients: [userId], recordCount: 1 });
    return body;
  }
}
