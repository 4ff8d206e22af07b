import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { tokensOf } from '../../people/person-tokens.ts';
import { prepareAll } from '../../../database/sqlite/prepare-all.ts';
import { orderRowOf } from '../orders/order-row.ts';
import { uuidText } from '../schema.ts';
import { personFactsOf } from './person-row.ts';

/** Batches the lines of a person without holding too many. */
const mostTouched = 5000;

type Key = readonly [team: Uint8Array, id: Uint8Array];

/**
 * Keeps the tables that are made of others up to date in SQLite, in the transaction that changes the others: `orders` of
 * orders and results, `people` and `people_index` of all that tells of a person.
 */
export class SearchTables {
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;
  readonly #touched = new Map<string, Key>();

  constructor(raw: DatabaseSync) {
    this.#statements = prepareAll(raw, STATEMENTS);
  }

  touch(team: Uint8Array, user: Uint8Array): void {
    this.#touched.set(Buffer.concat([team, user]).toString('latin1'), [team, user]);
    if (this.#touched.size >= mostTouched) {
      this.flush();
    }
  }

  orderChanged(team: Uint8Array, order: Uint8Array, user: Uint8Array): void {
    const row = orderRowOf(
      { teamId: uuidText(team), orderId: uuidText(order), userId: uuidText(user) },
      textOf(this.#statements.importedOrder.get(team, order)),
      textOf(this.#statements.labResult.get(team, order)),
    );
    this.#statements.putOrder.run(
      ...[team, order, user, row.createdUs, row.updatedUs, row.lowLevelStatus],
      ...[row.interpretation, row.patientKey, row.birthDates, row.person, row.body],
    );
    this.touch(team, user);
  }

  flush(): void {
    for (const [team, user] of this.#touched.values()) {
      this.#rebuild(team, user);
    }
    this.#touched.clear();
  }

  forget(): void {
    this.#touched.clear();
  }

  #rebuild(team: Uint8Array, user: Uint8Array): void {
    const { user: one, infos, insurances, persons, person } = this.#statements;
    const row = one.get(team, user);
    if (row === undefined) {
      return;
    }
    const facts = personFactsOf({
      userId: uuidText(user),
      clientUserId: String(row['client_user_id']),
      user: String(row['body']),
      infos: infos.all(team, user) as unknown as { recorded_us: number; body: string }[],
      insurances: insurances.all(team, user) as unknown as { recorded_us: number; body: string }[],
      orders: persons.all(team, user).map((each) => String(each['person'])),
    });
    const text = JSON.stringify(facts);
    const before = person.get(team, user);
    if (before?.['facts'] === text) {
      return;
    }
    const tokens = tokensOf(uuidText(team), facts).map(tokenText).join(' ');
    if (before === undefined) {
      const { lastInsertRowid } = this.#statements.addPerson.run(team, user, text);
      this.#statements.addTokens.run(lastInsertRowid, tokens);
    } else {
      const number = Number(before['number']);
      this.#statements.changePerson.run(text, number);
      this.#statements.dropTokens.run(number);
      this.#statements.addTokens.run(number, tokens);
    }
  }
}

export function tokenText(token: number): string {
  return (token >>> 0).toString(36);
}

function textOf(row: Record<string, unknown> | undefined): string | undefined {
  return row === undefined ? undefined : String(row['body']);
}

const byUser = 'where team_id = ? and user_id = ?';
const byOrder = 'where team_id = ? and order_id = ?';
const STATEMENTS = {
  importedOrder: `select body from imported_orders ${byOrder}`,
  labResult: `select body from lab_results ${byOrder}`,
  putOrder: `insert or replace into orders (team_id, order_id, user_id, created_us, updated_us,
      low_level_status, interpretation, patient_key, birth_dates, person, body)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  user: `select client_user_id, body from users ${byUser}`,
  infos: `select recorded_us, body from user_infos ${byUser}`,
  insurances: `select recorded_us, body from insurances ${byUser}`,
  persons: `select person from orders ${byUser} order by order_id`,
  person: `select number, facts from people ${byUser}`,
  addPerson: 'insert into people (team_id, user_id, facts) values (?, ?, ?)',
  changePerson: 'update people set facts = ? where number = ?',
  addTokens: 'insert into people_index (rowid, tokens) values (?, ?)',
  dropTokens: 'delete from people_index where rowid = ?',
};
