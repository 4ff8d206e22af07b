import { Body, Controller, Header, HttpCode, Inject, Post, Query } from '@nestjs/common';
import type { FoundPeople, NoQuery, PeopleSearch } from '@caregate/domain';
import { validateNoQuery, validatePeopleSearch } from '@caregate/domain/validate';
import { Operation } from '../../access/operation.decorator.ts';
import { CurrentPrincipal } from '../../access/current-principal.decorator.ts';
import type { AllowedPrincipal } from '../../access/principal.ts';
import { CurrentDisclosure, type Disclose } from '../../http/disclosure.ts';
import { JSON_MEDIA_TYPE } from '../../http/json-answer.ts';
import { Permissions } from '../../operations/permission-table.ts';
import { invalidParameters } from '../../problem/problem-error.ts';
import { HealthDataSource, type SourceCall } from '../../source/health-data-source.ts';
import { peopleQueryOf } from '../../source/people/people-query.ts';
import { CurrentCall } from '../current-call.decorator.ts';

/** What is shown while somebody types. */
const DEFAULT_LIMIT = 8;

@Controller()
export class SearchPeopleController {
  readonly #source: HealthDataSource;
  readonly #permissions: Permissions;

  constructor(
    @Inject(HealthDataSource) source: HealthDataSource,
    @Inject(Permissions) permissions: Permissions,
  ) {
    this.#source = source;
    this.#permissions = permissions;
  }

  @Post('desk/people/search')
  @HttpCode(200)
  @Operation('searchPeople')
  @Header('content-type', JSON_MEDIA_TYPE)
  async search(
    @CurrentPrincipal() principal: AllowedPrincipal,
    @Query({ schema: validateNoQuery }) _query: NoQuery,
    @Body({ schema: validatePeopleSearch }) { text, limit = DEFAULT_LIMIT }: PeopleSearch,
    @CurrentCall() call: SourceCall,
    @CurrentDisclosure() disclose: Disclose,
  ): Promise<string> {
    const query = peopleQueryOf(text);
    if ('reason' in query) {
      throw invalidParameters({ parameter: 'text', reason: query.reason });
    }
    const labs = this.#permissions.allow(principal, 'labOrderResult');
    const asked = { query, limit, labs };
    const { hits, total, more, searched } = await this.#source.searchPeople(
      principal.teamId,
      asked,
      call,
    );
    const people = hits.map(({ person }) => person);
    const patients = people.map(({ user_id: userId }) => userId);
    disclose({ patients, recordCount: patients.length, shown: 'listed' });
    return JSON.stringify({ people, searched, total, more } satisfies FoundPeople);
  }
}
