import { newDatabase } from '@caregate/postgres';
import { listPersonas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { testService, type TestService } from '../testing/service.testing.ts';

const { amara } = listPersonas();
let service: TestService;
let key: string;
let axe: pg.Client;

beforeAll(async () => {
  const databaseUrl = await newDatabase();
  service = await testService(sampleEnvelopes({ users: 5 }), { databaseUrl });
  key = await service.key(sampleTeamId);
  axe = new pg.Client(databaseUrl);
  await axe.connect();
});
afterAll(async () => {
  await axe.end();
  await service.close();
});

async function cutAllConnections(): Promise<void> {
  const { rowCount } = await axe.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`,
  );
  expect(rowCount).toBeGreaterThan(0);
}

it('the first reads after all connections were cut are answered', async () => {
  const path = `/v2/user/resolve/${amara.clientUserId}`;
  for (let round = 0; round < 5; round += 1) {
    expect((await service.get(path, key)).status).toBe(200);
    await cutAllConnections();
    const answers = await Promise.all([service.get(path, key), service.get('/v2/user', key)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  }
});
