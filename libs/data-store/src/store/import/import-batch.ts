import type { Issue } from '@caregate/domain/validate';
import type { ImportDatabase } from '../import-database.ts';
import { joinKey, type PersonKey, type StoreSchema } from '../schema.ts';
import { findErased } from './erased-people.ts';
import type { Counts, Kind } from './import-types.ts';
import type { OrderRecord, PointsRecord, StoreRecord, UserRecord } from './record.ts';

const unknownUser = 'is not a user of this team, neither in the store nor on an earlier line';
const erased = 'was erased from this store, and must not be imported again';
const takenByAnother = 'already belongs to another user of this team';

/** A row without `changed_in`, which the writer adds. */
type Row<Name extends keyof StoreSchema> = Omit<StoreSchema[Name], 'changed_in'>;
type AllCounts = Readonly<Record<Kind, Counts>>;

export interface OrderState {
  readonly team_id: Uint8Array;
  readonly order_id: Uint8Array;
  user_id?: Uint8Array;
  order?: string;
  lab_result?: string;
  versions: number;
  /** Whether the order was listed before this batch. */
  isListed?: boolean;
  readonly changed: Set<'order' | 'lab_result'>;
}

interface Replaced {
  readonly version: Row<'lab_result_versions'>;
  readonly by: string;
}

/** Compares records, in their order, with the stored rows of the same keys, and collects the rows to write. */
export class ImportBatch {
  /** The lists are written one after the other, since each statement must keep `client_user_id` unique. */
  readonly users: Row<'users'>[][] = [[]];
  /** Team ID of each new user. */
  readonly newUsers: Uint8Array[] = [];
  readonly userInfos: Row<'user_infos'>[] = [];
  readonly insurances: Row<'insurances'>[] = [];
  readonly sources = new Map<string, Row<'mindfulness_sources'>>();
  readonly points: Row<'mindfulness_minutes'>[] = [];
  readonly replaced: Replaced[] = [];
  readonly touched: PersonKey[] = [];
  readonly #counts: AllCounts;
  readonly #users: Map<string, Row<'users'>>;
  readonly #owners: Map<string, string>;
  readonly #orders: Map<string, OrderState>;
  readonly #erased: ReadonlySet<string>;

  private constructor(
    counts: AllCounts,
    users: readonly Row<'users'>[],
    orders: Map<string, OrderState>,
    erasedPeople: ReadonlySet<string>,
  ) {
    this.#counts = counts;
    this.#erased = erasedPeople;
    this.#users = new Map(users.map((user) => [joinKey(user.team_id, user.user_id), user]));
    this.#owners = new Map(
      users.map((user) => [joinName(user), joinKey(user.team_id, user.user_id)]),
    );
    this.#orders = orders;
  }

  static async load(
    db: ImportDatabase,
    records: readonly StoreRecord[],
    counts: AllCounts,
  ): Promise<ImportBatch> {
    const people = new Map<string, PersonKey>();
    const names = new Map<string, Pick<Row<'users'>, 'team_id' | 'client_user_id'>>();
    const orders = new Map<string, OrderState>();
    for (const record of records) {
      const { team_id, user_id } = record;
      people.set(joinKey(team_id, user_id), { team_id, user_id });
      if (record.kind === 'user') {
        const name = { team_id, client_user_id: record.client_user_id };
        names.set(joinName(name), name);
      } else if (record.kind === 'order' || record.kind === 'lab_result') {
        const { order_id } = record;
        orders.set(joinKey(team_id, order_id), {
          team_id,
          order_id,
          versions: 0,
          changed: new Set(),
        });
      }
    }
    const columns = ['team_id', 'user_id', 'client_user_id', 'created_us', 'body'] as const;
    const users = await db.find('users', columns, [...people.values()]);
    users.forEach(({ team_id, user_id }) => people.delete(joinKey(team_id, user_id)));
    users.push(...(await db.find('users', columns, [...names.values()])));
    await loadOrders(db, orders);
    return new ImportBatch(counts, users, orders, await findErased(db, [...people.values()]));
  }

  /** @returns why the record is refused, or undefined */
  take(record: StoreRecord): Issue | undefined {
    if (record.kind === 'user') {
      return this.#takeUser(record);
    }
    const key = joinKey(record.team_id, record.user_id);
    if (!this.#users.has(key)) {
      const path = record.kind === 'order' ? ['order', 'user_id'] : ['user_id'];
      return { path, message: this.#erased.has(key) ? erased : unknownUser };
    }
    switch (record.kind) {
      case 'order':
      case 'lab_result':
        return this.#takeOrder(record);
      case 'mindfulness_minutes':
        this.#takePoints(record);
        return undefined;
      case 'user_info': {
        const { kind: _kind, ...row } = record;
        this.userInfos.push(row);
        return undefined;
      }
      case 'insurance': {
        const { kind: _kind, ...row } = record;
        this.insurances.push(row);
        return undefined;
      }
    }
  }

  get orders(): OrderState[] {
    return [...this.#orders.values()].filter(({ changed }) => changed.size > 0);
  }

  #takeUser({ kind: _kind, ...row }: UserRecord): Issue | undefined {
    const { team_id, user_id, client_user_id, body } = row;
    const key = joinKey(team_id, user_id);
    const before = this.#users.get(key);
    if (before === undefined && this.#erased.has(key)) {
      return { path: ['user', 'user_id'], message: erased };
    }
    if (before?.body === body) {
      this.#counts.user.unchanged += 1;
      return undefined;
    }
    if ((this.#owners.get(joinName(row)) ?? key) !== key) {
      return { path: ['user', 'client_user_id'], message: takenByAnother };
    }
    if (before === undefined || before.client_user_id === client_user_id) {
      this.users.at(-1)?.push(row);
    } else {
      this.#owners.delete(joinName(before));
      this.users.push([row], []);
    }
    this.#owners.set(joinName(row), key);
    this.#users.set(key, row);
    this.touched.push(row);
    this.#counts.user[before === undefined ? 'added' : 'updated'] += 1;
    if (before === undefined) {
      this.newUsers.push(team_id);
    }
    return undefined;
  }

  #takeOrder({ kind, team_id, user_id, order_id, body }: OrderRecord): Issue | undefined {
    const state = this.#orders.get(joinKey(team_id, order_id));
    if (state === undefined) {
      throw new Error('A record is not of this batch');
    }
    // An order that moves to another user is more likely a mistake than a correction.
    if (state.user_id !== undefined && Buffer.compare(state.user_id, user_id) !== 0) {
      return { path: kind === 'order' ? ['order', 'id'] : ['order_id'], message: takenByAnother };
    }
    const before = state[kind];
    const counts = this.#counts[kind];
    if (before === body) {
      counts.unchanged += 1;
      return undefined;
    }
    if (before !== undefined && kind === 'lab_result') {
      state.versions += 1;
      const replaced = { version: state.versions, replaced_us: Date.now() * 1000, body: before };
      const version = { team_id, order_id, ...replaced };
      this.replaced.push({ version, by: body });
    }
    state[kind] = body;
    state.user_id = user_id;
    state.changed.add(kind);
    this.touched.push({ team_id, user_id });
    counts[before === undefined ? 'added' : 'updated'] += 1;
    return undefined;
  }

  #takePoints({ team_id, user_id, provider, type, source, points }: PointsRecord): void {
    const key = { team_id, user_id, provider, type };
    this.sources.set(JSON.stringify([joinKey(team_id, user_id), provider, type]), {
      ...key,
      body: source,
    });
    for (const point of points) {
      this.points.push({ ...key, ...point });
    }
  }
}

async function loadOrders(db: ImportDatabase, orders: Map<string, OrderState>): Promise<void> {
  const keys = Array.from(orders.values(), ({ team_id, order_id }) => ({ team_id, order_id }));
  const ids = ['team_id', 'order_id'] as const;
  const findState = (row: (typeof keys)[number]): Partial<OrderState> =>
    orders.get(joinKey(row.team_id, row.order_id)) ?? {};
  for (const row of await db.find('orders', [...ids, 'user_id'], keys)) {
    Object.assign(findState(row), { user_id: row.user_id, isListed: true });
  }
  for (const row of await db.find('imported_orders', [...ids, 'body'], keys)) {
    findState(row).order = row.body;
  }
  for (const row of await db.find('lab_results', [...ids, 'body'], keys)) {
    findState(row).lab_result = row.body;
  }
  for (const row of await db.find('lab_result_versions', [...ids, 'version'], keys)) {
    findState(row).versions = row.version;
  }
}

function joinName(user: Pick<Row<'users'>, 'team_id' | 'client_user_id'>): string {
  return `${Buffer.from(user.team_id).toString('latin1')}${user.client_user_id}`;
}
