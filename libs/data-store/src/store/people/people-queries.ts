import type { Kysely, SelectQueryBuilder } from 'kysely';
import type { PersonFacts } from '../../people/person-facts.ts';
import type { Candidate, CandidatePlace, TokenQuery } from '../../people/search-tiers.ts';
import { uuidBytes, type StoreSchema } from '../schema.ts';

export type PeopleWith = (
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  tokens: TokenQuery,
) => SelectQueryBuilder<StoreSchema, 'people', object>;

/** Who has the tokens, in an order that stays, behind a place in it. */
export type PeopleBehind = (
  db: Kysely<StoreSchema>,
  of: {
    readonly team: Uint8Array;
    readonly tokens: TokenQuery;
    readonly after: CandidatePlace | undefined;
    readonly limit: number;
  },
) => Promise<readonly { readonly facts: string; readonly place: CandidatePlace }[]>;

export async function peopleWithTokens(
  db: Kysely<StoreSchema>,
  peopleWith: PeopleWith,
  { team, tokens, most }: { team: Uint8Array; tokens: TokenQuery; most: number },
): Promise<PersonFacts[]> {
  const rows = await peopleWith(db, team, tokens).select('people.facts').limit(most).execute();
  return rows.map(factsOf);
}

export async function candidatesBehind(
  db: Kysely<StoreSchema>,
  peopleBehind: PeopleBehind,
  of: Parameters<PeopleBehind>[1],
): Promise<Candidate[]> {
  const rows = await peopleBehind(db, of);
  return rows.map(({ place, ...row }) => ({ place, facts: factsOf(row) }));
}

export async function personOfId(
  db: Kysely<StoreSchema>,
  team: Uint8Array,
  uuid: string,
  labs: boolean,
): Promise<PersonFacts[]> {
  const id = uuidBytes(uuid);
  if (id === undefined) {
    return [];
  }
  const byOrder = db
    .selectFrom('orders')
    .select('orders.user_id')
    .where('orders.team_id', '=', team)
    .where('orders.order_id', '=', id);
  const rows = await db
    .selectFrom('people')
    .select('people.facts')
    .where('people.team_id', '=', team)
    .where((where) =>
      where.or([
        where('people.user_id', '=', id),
        ...(labs ? [where('people.user_id', 'in', byOrder)] : []),
      ]),
    )
    .execute();
  return rows.map(factsOf);
}

function factsOf({ facts }: { facts: string }): PersonFacts {
  return JSON.parse(facts) as PersonFacts;
}
