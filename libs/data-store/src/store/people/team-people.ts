import type { Kysely } from 'kysely';
import { withoutLabs, type PersonFacts } from '../../people/person-facts.ts';
import type { PeopleQuery } from '../../people/people-query.ts';
import {
  MOST_COUNTED,
  findEveryone,
  searchAmong,
  searchPeople,
  type NameMatches,
  type NameCursor,
  type SearchedPeople,
} from '../../people/search-people.ts';
import type { TokenQuery } from '../../people/search-tokens.ts';
import { parseUuid, formatUuid, type StoreSchema } from '../schema.ts';
import type { PeopleIndex } from './people-index.ts';

/** Searches the people of one team for a caller who may or may not see labs. */
export class TeamPeople {
  readonly #db: Kysely<StoreSchema>;
  readonly #index: PeopleIndex;
  readonly #team: Uint8Array;
  readonly #labs: boolean;

  constructor(db: Kysely<StoreSchema>, index: PeopleIndex, team: Uint8Array, labs: boolean) {
    this.#db = db;
    this.#index = index;
    this.#team = team;
    this.#labs = labs;
  }

  async search(query: PeopleQuery, limit: number): Promise<SearchedPeople> {
    if (query.uuid !== undefined) {
      return await searchAmong(await this.#findById(query.uuid), query, limit);
    }
    return await searchPeople(query, limit, async ({ tokens }, most, filter) => {
      if (filter === undefined) {
        return await this.#findNewest(tokens, most);
      }
      const { people } = await this.#findNewest(tokens, MOST_COUNTED);
      const matching = people.filter(filter);
      return { people: matching.slice(0, most), total: matching.length };
    });
  }

  async findEveryone(
    query: PeopleQuery,
    place: NameCursor | undefined,
    limit: number,
  ): Promise<NameMatches> {
    return await findEveryone(query, place, limit, async (tokens, after = -1) => {
      const found = this.#match(tokens, limit, after);
      const rows = await this.#db
        .selectFrom('people')
        .innerJoin(found.as('found'), 'found.number', 'people.number')
        .select(['people.number', 'people.user_id'])
        .where('people.team_id', '=', this.#team)
        .orderBy('people.number')
        .execute();
      return rows.map(({ number, user_id }) => ({ userId: formatUuid(user_id), number }));
    });
  }

  /** Returns the people with the newest records first. */
  async #findNewest(
    tokens: TokenQuery,
    limit: number,
  ): Promise<{ people: PersonFacts[]; total: number }> {
    const rows = await this.#db
      .with(
        (name) => name('found').materialized(),
        () => this.#match(tokens, MOST_COUNTED),
      )
      .with('first', (db) =>
        db
          .selectFrom('found')
          .select(['number', 'seen'])
          .orderBy('seen', 'desc')
          .orderBy('number', 'desc')
          .limit(limit),
      )
      .selectFrom('first')
      .innerJoin('people', 'people.number', 'first.number')
      .select((eb) => [
        'people.facts',
        eb.selectFrom('found').select(eb.fn.countAll<number>().as('count')).as('total'),
      ])
      .where('people.team_id', '=', this.#team)
      .orderBy('first.seen', 'desc')
      .orderBy('first.number', 'desc')
      .execute();
    return { people: rows.map(this.#parse), total: rows[0]?.total ?? 0 };
  }

  #match(tokens: TokenQuery, limit: number, after?: number): ReturnType<PeopleIndex['match']> {
    const matching = { team: this.#team, tokens, labs: this.#labs, limit };
    return this.#index.match(this.#db, after === undefined ? matching : { ...matching, after });
  }

  async #findById(uuid: string): Promise<PersonFacts[]> {
    const id = parseUuid(uuid);
    if (id === undefined) {
      return [];
    }
    const byOrder = this.#db
      .selectFrom('orders')
      .select('orders.user_id')
      .where('orders.team_id', '=', this.#team)
      .where('orders.order_id', '=', id);
    const rows = await this.#db
      .selectFrom('people')
      .select('people.facts')
      .where('people.team_id', '=', this.#team)
      .where((where) =>
        where.or([
          where('people.user_id', '=', id),
          ...(this.#labs ? [where('people.user_id', 'in', byOrder)] : []),
        ]),
      )
      .execute();
    return rows.map(this.#parse);
  }

  readonly #parse = ({ facts }: { facts: string }): PersonFacts => {
    const person = JSON.parse(facts) as PersonFacts;
    return this.#labs ? person : withoutLabs(person);
  };
}
