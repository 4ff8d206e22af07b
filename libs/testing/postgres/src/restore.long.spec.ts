import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgres } from './find-postgres.ts';
import { startPostgres, type PostgresServer } from './start-postgres.ts';

let folder: string;
let server: PostgresServer;
const programs = findPostgres();
const run = (name: 'psql' | 'pg_basebackup', ...arguments_: string[]): string =>
  execFileSync(programs(name), arguments_, { encoding: 'utf8', stdio: 'pipe' }).trim();
const ask = (url: string, question: string): string =>
  run('psql', '-X', '-A', '-t', '-q', url, '-c', question);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'caregate-wal-'));
  mkdirSync(join(folder, 'wal'));
  // The server writes there, which may be another user.
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'wal'), 0o777);
  server = await startPostgres({
    archive_mode: 'on',
    archive_command: `test ! -f ${folder}/wal/%f && cp %p ${folder}/wal/%f.part && sync ${folder}/wal/%f.part && mv ${folder}/wal/%f.part ${folder}/wal/%f`,
  });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The recipe of docs/operations.md. */
it('is restored from a base backup and the archived log, with all that was committed after the backup', async () => {
  ask(server.url, 'create table t as select 1 as n');
  const base = join(folder, 'base');
  const flags = ['-X', 'none', '-c', 'fast', '--no-verify-checksums'];
  run('pg_basebackup', '-d', server.url, '-D', base, ...flags);
  ask(server.url, 'insert into t values (2)');
  const wal = ask(server.url, 'select pg_walfile_name(pg_current_wal_lsn())');
  ask(server.url, 'select pg_switch_wal()');
  while (!readdirSync(join(folder, 'wal')).includes(wal)) {
    ask(server.url, 'select pg_sleep(0.05)');
  }
  const { url } = server;
  // The machine is lost.
  await server.stop();
  writeFileSync(join(base, 'recovery.signal'), '');
  const restore = { restore_command: `cp ${folder}/wal/%f %p`, recovery_target_action: 'promote' };
  server = await startPostgres(restore, { base, url });
  while (ask(server.url, 'select pg_is_in_recovery()') === 't') {
    ask(server.url, 'select pg_sleep(0.05)');
  }
  expect(ask(server.url, 'select array_agg(n order by n) from t')).toBe('{1,2}');
  ask(server.url, 'insert into t values (3)');
});
