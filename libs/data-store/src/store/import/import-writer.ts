import type { Issue } from '@caregate/domain/validate';
import { sql } from 'kysely';
import { createHash, randomInt } from 'node:crypto';
import { buildOrderRow } from '../orders/order-row.ts';
import { rebuildPeople } from '../people/rebuild-people.ts';
import { ImportBatch, type OrderState } from './import-batch.ts';
import type { ImportDatabase } from '../import-database.ts';
import { joinKey, type PersonKey, type StoreSchema, parseUuid, formatUuid } from '../schema.ts';
import type { Counts, Kind } from './import-types.ts';
import type { StoreRecord } from './record.ts';

/** People are indexed together, but at most this many, to limit memory. */
const mostTouched = 5000;

interface FirstVersion {
  readonly team_id: Uint8Array;
  readonly order_id: Uint8Array;
  readonly version: number;
  readonly digest: string;
  /** Whether a later record restored this version of the result. */
  isBack: boolean;
}

/**
 * Writes records in a transaction. Importing the same record again changes nothing; a different body with the same
 * key replaces the old one.
 */
export class ImportWriter {
  readonly #db: ImportDatabase;
  /** Increase of each team's number of users and orders. */
  readonly #added = {
    user_totals: new Map<string, number>(),
    order_totals: new Map<string, number>(),
  };
  /** Replaced results, with the version that was stored first in this transaction. */
  readonly #replaced = new Map<string, FirstVersion>();
  readonly #touched = new Map<string, PersonKey>();
  /** Random ID of this transaction in `commits`. A sequence would make parallel imports wait for each other. */
  #commit = 0;

  constructor(database: ImportDatabase) {
    this.#db = database;
  }

  /** @throws ImportFailedError if another process is still writing after `waitMs` */
  async begin(waitMs: number, onWaiting?: () => void): Promise<void> {
    Object.values(this.#added).forEach((counts) => {
      counts.clear();
    });
    this.#replaced.clear();
    this.#touched.clear();
    this.#commit = randomInt(2 ** 48 - 1);
    await this.#db.begin(waitMs, onWaiting);
  }

  /** Writes records and increases `counts`. @returns why a record is refused, by its index */
  async write(
    records: readonly StoreRecord[],
    counts: Readonly<Record<Kind, Counts>>,
  ): Promise<(Issue | undefined)[]> {
    await this.#db.lockTeams(records.map(({ team_id }) => team_id));
    const batch = await ImportBatch.load(this.#db, records, counts);
    const issues = records.map((record) => batch.take(record));
    for (const users of batch.users) {
      await this.#db.upsert('users', this.#withCommit(users));
    }
    batch.newUsers.forEach((team) => {
      this.#addToTotal('user_totals', team);
    });
    await this.#writeOrders(batch);
    this.#touch(batch.touched);
    await this.#db.upsert('mindfulness_sources', [...batch.sources.values()]);
    const upsert = async <Name extends RecordTable>(
      name: Name,
      rows: readonly Omit<StoreSchema[Name], 'changed_in'>[],
      count: Counts,
    ): Promise<void> => {
      const changed = this.#withCommit(rows) as unknown as StoreSchema[Name][];
      const { added, updated } = await this.#db.upsert(name, changed);
      count.added += added;
      count.updated += updated;
      count.unchanged += rows.length - added - updated;
      if (added + updated > 0 && name !== 'mindfulness_minutes') {
        this.#touch(rows);
      }
    };
    await upsert('user_infos', batch.userInfos, counts.user_info);
    await upsert('insurances', batch.insurances, counts.insurance);
    await upsert('mindfulness_minutes', batch.points, counts.mindfulness_minutes);
    if (this.#touched.size >= mostTouched) {
      await this.#rebuildTouched();
    }
    return issues;
  }

  async commit(): Promise<void> {
    await this.#rebuildTouched();
    const db = this.#db.transaction;
    for (const [table, counts] of Object.entries(this.#added)) {
      for (const [team, added] of counts) {
        await sql`insert into ${sql.table(table)} (team_id, total) values (${parseUuid(team)}, ${added})
          on conflict (team_id) do update set
            total = ${sql.ref(`${table}.total`)} + excluded.total`.execute(db);
      }
    }
    // Importing a file again must not add versions.
    for (const { team_id, order_id, version, isBack } of this.#replaced.values()) {
      if (isBack) {
        await db
          .deleteFrom('lab_result_versions')
          .where('team_id', '=', team_id)
          .where('order_id', '=', order_id)
          .where('version', '>=', version)
          .execute();
      }
    }
    // Written last, since other imports wait for this row until the commit. Times strictly increase, so that each
    // commit has its own microsecond.
    await sql`insert into imports (id, files, last_us) values (1, 1, ${Date.now() * 1000})
      on conflict (id) do update set files = imports.files + 1, last_us =
        case when imports.last_us < excluded.last_us
          then excluded.last_us else imports.last_us + 1 end`.execute(db);
    await sql`insert into commits (number, changed_us)
      select cast(${this.#commit} as bigint), last_us from imports`.execute(db);
    await this.#db.commit();
  }

  async rollback(): Promise<void> {
    await this.#db.rollback();
  }

  async close(): Promise<void> {
    await this.#db.close();
  }

  async #writeOrders({ orders, replaced }: ImportBatch): Promise<void> {
    const listBodies = (kind: 'order' | 'lab_result'): StoreSchema['imported_orders'][] =>
      orders.flatMap(({ team_id, order_id, user_id, changed, [kind]: body }) =>
        changed.has(kind) && user_id !== undefined && body !== undefined
          ? [{ team_id, order_id, user_id, body }]
          : [],
      );
    await this.#db.upsert('imported_orders', listBodies('order'));
    await this.#db.upsert('lab_results', this.#withCommit(listBodies('lab_result')));
    await this.#db.upsert(
      'lab_result_versions',
      replaced.map(({ version }) => version),
    );
    for (const { version, by } of replaced) {
      const { team_id, order_id, body } = version;
      const key = joinKey(team_id, order_id);
      const first = this.#replaced.get(key) ?? {
        ...{ team_id, order_id, version: version.version, digest: hashText(body), isBack: false },
      };
      first.isBack = hashText(by) === first.digest;
      this.#replaced.set(key, first);
    }
    await this.#db.upsert('orders', this.#withCommit(orders.map(toOrderRow)));
    for (const order of orders.filter(({ isListed }) => isListed !== true)) {
      order.isListed = true;
      this.#addToTotal('order_totals', order.team_id);
    }
  }

  #withCommit<Row extends object>(rows: readonly Row[]): (Row & { changed_in: number })[] {
    return rows.map((row) => ({ ...row, changed_in: this.#commit }));
  }

  #addToTotal(table: 'user_totals' | 'order_totals', team: Uint8Array): void {
    const counts = this.#added[table];
    counts.set(formatUuid(team), (counts.get(formatUuid(team)) ?? 0) + 1);
  }

  #touch(people: readonly PersonKey[]): void {
    for (const { team_id, user_id } of people) {
      this.#touched.set(joinKey(team_id, user_id), { team_id, user_id });
    }
  }

  async #rebuildTouched(): Promise<void> {
    await rebuildPeople(this.#db, [...this.#touched.values()]);
    this.#touched.clear();
  }
}

type RecordTable = 'user_infos' | 'insurances' | 'mindfulness_minutes';

function toOrderRow(state: OrderState): Omit<StoreSchema['orders'], 'changed_in'> {
  const { team_id, order_id, user_id = Buffer.alloc(0), order, lab_result } = state;
  const ids = {
    teamId: formatUuid(team_id),
    orderId: formatUuid(order_id),
    userId: formatUuid(user_id),
  };
  return { team_id, order_id, user_id, ...buildOrderRow(ids, order, lab_result) };
}

function hashText(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
