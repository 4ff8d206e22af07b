import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Issue } from '@caregate/domain/validate';
import {
  ImportFailedError,
  KINDS,
  type Counts,
  type Kind,
  type OnStep,
} from '../import/import-types.ts';
import {
  orderOfUnknownUser,
  type LateRefusal,
  type RecordLine,
  type RecordWriter,
} from '../import/record-writer.ts';
import type { StoreRecord } from '../import/record.ts';
import { mergeUsers } from './merge-users.ts';
import {
  merge,
  mergeSources,
  merges,
  prepareMerge,
  refuseTakenOrders,
  refuseUnknownUsers,
  removeRefused,
} from './merge.ts';
import { noteTouched, rebuildChanged } from './rebuild.ts';
import { countImport } from '../schema.ts';
import { storeSchema } from './postgres-schema.ts';
import { Staging } from './staging.ts';

/**
 * Writes health data to PostgreSQL, one transaction per file: records are copied to temporary tables, in parallel with
 * other processes, and then merged, one process at a time per team. Importing the same records again changes nothing; a
 * record with an existing key and a different body replaces the old one.
 */
export class PostgresWriter implements RecordWriter {
  readonly #pool: pg.Pool;
  #current: Current | undefined;

  /** @param pool with one connection and no statement timeout; closed with the writer */
  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async begin(waitMs: number, onWaiting?: () => void): Promise<void> {
    const client = await this.#pool.connect();
    const staging = new Staging(client);
    this.#current = { client, staging, waitMs, ...(onWaiting && { onWaiting }) };
    await client.query('begin');
    await staging.create();
  }

  put(record: StoreRecord, _counts: Counts, line: RecordLine): undefined {
    this.#open.staging.add(record, line);
  }

  async drain(): Promise<void> {
    await this.#open.staging.drain();
  }

  async *settle(
    counts: Readonly<Record<Kind, Counts>>,
    { allOrNothing, clean }: { readonly allOrNothing: boolean; readonly clean: boolean },
    onStep?: OnStep,
  ): AsyncIterable<LateRefusal> {
    const { client, staging } = this.#open;
    await staging.finish();
    await prepareMerge(client);
    await this.#lockTeams();
    await noteTouched(client);
    await mergeUsers(client, counts.user);
    await refuseUnknownUsers(client, 'in_user_infos');
    await refuseUnknownUsers(client, 'in_orders', orderOfUnknownUser);
    await refuseUnknownUsers(client, 'in_lab_results');
    await refuseTakenOrders(client);
    await refuseUnknownUsers(client, 'in_insurances');
    await refuseUnknownUsers(client, 'in_minutes');
    const { rows } = await client.query<{ some: boolean }>(
      'select exists (select from refused) as some',
    );
    const some = rows[0]?.some === true;
    if (some) {
      await removeRefused(client, 'in_points');
    }
    if (!allOrNothing || (clean && !some)) {
      for (const kind of KINDS.filter((each) => each !== 'user')) {
        await merge(client, merges[kind], counts[kind]);
      }
      await mergeSources(client);
      await rebuildChanged(client, onStep);
    }
    yield* this.#refused();
  }

  async commit(): Promise<void> {
    const { client } = this.#open;
    // Last, since other imports wait for this row until the commit.
    await client.query(countImport(`${storeSchema}.`, '$1'), [Date.now() * 1000]);
    await client.query('commit');
    this.#current = undefined;
    client.release();
  }

  async rollback(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    if (current !== undefined) {
      const undone = await current.client.query('rollback').then(
        () => true,
        () => false,
      );
      // A connection that fails to roll back is dropped.
      current.client.release(!undone);
    }
  }

  tidy(): void {}

  async close(): Promise<void> {
    await this.rollback();
    await this.#pool.end();
  }

  get #open(): Current {
    if (this.#current === undefined) {
      throw new Error('No transaction is open');
    }
    return this.#current;
  }

  /** Always in the same order, to avoid deadlocks between imports. */
  async #lockTeams(): Promise<void> {
    const { client, waitMs, onWaiting } = this.#open;
    const tables = [
      ...['in_users', 'in_user_infos', 'in_orders', 'in_lab_results', 'in_insurances'],
      'in_minutes',
    ];
    const { rows: teams } = await client.query<{ key: string }>(
      `select distinct hashtextextended('caregate import ' || team_id::text, 0)::text as key from (
        ${tables.map((table) => `select team_id from ${table}`).join(' union ')}
      ) as teams order by key`,
    );
    const patience = AbortSignal.timeout(waitMs);
    let notified = false;
    for (const { key } of teams) {
      while (!(await tryLock(client, key))) {
        if (!notified) {
          notified = true;
          onWaiting?.();
        }
        if (patience.aborted) {
          throw new ImportFailedError(
            'store',
            'Another process is still writing to this store. Try again later.',
          );
        }
        await sleep(100);
      }
    }
  }

  async *#refused(): AsyncIterable<LateRefusal> {
    const { client } = this.#open;
    for (let last = 0; ;) {
      const { rows } = await client.query<RefusedRow>(
        `select r.n, r.path, r.message, t.text from refused r left join in_texts t using (n)
          where r.n > $1 order by r.n limit 1000`,
        [last],
      );
      for (const { n, path, message, text } of rows) {
        const line = { number: n, text: text === null ? undefined : (JSON.parse(text) as string) };
        yield { line, issue: { path: path.split('.'), message } satisfies Issue };
        last = n;
      }
      if (rows.length === 0) {
        return;
      }
    }
  }
}

interface Current {
  readonly client: pg.PoolClient;
  readonly staging: Staging;
  readonly waitMs: number;
  readonly onWaiting?: () => void;
}

interface RefusedRow {
  n: number;
  path: string;
  message: string;
  text: string | null;
}

async function tryLock(client: pg.ClientBase, key: string): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>(
    'select pg_try_advisory_xact_lock($1::bigint) as got',
    [key],
  );
  return rows[0]?.got === true;
}
