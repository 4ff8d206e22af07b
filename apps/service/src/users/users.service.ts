import { Injectable } from '@nestjs/common';
import type { FoundPeople, ListUsersQuery, PeopleSearch } from '@caregate/domain';
import type { Caller } from '../auth/caller.ts';
import { Answer } from '../common/answer.ts';
import { createInvalidParameterError, ProblemError } from '../problem/problem-error.ts';
import { HealthDataSource, parsePeopleQuery } from '@caregate/data-store';
import { maskUsersPage } from './masked-users.ts';

const DEFAULT_LIMIT = 100;
/** As many as the desktop shows without scrolling. */
const DEFAULT_SEARCH_LIMIT = 8;

@Injectable()
export class UsersService {
  constructor(private readonly data: HealthDataSource) {}

  async list(caller: Caller, query: ListUsersQuery): Promise<Answer> {
    const [offset, limit] = [query.offset ?? 0, query.limit ?? DEFAULT_LIMIT];
    const page = await this.data.listUsers(caller.teamId, { offset, limit }, caller);
    const body = caller.sees === 'all' ? page.body : maskUsersPage(page.body);
    return new Answer(body, { patients: page.ids, recordCount: page.ids.length });
  }

  /** @throws ProblemError 404, with the type `no-user-info` if the user exists but has no info */
  async getUserInfo(caller: Caller, userId: string): Promise<Answer> {
    const info = await this.data.getUserInfo(caller.teamId, userId, caller);
    if (info === 'no-info') {
      throw new ProblemError({ type: 'no-user-info' });
    }
    return Answer.fromStored(info === 'no-user' ? undefined : info);
  }

  /** @throws ProblemError 422 if the text is too short to search for, 501 if an upstream has no search */
  async search(
    caller: Caller,
    { text, limit = DEFAULT_SEARCH_LIMIT }: PeopleSearch,
  ): Promise<Answer> {
    const query = parsePeopleQuery(text);
    if ('reason' in query) {
      throw createInvalidParameterError({ parameter: 'text', reason: query.reason });
    }
    const labs = caller.allows('labOrderResult');
    const found = await this.data.searchPeople(caller.teamId, { query, limit, labs }, caller);
    const { people, total, more, searched } = found;
    return new Answer(JSON.stringify({ people, searched, total, more } satisfies FoundPeople), {
      patients: people.map(({ user_id }) => user_id),
      recordCount: people.length,
      shown: 'listed',
    });
  }
}
