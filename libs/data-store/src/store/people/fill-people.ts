import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import { BEGIN_ON_POSTGRES } from '../import-database.ts';
import { findRows } from '../keyed-rows.ts';
import { storeSchema, type PersonKey, type StoreSchema } from '../schema.ts';
import { postgresPeopleIndex } from './people-index.ts';
import { rebuildPeople } from './rebuild-people.ts';

const PEOPLE_AT_ONCE = 5000;

/** Rebuilds the index of all people on PostgreSQL, within an open transaction of this connection. */
export async function fillPeople(client: pg.ClientBase): Promise<void> {
  await client.query(BEGIN_ON_POSTGRES);
  const connection = { query: client.query.bind(client), release: () => undefined };
  const pool = {
    options: {},
    connect: () => Promise.resolve(connection as never),
    end: () => Promise.resolve(),
  };
  const db = new Kysely<StoreSchema>({ dialect: new PostgresDialect({ pool }) });
  let last: PersonKey = { team_id: new Uint8Array(), user_id: new Uint8Array() };
  for (;;) {
    const people = await db
      .selectFrom('users')
      .select(['team_id', 'user_id'])
      .where((eb) =>
        eb(eb.refTuple('team_id', 'user_id'), '>', eb.tuple(last.team_id, last.user_id)),
      )
      .orderBy('team_id')
      .orderBy('user_id')
      .limit(PEOPLE_AT_ONCE)
      .execute();
    const end = people.at(-1);
    if (end === undefined) {
      break;
    }
    await rebuildPeople(
      {
        find: (table, columns, keys) => findRows(db, 'postgres', table, columns, keys),
        putPeople: (found) => postgresPeopleIndex.put(db, found),
      },
      people,
    );
    last = end;
  }
  await client.query(
    `set local enable_hashjoin to default; set local enable_mergejoin to default;
      set local search_path to default; analyze ${storeSchema}.people`,
  );
}
