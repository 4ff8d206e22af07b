import { newDatabase } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { parsePeopleQuery } from '../../people/people-query.ts';
import type { SqlStore } from '../sql-store.ts';
import { importEnvelopes } from '../import/import.ts';
import { openPostgresForWriting, openPostgresStore } from '../open-store.ts';
import { ImportWriter } from '../import/import-writer.ts';

const people = 20_000;

/** Texts of each kind of search, and names that nobody has. */
const texts = [
  ...[
    'amar',
    'oko',
    'ama oko',
    'okonkwo-lindqvist amara',
    'konk',
    '1985-03-07',
    'gokhale 2005-02-12',
  ],
  ...['5550123', 'MRN-000001', 'nhandini gekhele', 'zzqx wwrt', 'amara gokhale 1901-01-02'],
];

/** The server counts the rows that a search reads, so that the test doesn't depend on time. */
describe('a search among tens of thousands', () => {
  let client: pg.Client;
  let url: string;
  beforeAll(async () => {
    url = await newDatabase();
    const writer = new ImportWriter(await openPostgresForWriting(url, 0));
    const envelopes = [...sampleEnvelopes({ users: 400, kinds: ['user', 'user_info'] })];
    expect(await importEnvelopes(writer, 'spec', envelopes)).toMatchObject({ imported: true });
    await writer.close();
    client = new pg.Client(url);
    await client.connect();
    await client.query('alter table store.people set (autovacuum_enabled = off)');
    await client.query(
      `insert into store.people (team_id, user_id, last_seen, facts, tokens)
        select team_id, decode(md5(user_id::text || n), 'hex'), last_seen, facts, tokens
          from store.people, generate_series(2, ${people / 400}) n`,
    );
    await client.query(`select gin_clean_pending_list('store.people_by_token')`);
  });
  afterAll(() => client.end());

  /** Waits until other sessions have ended. A session reports its statistics when it ends. */
  async function untilAlone(): Promise<void> {
    const others = `select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`;
    while ((await client.query(others)).rowCount !== 0) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Returns the number of people's rows that `work` reads. */
  async function readBy(work: (store: SqlStore) => Promise<void>): Promise<Record<string, number>> {
    // A session reports its statistics late. Those of the import above must not arrive after the reset.
    await client.query('select pg_stat_force_next_flush()');
    await client.query('select pg_stat_reset()');
    const store = await openPostgresStore(url);
    await work(store);
    await store.close();
    await untilAlone();
    const { rows } = await client.query<Record<string, string>>(`
      select sum(seq_tup_read) as through, sum(idx_tup_fetch) as people,
        (select sum(idx_tup_read) from pg_stat_user_indexes
          where relname = 'people' and indexrelname like '%user_id%') as ids
        from pg_stat_user_tables where relname = 'people'`);
    return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, n]) => [name, Number(n)]));
  }

  const searchAll = async (store: SqlStore): Promise<void> => {
    for (const text of texts) {
      const query = parsePeopleQuery(text);
      if ('reason' in query) {
        throw new Error(query.reason);
      }
      await store.searchPeople(sampleTeamId, { query, limit: 8, labs: true });
    }
  };

  it.each(['never counted', 'counted'])(
    'reads at most a thousand people a step, by their tokens alone, where rows were %s',
    async (state) => {
      if (state === 'counted') {
        await client.query('analyze store.people');
      }
      const { through, ids, people: read } = await readBy(searchAll);
      expect({ through, ids }).toEqual({ through: 0, ids: 0 });
      expect(read).toBeGreaterThan(1000);
      expect(read).toBeLessThanOrEqual(texts.length * 5 * 1000);
    },
  );
});
