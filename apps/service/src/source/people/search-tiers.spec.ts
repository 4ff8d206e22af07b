import { describe, expect, it } from '@jest/globals';
import { peopleQueryOf, type PeopleQuery } from './people-query.ts';
import { searchIndex, type TokenQuery } from './search-tiers.ts';

const team = 'a0000000-0000-4000-8000-000000000001';

function queryOf(text: string): PeopleQuery {
  const query = peopleQueryOf(text);
  if ('reason' in query) {
    throw new Error(query.reason);
  }
  return query;
}

/** What is looked up where each step has more people than are compared, and none of them is who is asked for. */
async function lookedUp(text: string): Promise<readonly TokenQuery[]> {
  const asked: TokenQuery[] = [];
  const others = Array.from({ length: 120 }, (_, n) => ({
    ...{ userId: String(n), clientUserId: undefined, facts: [] },
  }));
  const lookUp = (tokens: TokenQuery): Promise<typeof others> => {
    asked.push(tokens);
    return Promise.resolve(others);
  };
  await searchIndex(team, queryOf(text), 8, lookUp, (facts) => facts);
  return asked;
}

describe('the end of a phone number that is in more numbers than are compared', () => {
  it.each(['4144', '41445'])(
    'is looked up once where no more parts narrow it: %s',
    async (text) => {
      const asked = (await lookedUp(text)).map((tokens) => JSON.stringify(tokens));
      expect(asked).toEqual([...new Set(asked)]);
    },
  );

  it('is looked up by all of its parts where there are more', async () => {
    const phones = await lookedUp('414455');
    expect(phones.slice(0, 3).map((tokens) => tokens.length)).toEqual([1, 2, 3]);
  });
});
