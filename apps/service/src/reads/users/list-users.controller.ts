import { Controller, Get, Header, Inject, Query } from '@nestjs/common';
import type { ListUsersQuery } from '@caregate/domain';
import { validateListUsersQuery } from '@caregate/domain/validate';
import { maskUsersPage } from '../../access/mask.ts';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { HealthDataSource, type SourceCall } from '../../source/health-data-source.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { CurrentCall } from '../current-call.decorator.ts';
import { bytesIfLong, JSON_MEDIA_TYPE } from '../../http/json-answer.ts';

const DEFAULT_LIMIT = 100;

@Controller()
export class ListUsersController {
  readonly #source: HealthDataSource;

  constructor(@Inject(HealthDataSource) source: HealthDataSource) {
    this.#source = source;
  }

  /** `/v2/user/` is this route too (see `routable`). */
  @Get('v2/user')
  @Operation('listUsers')
  @Header('content-type', JSON_MEDIA_TYPE)
  async list(
    @CurrentPrincipal() principal: AllowedPrincipal,
    @Query({ schema: validateListUsersQuery }) query: ListUsersQuery,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string | Buffer> {
    const offset = query.offset ?? 0;
    const limit = query.limit ?? DEFAULT_LIMIT;
    const page = await this.#source.listUsers(principal.teamId, { offset, limit }, call);
    const { ids, total } = page;
    disclose({ patients: ids, recordCount: ids.length });
    const users = maskUsersPage(principal, page.users);
    // What nobody knows is for those who see all.
    const rest = principal.sees === 'all' ? (page.rest ?? '') : '';
    return bytesIfLong(
      '{"users":[',
      users,
      `],"total":${total},"offset":${offset},"limit":${page.limit ?? limit}${rest}}`,
    );
  }
}
