import { sql, type Kysely } from 'kysely';
import type { PersonKey, StoreSchema } from '../schema.ts';

/** How an engine keeps the tokens by which people are found. */
export interface PeopleIndex {
  /** @param people each only once */
  put(db: Kysely<StoreSchema>, people: readonly SearchedPerson[]): Promise<void>;
  drop(db: Kysely<StoreSchema>, person: PersonKey): Promise<void>;
}

export type SearchedPerson = StoreSchema['people'] & { readonly tokens: readonly number[] };

export function tokenText(token: number): string {
  return (token >>> 0).toString(36);
}

/** An FTS5 table beside `people`, by the number of its row. */
export const sqlitePeopleIndex: PeopleIndex = {
  put: async (db, people) => {
    for (const { team_id, user_id, facts, tokens } of people) {
      const put = sql<{ number: number }>`insert into people (team_id, user_id, facts)
        values (${team_id}, ${user_id}, ${facts})
        on conflict (team_id, user_id) do update set facts = excluded.facts returning number`;
      const number = (await put.execute(db)).rows[0]?.number;
      const text = tokens.map(tokenText).join(' ');
      await sql`delete from people_index where rowid = ${number}`.execute(db);
      await sql`insert into people_index (rowid, tokens) values (${number}, ${text})`.execute(db);
    }
  },
  drop: async (db, { team_id, user_id }) => {
    const drop = sql<{ number: number }>`delete from people
      where team_id = ${team_id} and user_id = ${user_id} returning number`;
    for (const { number } of (await drop.execute(db)).rows) {
      await sql`delete from people_index where rowid = ${number}`.execute(db);
    }
  },
};

/** A column of `people`. */
export const postgresPeopleIndex: PeopleIndex = {
  put: async (db, people) => {
    if (people.length === 0) {
      return;
    }
    const rows = people.map(
      ({ team_id, user_id, facts, tokens }) =>
        sql`(${team_id}, ${user_id}, ${facts}, ${`{${tokens.join(',')}}`}::integer[])`,
    );
    await sql`insert into people (team_id, user_id, facts, tokens) values ${sql.join(rows)}
      on conflict (team_id, user_id)
      do update set facts = excluded.facts, tokens = excluded.tokens`.execute(db);
  },
  drop: async (db, { team_id, user_id }) => {
    await db
      .deleteFrom('people')
      .where('team_id', '=', team_id)
      .where('user_id', '=', user_id)
      .execute();
  },
};
