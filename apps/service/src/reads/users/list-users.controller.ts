import { Controller, Get, Header, Inject, Req } from '@nestjs/common';
import { validateListUsersQuery } from '@caregate/domain/validate';
import type { FastifyRequest } from 'fastify';
import { maskUsersPage } from '../../access/mask.ts';
import { Operation } from '../../access/operation.decorator.ts';
import { principalOf } from '../../access/principal.ts';
import { HEALTH_DATA_SOURCE, type HealthDataSource } from '../../source/health-data-source.ts';
import { recordDisclosure } from '../../http/disclosure.ts';
import { callOf } from '../source-call.ts';
import { JSON_MEDIA_TYPE } from '../../http/media-type.ts';
import { queryOf, wholeNumber } from '../../http/parameters.ts';

const DEFAULT_LIMIT = 100;

@Controller()
export class ListUsersController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HEALTH_DATA_SOURCE) source: HealthDataSource) {
    this.#source = source;
  }

  /** `/v2/user/` is this route too (see `routable`). */
  @Get('v2/user')
  @Operation('listUsers')
  @Header('content-type', JSON_MEDIA_TYPE)
  async list(@Req() request: FastifyRequest): Promise<string> {
    const principal = principalOf(request);
    const query = queryOf(
      request,
      { offset: wholeNumber, limit: wholeNumber },
      validateListUsersQuery,
    );
    const offset = query.offset ?? 0;
    const limit = query.limit ?? DEFAULT_LIMIT;
    const asked = { offset, limit };
    const page = await this.#source.listUsers(principal.teamId, asked, callOf(request));
    const { ids, total } = page;
    recordDisclosure(request, { patients: ids, recordCount: ids.length });
    const users = maskUsersPage(principal, page.users);
    // What nobody knows is for those who see all.
    const rest = principal.sees === 'all' ? (page.rest ?? '') : '';
    return `{"users":${users},"total":${total},"offset":${offset},"limit":${page.limit ?? limit}${rest}}`;
  }
}
