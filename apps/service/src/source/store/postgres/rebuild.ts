import type pg from 'pg';
import { tokensOf } from '../../people/person-tokens.ts';
import { orderRowOf } from '../orders/order-row.ts';
import type { OnStep } from '../import/import-types.ts';
import { personFactsOf } from '../people/person-row.ts';
import { uuidText } from '../schema.ts';

const batch = 500;

/** Size of GIN's pending list: searches scan it. */
const pendingList = { import: '1MB', fill: '32MB' } as const;

/**
 * Keeps the tables that are made of others up to date, in the transaction of an import: `orders` of the orders and results
 * of this file, `people` of all that tells of their people.
 */
export async function rebuildChanged(client: pg.ClientBase, onStep?: OnStep): Promise<void> {
  await rebuildOrders(
    client,
    `select team_id, order_id, user_id from in_orders
      union select team_id, order_id, user_id from in_lab_results`,
    (done, of) => onStep?.('orders of the search', done, of),
  );
  const people = 'select team_id, user_id from touched_people';
  await rebuildPeople(client, people, 'import', (done, of) =>
    onStep?.('people of the search', done, of),
  );
}

/** Records the people of a file; must be called before the merge removes lines. */
export async function noteTouched(client: pg.ClientBase): Promise<void> {
  const tables = ['in_users', 'in_user_infos', 'in_orders', 'in_lab_results', 'in_insurances'];
  const people = tables.map((table) => `select team_id, user_id from ${table}`).join(' union ');
  await client.query(`create temporary table touched_people on commit drop as ${people}`);
}

/** Rebuilds the index of all people; must be called in a transaction. */
export async function fillPeople(client: pg.ClientBase, onDone?: OnDone): Promise<void> {
  await rebuildPeople(client, 'select team_id, user_id from store.users', 'fill', onDone);
  await client.query('analyze store.people');
}

type OnDone = (rows: number, of: number) => void;

interface OrderToMake {
  i: number;
  team_id: Buffer;
  order_id: Buffer;
  user_id: Buffer;
  imported: string | null;
  result: string | null;
}

/** @param which a query with the ids of orders */
async function rebuildOrders(client: pg.ClientBase, which: string, onDone?: OnDone): Promise<void> {
  await numbered(client, 'changed_orders', which);
  const read = `
    select c.*, i.body as imported, r.body as result from changed_orders c
      left join store.imported_orders i on i.team_id = c.team_id and i.order_id = c.order_id
      left join store.lab_results r on r.team_id = c.team_id and r.order_id = c.order_id
      where c.i > $1 and c.i <= $1 + ${batch}`;
  await inBatches(
    client,
    'changed_orders',
    async (from) => {
      const { rows } = await client.query<OrderToMake>(read, [from]);
      const made = rows.map((row) => {
        const ids = {
          teamId: uuidText(row.team_id),
          orderId: uuidText(row.order_id),
          userId: uuidText(row.user_id),
        };
        const order = orderRowOf(ids, row.imported ?? undefined, row.result ?? undefined);
        return { i: row.i, ...order };
      });
      await client.query(putOrders, [JSON.stringify(made)]);
      return rows.length;
    },
    onDone,
  );
}

const columns = [
  ...['created_us', 'updated_us', 'low_level_status', 'interpretation', 'patient_key'],
  ...['birth_dates', 'person', 'body'],
];
const putOrders = `
  insert into store.orders (team_id, order_id, user_id, ${columns.join(', ')})
    select c.team_id, c.order_id, c.user_id, m."createdUs", m."updatedUs", m."lowLevelStatus",
      m.interpretation, m."patientKey", m."birthDates", m.person, m.body
    from json_to_recordset($1::json) as m (i bigint, "createdUs" bigint, "updatedUs" bigint,
      "lowLevelStatus" text, interpretation text, "patientKey" text, "birthDates" text,
      person text, body text)
    join changed_orders c using (i)
    on conflict (team_id, order_id) do update
      set ${columns.map((name) => `${name} = excluded.${name}`).join(', ')}
      where orders.body <> excluded.body or orders.person <> excluded.person`;

interface PersonToMake {
  i: number;
  team_id: Buffer;
  user_id: Buffer;
  client_user_id: string;
  body: string;
  infos: { recorded_us: number; body: string }[] | null;
  insurances: { recorded_us: number; body: string }[] | null;
  orders: string[] | null;
}

/** @param which a query with the ids of people */
async function rebuildPeople(
  client: pg.ClientBase,
  which: string,
  why: keyof typeof pendingList,
  onDone?: OnDone,
): Promise<void> {
  await numbered(client, 'changed_people', which);
  await client.query(`set local gin_pending_list_limit = '${pendingList[why]}'`);
  const recorded = (table: string): string => `
    (select json_agg(json_build_object('recorded_us', x.recorded_us, 'body', x.body)
        order by x.recorded_us)
      from store.${table} x where x.team_id = c.team_id and x.user_id = c.user_id)`;
  const read = `
    select c.*, u.client_user_id, u.body, ${recorded('user_infos')} as infos,
      ${recorded('insurances')} as insurances,
      (select json_agg(o.person order by o.order_id) from store.orders o
        where o.team_id = c.team_id and o.user_id = c.user_id) as orders
    from changed_people c
    join store.users u on u.team_id = c.team_id and u.user_id = c.user_id
    where c.i > $1 and c.i <= $1 + ${batch}`;
  await inBatches(
    client,
    'changed_people',
    async (from) => {
      const { rows } = await client.query<PersonToMake>(read, [from]);
      const made = rows.map((row) => {
        const facts = personFactsOf({
          userId: uuidText(row.user_id),
          clientUserId: row.client_user_id,
          user: row.body,
          infos: row.infos ?? [],
          insurances: row.insurances ?? [],
          orders: row.orders ?? [],
        });
        const tokens = tokensOf(uuidText(row.team_id), facts);
        return { i: row.i, facts: JSON.stringify(facts), tokens: `{${tokens.join(',')}}` };
      });
      await client.query(putPeople, [JSON.stringify(made)]);
      return rows.length;
    },
    onDone,
  );
  await client.query(indexPending);
}

/** Puts the tokens that wait into the index. Only its owner may: with another role some are left, and searches take a little longer. */
const indexPending = `
  select gin_clean_pending_list(c.oid)
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'store.people_by_token'::regclass and pg_has_role(c.relowner, 'usage')`;

const putPeople = `
  insert into store.people (team_id, user_id, facts, tokens)
    select c.team_id, c.user_id, m.facts, m.tokens::integer[]
    from json_to_recordset($1::json) as m (i bigint, facts text, tokens text)
    join changed_people c using (i)
    on conflict (team_id, user_id) do update
      set facts = excluded.facts, tokens = excluded.tokens
      where people.facts <> excluded.facts or people.tokens <> excluded.tokens`;

async function numbered(client: pg.ClientBase, table: string, which: string): Promise<void> {
  await client.query(`
    drop table if exists ${table};
    create temporary table ${table} on commit drop as
      select row_number() over () as i, w.* from (${which}) w;
    create index on ${table} (i);
    analyze ${table}`);
}

async function inBatches(
  client: pg.ClientBase,
  table: string,
  make: (from: number) => Promise<number>,
  onDone?: OnDone,
): Promise<void> {
  const { rows } = await client.query<{ last: number | null }>(
    `select max(i) as last from ${table}`,
  );
  const last = rows[0]?.last ?? 0;
  for (let from = 0; from < last; from += batch) {
    // A separate statement: `onDone?.(await …)` would skip the work.
    const made = await make(from);
    onDone?.(from + made, last);
  }
}
