import { sql, type Kysely, type RawBuilder, type SelectQueryBuilder } from 'kysely';
import type { TokenQuery } from '../../people/search-tokens.ts';
import type { PersonKey, StoreSchema } from '../schema.ts';

type Db = Kysely<StoreSchema>;

export interface IndexedPerson extends PersonKey {
  /** Number of the person's row, if it exists. */
  readonly number: number | undefined;
  /** YYYY-MM-DD, or empty. */
  readonly lastSeen: string;
  readonly facts: string;
  /** Tokens of all facts, and tokens for callers who may not see labs. They are the same for most people. */
  readonly tokens: readonly string[];
  readonly tokensWithoutLabs: readonly string[];
}

interface Matching {
  readonly team: Uint8Array;
  readonly tokens: TokenQuery;
  readonly labs: boolean;
  readonly limit: number;
  /**
   * Returns only people with greater numbers, in ascending order. Without it, people are ordered by their latest
   * record, newest first.
   */
  readonly after?: number;
}

/** The people index of an engine. */
export interface PeopleIndex {
  /** @param people must not contain a person twice */
  put(db: Db, people: readonly IndexedPerson[]): Promise<void>;
  drop(db: Db, person: PersonKey): Promise<void>;
  /** Returns the numbers of the people who match. The greater `seen` is, the newer is the person's latest record. */
  match(
    db: Db,
    matching: Matching,
  ): SelectQueryBuilder<object, never, { number: number; seen: number | string }>;
}

/**
 * A number encodes the date of a person's newest record. FTS5 returns rows in the order of their numbers, so the
 * first people and a limited count need one scan of the index without sorting. From the highest bits: 13 for the
 * team, 15 for the date, 25 that make it unique.
 */
const DAY = 2 ** 25;
const TEAM = 2 ** 40;
const MOST_TEAMS = 2 ** 13;
const LAST_DAY = 2 ** 15 - 1;

/**
 * A person has one row with all tokens, or, if labs make a difference, one row for callers who may see labs and one
 * for others.
 */
const ROW = { forEveryone: 0, withLabs: 1, withoutLabs: 2 };
/** The row IDs of a person are its number times this, plus a value of {@link ROW}. */
const ROWS = 4;

/** A contentless FTS5 table beside the table `people`. */
export const sqlitePeopleIndex: PeopleIndex = {
  put: async (db, people) => {
    if (people.length === 0) {
      return;
    }
    // Assign new numbers before deleting old rows, so that a new person can't get a number that is still in use.
    const next = new NextNumbers(db);
    const rows: { person: IndexedPerson; number: number }[] = [];
    for (const person of people) {
      rows.push({ person, number: await next.take(person) });
    }
    await dropRows(
      db,
      people.flatMap(({ number }) => number ?? []),
    );
    rows.sort((one, other) => one.number - other.number);
    await db
      .insertInto('people')
      .values(
        rows.map(({ number, person: { team_id, user_id, facts } }) => {
          return { number, team_id, user_id, facts };
        }),
      )
      .execute();
    const indexed = rows.flatMap(({ number, person: { tokens, tokensWithoutLabs } }) => {
      const buildRow = (kind: keyof typeof ROW, some: readonly string[]): RawBuilder<unknown> =>
        sql`(${toRowId(number)} + ${sql.lit(ROW[kind])}, ${some.join(' ')})`;
      return tokens.length === tokensWithoutLabs.length
        ? [buildRow('forEveryone', tokens)]
        : [buildRow('withLabs', tokens), buildRow('withoutLabs', tokensWithoutLabs)];
    });
    await sql`insert into people_index (rowid, tokens) values ${sql.join(indexed)}`.execute(db);
  },
  drop: async (db, { team_id, user_id }) => {
    const found = await db
      .selectFrom('people')
      .select('number')
      .where('team_id', '=', team_id)
      .where('user_id', '=', user_id)
      .execute();
    await dropRows(
      db,
      found.map(({ number }) => number),
    );
  },
  match: (db, { team, tokens, labs, limit, after }) => {
    const anyPerson = db.selectFrom('people').select('number').where('team_id', '=', team).limit(1);
    const numbers = sql`(${anyPerson}) / ${sql.lit(TEAM)}`;
    const start = sql`${numbers} * ${sql.lit(TEAM * ROWS)}`;
    const from =
      after === undefined ? start : sql`max(${start}, ${toRowId(after)} + ${sql.lit(ROWS)})`;
    const number = sql<number>`found.rowid / ${sql.lit(ROWS)}`;
    const seen = labs ? ROW.withLabs : ROW.withoutLabs;
    return db
      .selectFrom(sql<{ rowid: number }>`people_index`.as('found'))
      .select([number.as('number'), number.as('seen')])
      .where(
        sql<boolean>`found.people_index match ${formatQuery(tokens, '"', ' *', ' OR ', ' AND ')}`,
      )
      .where(sql<boolean>`found.rowid >= ${from}`)
      .where(sql<boolean>`found.rowid < (${numbers} + 1) * ${sql.lit(TEAM * ROWS)}`)
      .where(sql<boolean>`found.rowid % ${sql.lit(ROWS)} in (0, ${sql.lit(seen)})`)
      .orderBy('found.rowid', after === undefined ? 'desc' : 'asc')
      .limit(limit);
  },
};

/** SQLite binds numbers as reals, which FTS5 doesn't compare with its integer row IDs. */
function toRowId(number: number): RawBuilder<number> {
  return sql`cast(${number} as integer) * ${sql.lit(ROWS)}`;
}

async function dropRows(db: Db, numbers: readonly number[]): Promise<void> {
  if (numbers.length > 0) {
    const rows = numbers.flatMap((number) =>
      Object.values(ROW).map((row) => sql`${toRowId(number)} + ${sql.lit(row)}`),
    );
    await sql`delete from people_index where rowid in (${sql.join(rows)})`.execute(db);
    await db.deleteFrom('people').where('number', 'in', numbers).execute();
  }
}

class NextNumbers {
  readonly #db: Db;
  readonly #teams = new Map<string, number>();
  readonly #next = new Map<number, number>();

  constructor(db: Db) {
    this.#db = db;
  }

  async take({ team_id: team, number: before, lastSeen }: IndexedPerson): Promise<number> {
    const day = Math.trunc(Date.parse(lastSeen) / 86_400_000) || 0;
    const start = (await this.#findTeamStart(team)) + Math.min(Math.max(day, 0), LAST_DAY) * DAY;
    if (before !== undefined && before >= start && before < start + DAY) {
      return before;
    }
    const next = this.#next.get(start) ?? ((await this.#findLastBefore(start + DAY)) ?? -1) + 1;
    const number = Math.max(start, next);
    this.#next.set(start, number + 1);
    return number;
  }

  async #findTeamStart(team: Uint8Array): Promise<number> {
    const key = Buffer.from(team).toString('hex');
    let start = this.#teams.get(key);
    if (start === undefined) {
      const one = await this.#db
        .selectFrom('people')
        .select('number')
        .where('team_id', '=', team)
        .limit(1)
        .executeTakeFirst();
      const last = one?.number ?? (await this.#findLastBefore(TEAM * MOST_TEAMS));
      const place = Math.floor((last ?? -1) / TEAM);
      const others = Array.from(this.#teams.values(), (other) => other / TEAM);
      start = (one === undefined ? Math.max(place, ...others) + 1 : place) * TEAM;
      if (start >= TEAM * MOST_TEAMS) {
        throw new Error(
          `A store on SQLite holds at most ${MOST_TEAMS} teams; use PostgreSQL for more`,
        );
      }
      this.#teams.set(key, start);
    }
    return start;
  }

  async #findLastBefore(end: number): Promise<number | undefined> {
    const last = await this.#db
      .selectFrom('people')
      .select(({ fn }) => fn.max<number | null>('number').as('number'))
      .where('number', '<', end)
      .executeTakeFirst();
    return last?.number ?? undefined;
  }
}

/** Text search vectors in columns of `people`. */
export const postgresPeopleIndex: PeopleIndex = {
  put: async (db, people) => {
    if (people.length === 0) {
      return;
    }
    const toVector = (tokens: readonly string[]): RawBuilder<unknown> =>
      sql`array_to_tsvector(${tokens}::text[])`;
    const rows = people.map(
      ({ team_id, user_id, lastSeen, facts, tokens, tokensWithoutLabs }) =>
        sql`(${team_id}, ${user_id}, ${lastSeen}, ${facts}, ${toVector(tokensWithoutLabs)},
          ${tokens.length === tokensWithoutLabs.length ? sql`null` : toVector(tokens)})`,
    );
    await sql`insert into people (team_id, user_id, last_seen, facts, tokens, lab_tokens)
      values ${sql.join(rows)} on conflict (user_id, team_id) do update set
        last_seen = excluded.last_seen, facts = excluded.facts,
        tokens = excluded.tokens, lab_tokens = excluded.lab_tokens`.execute(db);
  },
  drop: async (db, { team_id, user_id }) => {
    await db
      .deleteFrom('people')
      .where('team_id', '=', team_id)
      .where('user_id', '=', user_id)
      .execute();
  },
  match: (db, { team, tokens, labs, limit, after }) => {
    const query = formatQuery(tokens, "'", ':*', ' | ', ' & ');
    return (
      db
        .selectFrom('people')
        .select(['people.number', sql<string>`people.last_seen`.as('seen')])
        .where(hasTokens(query, labs ? ['tokens', 'lab_tokens'] : ['tokens']))
        // `is not distinct from` prevents the use of an index: without statistics, the planner would read all IDs of
        // the team.
        .where('people.team_id', 'is not distinct from', team)
        .$if(after !== undefined, (some) =>
          some.where('people.number', '>', after ?? 0).orderBy('people.number'),
        )
        .limit(limit)
    );
  },
};

const MOST_ALTERNATIVES = 8;

/** Looks up each alternative on its own. With one combined query, the planner would read the whole table. */
function hasTokens(query: string, columns: readonly string[]): RawBuilder<boolean> {
  const alternatives = query.replace(/[()]/gu, '').split(' | ');
  const matches = (table: string, value: RawBuilder<unknown>): RawBuilder<boolean> =>
    sql`(${sql.join(
      columns.map((column) => sql`${sql.id(table, column)} @@ ${value}::tsquery`),
      sql` or `,
    )})`;
  return alternatives.length <= MOST_ALTERNATIVES || query.includes(' & ')
    ? matches('people', sql`${query}`)
    : sql<boolean>`people.number in (select one.number
        from unnest(${alternatives}::text[]) as near(token)
        cross join lateral (select number from ${sql.table('people')} as each
          where ${matches('each', sql`near.token`)} offset 0) as one)`;
}

/** Formats a tsquery. Tokens only have letters, digits and their prefixes, so they need no escaping. */
function formatQuery(
  tokens: TokenQuery,
  quote: string,
  prefix: string,
  or: string,
  and: string,
): string {
  const lists = tokens.map((list) =>
    list.map((token) =>
      token.endsWith('*')
        ? `${quote}${token.slice(0, -1)}${quote}${prefix}`
        : `${quote}${token}${quote}`,
    ),
  );
  return lists.map((list) => `(${list.join(or)})`).join(and);
}
