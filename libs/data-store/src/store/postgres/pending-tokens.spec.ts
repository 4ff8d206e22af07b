import { newDatabase } from '@caregate/postgres';
import { sampleEnvelopes } from '@caregate/sample-data';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { importEnvelopes } from '../import/import.ts';
import { fillPeople } from '../people/fill-people.ts';
import { openPostgresWriter } from '../import/open-import.ts';

/** A search reads through all that waits, so nothing may be left behind. */
describe('tokens that wait for their place in the index', () => {
  let client: pg.Client;
  let url: string;
  beforeAll(async () => {
    url = await newDatabase();
    client = new pg.Client(url);
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
  });

  /** Pages of what waited, which nobody has to wait for any more. */
  async function pending(): Promise<number> {
    const { rows } = await client.query<{ pages: string | null }>(
      `select gin_clean_pending_list('store.people_by_token') as pages`,
    );
    return Number(rows[0]?.pages);
  }

  it('are in the index after an import', async () => {
    const writer = await openPostgresWriter(url, 0);
    const envelopes = [...sampleEnvelopes({ users: 30, kinds: ['user', 'user_info'] })];
    expect(await importEnvelopes(writer, 'spec', envelopes)).toMatchObject({ imported: true });
    await writer.close();
    expect(await pending()).toBe(0);
    // They do wait before that.
    await client.query('update store.people set tokens = tokens || 1');
    expect(await pending()).toBeGreaterThan(0);
  });

  it('are in the index once all people were made again', async () => {
    await client.query('truncate store.people');
    await client.query('begin');
    await fillPeople(client);
    await client.query('commit');
    expect((await client.query('select from store.people')).rowCount).toBe(30);
    expect(await pending()).toBe(0);
  });

  it('are left where the role that imports does not own the index', async () => {
    await client.query(`
      create role importer login password 'importer';
      grant usage on schema store to importer;
      grant select, insert, update, delete on all tables in schema store to importer`);
    const its = new URL(url);
    its.username = 'importer';
    its.password = 'importer';
    const writer = await openPostgresWriter(its.href, 0);
    const envelopes = [...sampleEnvelopes({ users: 5, first: 30, kinds: ['user', 'user_info'] })];
    expect(await importEnvelopes(writer, 'spec', envelopes)).toMatchObject({ imported: true });
    await writer.close();
    expect(await pending()).toBeGreaterThan(0);
  });
});
