import type { OrdersQuery } from '../../health-data-source.ts';
import type { ImportDatabase } from '../import-database.ts';
import { keyOf } from '../import-database.ts';
import { uuidText, type StoreSchema } from '../schema.ts';

/** What each list of orders is sorted by, before creation and id. */
export const SORT_COLUMNS = {
  created_at: 'created_us',
  patient_name: 'patient_key',
  last_status: 'low_level_status',
} as const satisfies Readonly<Record<OrdersQuery['key'], string>>;

const LISTS = Object.keys(SORT_COLUMNS) as OrdersQuery['key'][];

/** Of an order in all lists. */
export const PLACE = [
  ...(['team_id', 'order_id', 'created_us'] as const),
  ...(['patient_key', 'low_level_status'] as const),
] as const;
export type OrderPlace = Pick<StoreSchema['orders'], (typeof PLACE)[number]>;

/** Orders of a part when it is made; a part of twice as many is divided. */
export const orderRankStep = 256;

/** Moves that are held until they are ranked together. */
const MOST_MOVES = 5000;
/** Ranking a move takes as long as ranking so many orders anew. */
const ANEW_BELOW = 64;

interface Move {
  readonly from?: OrderPlace | undefined;
  readonly to?: OrderPlace;
}

type Part = StoreSchema['order_ranks'];
type ListPart = Omit<Part, 'team_id' | 'list'> & { readonly list: OrdersQuery['key'] };
type Place = Pick<Part, 'sort_key' | 'created_us' | 'order_id'>;

/** Keeps `order_totals` and `order_ranks` in the transaction that changes orders, at a cost of the orders that changed. */
export class OrderRanks {
  readonly #db: Pick<ImportDatabase, 'find' | 'rows' | 'run' | 'upsert'>;
  readonly #moves = new Map<string, Move[]>();
  readonly #anew = new Map<string, Uint8Array>();
  #held = 0;

  constructor(db: Pick<ImportDatabase, 'find' | 'rows' | 'run' | 'upsert'>) {
    this.#db = db;
  }

  clear(): void {
    this.#moves.clear();
    this.#anew.clear();
    this.#held = 0;
  }

  /** Call it when the orders were written or deleted. */
  async move(moves: readonly Move[]): Promise<void> {
    for (const move of moves) {
      const { team_id } = (move.to ?? move.from) as OrderPlace;
      const team = uuidText(team_id);
      const others = this.#moves.get(team);
      if (others === undefined) {
        this.#moves.set(team, [move]);
      } else {
        others.push(move);
      }
    }
    this.#held += moves.length;
    if (this.#held >= MOST_MOVES) {
      await this.#rank();
    }
  }

  /** Call it before the commit. */
  async complete(): Promise<void> {
    await this.#rank();
    for (const team of this.#anew.values()) {
      await rankOrders(this.#db, team);
    }
  }

  async #rank(): Promise<void> {
    for (const [name, moves] of this.#moves) {
      const [{ team_id: team }] = moves.map(({ from, to }) => to ?? from) as [OrderPlace];
      const [counted] = await this.#db.find('order_totals', ['total'], [{ team_id: team }]);
      if (moves.length * ANEW_BELOW >= (counted?.total ?? 0)) {
        this.#anew.set(name, team);
      } else if (!this.#anew.has(name)) {
        await this.#rankMoves(team, moves);
      }
    }
    this.#moves.clear();
    this.#held = 0;
  }

  async #rankMoves(team: Uint8Array, moves: readonly Move[]): Promise<void> {
    const parts = new Map<string, Part>();
    for (const { from, to } of moves) {
      const lists = LISTS.filter((list) => !from || !to || !isSame(list, from, to));
      for (const order of lists.length === 0 ? [] : [from, to]) {
        for (const found of order === undefined ? [] : await this.#partsWith(order)) {
          const key = `${found.list} ${found.sort_key} ${found.created_us} ${keyOf(team, found.order_id)}`;
          const part = parts.get(key) ?? { team_id: team, ...found };
          const by = Number(lists.includes(found.list)) * (order === to ? 1 : -1);
          parts.set(key, { ...part, orders: part.orders + by });
        }
      }
    }
    const isWhole = ({ orders, order_id }: Part): boolean =>
      orders <= 2 * orderRankStep && (orders > 0 || order_id.length === 0);
    const all = [...parts.values()];
    await this.#db.upsert('order_ranks', all.filter(isWhole));
    for (const part of all.filter((each) => !isWhole(each))) {
      await this.#divide(part);
    }
    const added = moves.reduce((sum, { from, to }) => sum + Number(!!to) - Number(!!from), 0);
    if (added !== 0) {
      await this.#db.run('update order_totals set total = total + $2 where team_id = $1', [
        team,
        added,
      ]);
    }
  }

  async #partsWith(order: OrderPlace): Promise<ListPart[]> {
    const { team_id, created_us, order_id, patient_key, low_level_status } = order;
    const values = [team_id, created_us, order_id, patient_key, low_level_status];
    const parts = await this.#db.rows<ListPart>(PARTS_WITH, values);
    if (parts.length < LISTS.length) {
      throw new Error('A list of orders has no part for this one');
    }
    return parts;
  }

  /** Of a part without orders nothing is left. */
  async #divide({ team_id: team, ...part }: Part): Promise<void> {
    const list = part.list as OrdersQuery['key'];
    const first = [part.sort_key, part.created_us, part.order_id];
    const [next] = await this.#db.rows<Place>(NEXT_PART, [team, list, ...first]);
    const end = next && [next.sort_key, next.created_us, next.order_id];
    const used = list === 'created_at' ? 1 : 0;
    const [from, until] = [first.slice(used), end?.slice(used) ?? []];
    const slots = (values: readonly unknown[], after: number): string =>
      `(${values.map((_, at) => `$${after + at + 1}`).join(', ')})`;
    const row = columnsIn(list);
    const orders = await this.#db.rows<Place & { readonly place: number; readonly size: number }>(
      `select * from (
          select ${sortKeyIn(list)} as sort_key, created_us, order_id,
            row_number() over (order by ${row}) - 1 as place, count(*) over () as size
          from orders where team_id = $1 and (${row}) >= ${slots(from, 1)}
            ${next === undefined ? '' : `and (${row}) < ${slots(until, 1 + from.length)}`}
        ) as placed where place % ${orderRankStep} = 0`,
      [team, ...from, ...until],
    );
    await this.#db.run(FORGET_PART, [team, list, ...first]);
    const pieces = orders.map(({ place, size, ...piece }) => ({
      ...{ team_id: team, list, ...(place === 0 ? part : piece) },
      orders: Math.min(orderRankStep, size - place),
    }));
    await this.#db.upsert('order_ranks', pieces);
  }
}

/** Counts a team's orders, and divides its lists anew. */
export async function rankOrders(db: Pick<ImportDatabase, 'run'>, team: Uint8Array): Promise<void> {
  await db.run('delete from order_totals where team_id = $1', [team]);
  await db.run(
    `insert into order_totals (team_id, total)
      select $1, count(*) from orders where team_id = $1`,
    [team],
  );
  await db.run('delete from order_ranks where team_id = $1', [team]);
  for (const list of LISTS) {
    await db.run(
      `insert into order_ranks (team_id, list, sort_key, created_us, order_id, orders)
        select $1, $2, case when place = 0 then '' else sort_key end,
          case when place = 0 then ${LEAST} else created_us end,
          case when place = 0 then $3 else order_id end,
          case when total - place < ${orderRankStep} then total - place else ${orderRankStep} end
        from (
          select ${sortKeyIn(list)} as sort_key, created_us, order_id,
            row_number() over (order by ${columnsIn(list)}) - 1 as place
          from orders where team_id = $1
        ) as placed, order_totals
        where team_id = $1 and place % ${orderRankStep} = 0`,
      [team, list, Buffer.alloc(0)],
    );
  }
}

/** The first part of a list has what comes before all. */
const LEAST = Number.MIN_SAFE_INTEGER;

const OF_LIST = 'from order_ranks where team_id = $1 and list = $2 and';
const ROW = '(sort_key, created_us, order_id)';
/** The one of each list. */
const PARTS_WITH = LISTS.map(
  (list, at) => `select * from (select list, sort_key, created_us, order_id, orders
    from order_ranks where team_id = $1 and list = '${list}' and ${ROW} <= (${["''", '$4', '$5'][at]}, $2, $3)
    order by sort_key desc, created_us desc, order_id desc limit 1) as ${list}`,
).join(' union all ');
const NEXT_PART = `select sort_key, created_us, order_id ${OF_LIST} ${ROW} > ($3, $4, $5)
  order by sort_key, created_us, order_id limit 1`;
const FORGET_PART = `delete ${OF_LIST} ${ROW} = ($3, $4, $5)`;

function columnsIn(list: OrdersQuery['key']): string {
  return [...new Set([SORT_COLUMNS[list], 'created_us', 'order_id'])].join(', ');
}

function sortKeyIn(list: OrdersQuery['key']): string {
  return list === 'created_at' ? `''` : SORT_COLUMNS[list];
}

function isSame(list: OrdersQuery['key'], one: OrderPlace, other: OrderPlace): boolean {
  const column = SORT_COLUMNS[list];
  return one[column] === other[column] && one.created_us === other.created_us;
}
