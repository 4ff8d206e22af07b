import { withoutLabs } from '../../people/person-facts.ts';
import { findLastSeen } from '../../people/search-people.ts';
import { listTokens } from '../../people/search-tokens.ts';
import type { ImportDatabase } from '../import-database.ts';
import { joinKey, type PersonKey, formatUuid } from '../schema.ts';
import { collectPersonFacts } from './person-row.ts';

const batch = 500;

type PeopleDatabase = Pick<ImportDatabase, 'find' | 'putPeople'>;

/**
 * Rebuilds these people's rows in the index from all of their stored records, within the transaction that changed
 * them.
 */
export async function rebuildPeople(
  db: PeopleDatabase,
  people: readonly PersonKey[],
): Promise<void> {
  for (let from = 0; from < people.length; from += batch) {
    await rebuildBatch(db, people.slice(from, from + batch));
  }
}

async function rebuildBatch(db: PeopleDatabase, people: readonly PersonKey[]): Promise<void> {
  const ids = ['team_id', 'user_id'] as const;
  const infos = groupByPerson(await db.find('user_infos', [...ids, 'recorded_us', 'body'], people));
  const insurances = groupByPerson(
    await db.find('insurances', [...ids, 'recorded_us', 'body'], people),
  );
  const orders = groupByPerson(await db.find('orders', [...ids, 'person'], people));
  const before = groupByPerson(await db.find('people', [...ids, 'number', 'facts'], people));
  const users = await db.find('users', [...ids, 'client_user_id', 'body'], people);
  const changed = users.flatMap(({ team_id, user_id, client_user_id, body }) => {
    const key = joinKey(team_id, user_id);
    const facts = collectPersonFacts({
      userId: formatUuid(user_id),
      clientUserId: client_user_id,
      user: body,
      infos: infos.get(key) ?? [],
      insurances: insurances.get(key) ?? [],
      orders: (orders.get(key) ?? []).map(({ person }) => person),
    });
    const [row] = before.get(key) ?? [];
    const text = JSON.stringify(facts);
    return row?.facts === text
      ? []
      : [
          {
            ...{ team_id, user_id, number: row?.number, facts: text },
            lastSeen: findLastSeen(facts.facts) ?? '',
            tokens: listTokens(facts),
            tokensWithoutLabs: listTokens(withoutLabs(facts)),
          },
        ];
  });
  await db.putPeople(changed);
}

function groupByPerson<Row extends PersonKey>(rows: readonly Row[]): Map<string, Row[]> {
  return Map.groupBy(rows, ({ team_id, user_id }) => joinKey(team_id, user_id));
}
