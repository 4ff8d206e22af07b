import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findPostgres } from './find-postgres.ts';
import { startPostgres, type PostgresServer } from './start-postgres.ts';

const ask = (url: string, question: string): string =>
  execFileSync(findPostgres()('psql'), ['-X', '-A', '-t', '-q', url, '-c', question], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();

describe('a throw-away server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());

  it('is 15 or later, durable, in UTF-8, and asks for the password', () => {
    expect(Number(ask(server.url, 'show server_version_num'))).toBeGreaterThanOrEqual(150_000);
    expect(ask(server.url, 'show fsync')).toBe('on');
    expect(ask(server.url, 'show server_encoding')).toBe('UTF8');
    const address = new URL(server.url);
    address.password = 'wrong';
    expect(() => ask(address.href, 'select 1')).toThrow('password authentication failed');
  });

  it('keeps what was committed when it crashes', async () => {
    const url = await server.database();
    ask(url, 'create table t as select 7 as n');
    await server.down('immediate');
    expect(() => ask(url, 'select 1')).toThrow('Connection refused');
    await server.up();
    expect(ask(url, 'select n from t')).toBe('7');
  });
});

it('takes settings, and leaves nothing behind', async () => {
  const server = await startPostgres({ fsync: 'off', search_path: "it''s" });
  expect(ask(server.url, 'show fsync')).toBe('off');
  const folder = ask(server.url, 'show data_directory');
  expect(existsSync(folder)).toBe(true);
  await server.stop();
  expect(existsSync(folder)).toBe(false);
  expect(() => ask(server.url, 'select 1')).toThrow('Connection refused');
});

it('ends with the process that started it, even by kill -9', async () => {
  const main = fileURLToPath(new URL('main.ts', import.meta.url));
  const child = spawn(process.execPath, [main], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const folder = ask(line.toString().trim(), 'show data_directory');
  child.kill('SIGKILL');
  await once(child, 'exit');
  while (existsSync(folder)) {
    await sleep(20);
  }
});

it('says what to install where there is no PostgreSQL', () => {
  const empty = mkdtempSync(join(tmpdir(), 'caregate-none-'));
  try {
    expect(() => findPostgres(empty, empty)).toThrow('apt-get install postgresql');
    expect(() => findPostgres('', join(empty, 'none'))).toThrow('apt-get install postgresql');
  } finally {
    rmSync(empty, { recursive: true });
  }
});
