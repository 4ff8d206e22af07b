import { sql, type AliasedRawBuilder, type Kysely } from 'kysely';
import type {
  ChangeKey,
  ChangesQuery,
  DatedRecords,
  IdsQuery,
  InsuranceRecord,
  NameQuery,
  OrderRecord,
  OrderRecordsQuery,
  PersonRecord,
  PointKey,
  PointRecord,
  PointsQuery,
} from '../health-data.ts';
import { toIdBytes, parseUuid, formatUuid, type StoreSchema } from './schema.ts';
import type { NameMatches } from '../people/search-people.ts';
import { TeamPeople } from './people/team-people.ts';
import { toPointKey, selectPointSources, selectPoints, castRowCount } from './points.ts';
import type { SqlEngine } from './sql-store.ts';

/** Number of commits that are read in one step. */
const COMMITS = 2000;
const LAST_ID = Buffer.alloc(16, 0xff);

/** Reads the records of a team with the time of the commit that last changed them. */
export class SqlRecords implements DatedRecords {
  readonly #engine: SqlEngine;
  readonly #db: Kysely<StoreSchema>;
  readonly #team: Uint8Array;

  constructor(engine: SqlEngine, team: Uint8Array) {
    this.#engine = engine;
    this.#db = engine.adHoc;
    this.#team = team;
  }

  findByName({ query, after, labs, limit }: NameQuery): Promise<NameMatches> {
    return new TeamPeople(this.#db, this.#engine.people, this.#team, labs).findEveryone(
      query,
      after,
      limit,
    );
  }

  async listPeople(ids: readonly string[]): Promise<PersonRecord[]> {
    const users = ids.flatMap((id) => parseUuid(id) ?? []);
    if (users.length === 0) {
      return [];
    }
    const rows = await this.#db
      .selectFrom('users')
      .select((eb) => {
        // Look up each by its key. With a join, PostgreSQL reads all infos of the team.
        const latest = eb
          .selectFrom('user_infos')
          .whereRef('user_infos.team_id', '=', 'users.team_id')
          .whereRef('user_infos.user_id', '=', 'users.user_id')
          .orderBy('user_infos.recorded_us', 'desc')
          .limit(1);
        return [
          ...(['users.user_id', 'users.body as user'] as const),
          selectChangedUs(this.#db, 'users', 'changed_us'),
          latest.select('user_infos.body').as('info'),
          latest.select(selectChangedUs(this.#db, 'user_infos', 'info_us')).as('info_us'),
        ];
      })
      .where('users.team_id', '=', this.#team)
      .where('users.user_id', 'in', users)
      .execute();
    return rows.map((row) => ({
      ...{ userId: formatUuid(row.user_id), user: row.user, info: row.info ?? undefined },
      changedUs: Math.max(row.changed_us, row.info_us ?? 0),
    }));
  }

  async listUserIds(query: IdsQuery): Promise<string[]> {
    const { after, limit } = query;
    const rows = await this.#db
      .selectFrom('users')
      .select('user_id')
      .where('team_id', '=', this.#team)
      .where('user_id', '>', after === undefined ? new Uint8Array() : toIdBytes(after))
      .orderBy('user_id')
      .limit(limit)
      .execute();
    return rows.map((row) => formatUuid(row.user_id));
  }

  /** Reads commits step by step with pauses, since they belong to all teams. */
  async listChangedPeople(query: ChangesQuery, pause?: () => Promise<void>): Promise<ChangeKey[]> {
    const { after, limit } = query;
    const keys: ChangeKey[] = [];
    for (let from = Math.max(query.fromUs, after?.changedUs ?? query.fromUs); ;) {
      const behind = await this.#db
        .selectFrom('commits')
        .select('changed_us')
        .where('changed_us', '>=', from)
        .orderBy('changed_us')
        .offset(COMMITS)
        .limit(1)
        .executeTakeFirst();
      const end = Math.min(query.untilUs, behind?.changed_us ?? Infinity);
      keys.push(...(await this.#findChangedWithin({ ...query, fromUs: from, untilUs: end })));
      if (keys.length >= limit || end === query.untilUs) {
        return keys.slice(0, limit);
      }
      from = end + 1;
      await pause?.();
    }
  }

  async #findChangedWithin({ fromUs, untilUs, after, limit }: ChangesQuery): Promise<ChangeKey[]> {
    const found = await Promise.all(
      (['users', 'user_infos'] as const).map((table) =>
        this.#db
          .selectFrom('commits')
          // SQLite keeps the order of a cross join: commits in their order, then the index of each commit's people.
          .crossJoin(`${table as 'users'} as changed`)
          .select(['commits.changed_us', 'changed.user_id'])
          .distinct()
          .where('changed.team_id', '=', this.#team)
          .whereRef('changed.changed_in', '=', 'commits.number')
          .where('commits.changed_us', '>=', fromUs)
          .where('commits.changed_us', '<=', untilUs)
          .$if(after !== undefined, (query) =>
            query.where(
              sql<boolean>`(commits.changed_us, changed.user_id) > (${after?.changedUs}, ${parseUuid(after?.userId ?? '')})`,
            ),
          )
          .orderBy('commits.changed_us')
          .orderBy('changed.user_id')
          .limit(limit)
          .execute(),
      ),
    );
    const keys = found
      .flat()
      .map((row) => ({ changedUs: row.changed_us, userId: formatUuid(row.user_id) }))
      .toSorted((a, b) => a.changedUs - b.changedUs || (a.userId < b.userId ? -1 : 1));
    return keys
      .filter(
        ({ changedUs: us, userId }, at) =>
          us !== keys[at - 1]?.changedUs || userId !== keys[at - 1]?.userId,
      )
      .slice(0, limit);
  }

  /** Returns the latest insurance of each kind. */
  async listInsurances(userId: string): Promise<InsuranceRecord[]> {
    const latest = await Promise.all(
      [1, 0].map((isPrimary) =>
        this.#db
          .selectFrom('insurances')
          .select(['is_primary', 'body', selectChangedUs(this.#db, 'insurances', 'changed_us')])
          .where('team_id', '=', this.#team)
          .where('user_id', '=', toIdBytes(userId))
          .where('is_primary', '=', isPrimary)
          .orderBy('recorded_us', 'desc')
          .limit(sql.lit(1))
          .execute(),
      ),
    );
    return latest.flat().map((row) => ({
      ...{ isPrimary: row.is_primary === 1, body: row.body, changedUs: row.changed_us },
    }));
  }

  async listOrders({ of, withResult, after, limit }: OrderRecordsQuery): Promise<OrderRecord[]> {
    let query = selectOrders(this.#db, withResult).where('orders.team_id', '=', this.#team);
    if ('orderId' in of) {
      query = query.where('orders.order_id', '=', toIdBytes(of.orderId));
    } else {
      const last = after === undefined ? LAST_ID : toIdBytes(after.orderId);
      query = query
        .where('orders.user_id', '=', toIdBytes(of.userId))
        .where((where) =>
          where(
            where.refTuple('orders.created_us', 'orders.order_id'),
            '<',
            where.tuple(after?.createdUs ?? Number.MAX_SAFE_INTEGER, last),
          ),
        )
        .orderBy('orders.created_us', 'desc')
        .orderBy('orders.order_id', 'desc')
        .limit(castRowCount(limit));
    }
    const rows = await query.execute();
    return rows.map(({ result, result_us: resultUs, ...row }) => ({
      orderId: formatUuid(row.order_id),
      userId: formatUuid(row.user_id),
      createdUs: row.created_us,
      order: row.body,
      changedUs: row.changed_us,
      result:
        typeof result === 'string' && typeof resultUs === 'number'
          ? { body: result, changedUs: resultUs }
          : undefined,
    }));
  }

  async listPoints(query: PointsQuery<PointKey>): Promise<PointRecord[]> {
    const [team, user] = [this.#team, toIdBytes(query.userId)];
    const rows = await selectPoints(this.#db, team, user, query)
      .select([
        ...(['start_us', 'provider', 'type', 'end_us', 'body'] as const),
        selectChangedUs(this.#db, 'mindfulness_minutes', 'changed_us'),
      ])
      .execute();
    const sources = await selectPointSources(this.#engine.db, { team, user });
    return rows.map((row) => ({
      ...{ ...toPointKey(row), body: row.body, changedUs: row.changed_us },
      source:
        sources.find(({ provider, type }) => provider === row.provider && type === row.type)
          ?.body ?? JSON.stringify({ provider: row.provider, type: row.type }),
    }));
  }
}

function selectOrders(db: Kysely<StoreSchema>, withResult: boolean) {
  return db
    .selectFrom('orders')
    .select([
      ...(['orders.order_id', 'orders.user_id', 'orders.created_us', 'orders.body'] as const),
      selectChangedUs(db, 'orders', 'changed_us'),
    ])
    .$if(withResult, (query) =>
      query
        .innerJoin('lab_results', (join) =>
          join
            .onRef('lab_results.team_id', '=', 'orders.team_id')
            .onRef('lab_results.order_id', '=', 'orders.order_id'),
        )
        .select(['lab_results.body as result', selectChangedUs(db, 'lab_results', 'result_us')]),
    );
}

function selectChangedUs<Name extends string>(
  db: Kysely<StoreSchema>,
  table: 'users' | 'user_infos' | 'insurances' | 'orders' | 'lab_results' | 'mindfulness_minutes',
  name: Name,
): AliasedRawBuilder<number, Name> {
  const commit = db
    .selectFrom('commits')
    .select('commits.changed_us')
    .where('commits.number', '=', sql.ref<number>(`${table}.changed_in`));
  return sql<number>`(${commit})`.as(name);
}
