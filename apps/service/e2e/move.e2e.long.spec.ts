import { expect, it } from '@jest/globals';
import { findPostgres } from '@caregate/postgres';
import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, start } from './caregate.testing.ts';
import {
  answers,
  answersOf,
  copyOfSource,
  done,
  folder,
  kept,
  moving,
  server,
  withoutCursor,
} from './move.testing.ts';

it('a dump of moved data restores everything', async () => {
  const data = copyOfSource();
  const url = await server.database();
  await done({ DATABASE_URL: url }, ...moving(data));
  const [programs, dump] = [findPostgres(), join(folder, 'dump.sql')];
  execFileSync(programs('pg_dump'), ['--no-owner', '--file', dump, url]);
  const restored = { DATABASE_URL: await server.database(), CAREGATE_DATA: newFolder() };
  const into = ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-f', dump, restored.DATABASE_URL];
  execFileSync(programs('psql'), into, { stdio: 'ignore' });
  for (const name of ['audit-key.pem', 'audit-log-id']) {
    cpSync(join(data, name), join(restored.CAREGATE_DATA, name));
  }
  await done(restored, 'audit', 'verify', '--public-key', kept.key);
  const service = await start(['serve'], restored.CAREGATE_DATA, restored);
  const after = await answersOf(service);
  for (const [path, answer] of answers) {
    expect([path, withoutCursor(after.get(path) ?? '')]).toEqual([path, withoutCursor(answer)]);
  }
  expect(await service.end()).toBe(0);
});
