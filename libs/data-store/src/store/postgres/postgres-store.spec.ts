import { startPostgres } from '@caregate/postgres';
import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createCounts } from '../import/import-types.ts';
import { bytes, postgresRows, put, teamA, userId, userRecord } from '../store.testing.ts';
import { openPostgresForWriting, openPostgresStore } from '../open-store.ts';
import { ImportWriter } from '../import/import-writer.ts';

const server = await startPostgres({ fsync: 'off' });
afterAll(() => server.stop());

const ids = { team_id: bytes(teamA), user_id: bytes(userId(1)) };
const order = userId(9);
const points = { userId: userId(1), fromUs: 0, limit: 10 };

async function filled(url: string): Promise<string> {
  const body = '"primary"';
  const writer = new ImportWriter(await openPostgresForWriting(url, 0));
  await put(writer, [
    { kind: 'user', ...ids, client_user_id: 'one', created_us: 1, body },
    { kind: 'lab_result', ...ids, order_id: bytes(order), body },
    { kind: 'insurance', ...ids, is_primary: 1, recorded_us: 1, body },
    {
      ...{ kind: 'mindfulness_minutes', ...ids, provider: 'oura', type: 'ring' },
      source: `{"provider":"oura","type":"ring","from":${body}}`,
      points: [{ start_us: 1, end_us: 2, body }],
    },
  ]);
  await writer.close();
  return url;
}

const filledUrl = await filled(server.url);

describe('a read', () => {
  it('is answered although its connection is cut before it, or in the middle of it', async () => {
    const store = await openPostgresStore(filledUrl);
    const axe = new pg.Client(filledUrl);
    await axe.connect();
    let cut = 0;
    while (cut < 10) {
      const reads = Promise.all([
        store.findUserByClientId(teamA, 'one'),
        store.getLabResult(teamA, order),
        store.getTimeseries(teamA, points),
        store.listUsers(teamA, { offset: 0, limit: 1 }),
      ]);
      const { rowCount } = await axe.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'caregate serve' and datname = current_database()`,
      );
      cut += rowCount ?? 0;
      expect(JSON.stringify(await reads).split('primary')).toHaveLength(6);
    }
    await axe.end();
    await store.close();
  });

  it('fails while there is no database, readiness says so, and both are well again after', async () => {
    const store = await openPostgresStore(filledUrl);
    await store.checkReady();
    await server.down('fast');
    await expect(store.checkReady()).rejects.toThrow();
    await expect(store.findUserByClientId(teamA, 'one')).rejects.toThrow();
    await server.up();
    await store.checkReady();
    expect((await store.findUserByClientId(teamA, 'one'))?.body).toBe('"primary"');
    await store.close();
  });
});

it('an import whose connection is cut leaves the store as before, and can be done again', async () => {
  const url = await server.database();
  const writer = new ImportWriter(await openPostgresForWriting(url, 0));
  await put(writer, [userRecord(teamA, 1)]);
  const before = await postgresRows(url);
  await writer.begin(0);
  expect(await writer.write([userRecord(teamA, 3)], createCounts())).toEqual([undefined]);
  await server.down('immediate');
  await server.up();
  const commit = async (): Promise<void> => {
    await writer.commit();
  };
  await expect(commit()).rejects.toThrow();
  await writer.rollback();
  expect(await postgresRows(url)).toEqual(before);
  await put(writer, [userRecord(teamA, 1), userRecord(teamA, 7)]);
  expect((await postgresRows(url))['users']).toHaveLength(2);
  await writer.close();
});
