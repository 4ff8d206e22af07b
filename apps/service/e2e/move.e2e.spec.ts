import { describe, expect, it } from '@jest/globals';
import { sampleTeamId } from '@caregate/sample-data';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { bin, caregate, newFolder, start } from './caregate.testing.ts';
import { caregateIn, type Ended } from '../src/cli/caregate.testing.ts';
import { editLog } from '../src/audit/records.testing.ts';
import { openStoreForWriting, ImportWriter } from '@caregate/data-store';
import {
  all,
  answers,
  answersOf,
  ask,
  copyOfSource,
  count,
  cursor,
  done,
  envelopes,
  folder,
  inDatabase,
  kept,
  keys,
  moving,
  pagePath,
  reason,
  server,
  source,
  walker,
  withoutCursor,
} from './move.testing.ts';

const move = (data: string, to: string): Promise<Ended> =>
  caregateIn({ DATABASE_URL: to }, moving(data));
const refused = (code: number, message: string): object => ({
  ...{ code, out: '', err: expect.stringContaining(message) },
});

/** Returns the number of the service's tables in a database. */
async function tables(url: string): Promise<number> {
  return await count(url, `pg_tables where schemaname in ('store', 'access', 'audit')`);
}

describe('caregate move', () => {
  it('moves everything: responses, keys, cursors and grants stay the same, and the log continues', async () => {
    const data = copyOfSource();
    const url = await server.database();
    const env = { DATABASE_URL: url };
    const first = caregate(moving(data), env);
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toContain('303 users');
    expect(readdirSync(data).sort()).toEqual([
      'access.db.moved',
      'audit-key.pem',
      'audit-log-id',
      'audit.db.moved',
      'metrics-token',
      'moved-to-database',
      'service-lock.db',
      'store.db.moved',
    ]);
    for (const [kind, table] of [
      ['user', 'store.users'],
      ['lab_result', 'store.lab_results'],
      ['insurance', 'store.insurances'],
    ] as const) {
      const lines = all.filter((each) => each.kind === kind);
      // The file has a corrected result twice.
      const keys = lines.map((each, at) => (each.kind === 'lab_result' ? each.order_id : at));
      expect(await count(url, table)).toBe(new Set<number | string>(keys).size);
    }
    const checkpoint = ['--checkpoint', kept.notePath];
    const key = ['--public-key', kept.key];
    expect(await done(env, 'audit', 'verify', ...checkpoint, ...key)).toContain(
      'It extends the given checkpoint.',
    );
    const size = Number(kept.note.split('\n')[1]);
    const total = await count(url, 'audit.audit_record');
    expect(total).toBeGreaterThan(size + 1);

    const service = await start(['serve', '--data', data], newFolder(), env);
    const after = await answersOf(service);
    for (const [path, answer] of answers) {
      expect([path, withoutCursor(after.get(path) ?? '')]).toEqual([path, withoutCursor(answer)]);
    }
    const rest = await ask(service, `${pagePath}&next_cursor=${cursor}`, keys.clinician);
    expect(rest.slice(0, 3)).toBe('200');
    expect(rest).not.toBe(after.get(pagePath));
    expect((await ask(service, pagePath, keys.revoked)).slice(0, 3)).toBe('401');
    expect(await done(env, 'access', 'break-glass', 'list', '--json')).toContain(reason);
    // The secret that hashes client user IDs is moved, too, so that hashes before and after are equal.
    const hidden = await inDatabase(url, async (db) => {
      const { rows } = await db.query<{ hidden: string; times: string }>(
        `select body::json->'details'->>'client_user_id_hmac' as hidden, count(*) as times
         from audit.audit_record where operation = 'resolveUser' and decision = 'allowed' group by 1`,
      );
      return rows;
    });
    // Four users were requested, once before the move and once after it.
    expect(hidden.map(({ times }) => times)).toEqual(['2', '2', '2', '2']);
    expect(hidden.every(({ hidden: text }) => text.length === 43)).toBe(true);
    expect(await service.end()).toBe(0);
    const { rows: logs } = await inDatabase(url, (db) => db.query('select from audit.audit_log'));
    expect(logs).toHaveLength(1);
    const moved = await count(url, `audit.audit_record where operation = 'moveToDatabase'`);
    expect(moved).toBe(1);
    await done(env, 'audit', 'verify', ...checkpoint);

    // All commands refuse the moved folder, and name the place of its data.
    const { host, pathname } = new URL(url);
    const place = `is in PostgreSQL at ${host}${pathname}. Back up that database with pg_dump`;
    const gone = {};
    for (const [words, from, code, message] of [
      [['serve', '--port', '0'], gone, 1, 'set DATABASE_URL'],
      [['keys', 'list'], gone, 1, 'set DATABASE_URL'],
      [['audit', 'checkpoint'], gone, 1, 'set DATABASE_URL'],
      ...[gone, env].flatMap((either) => [
        [['backup', join(folder, 'no-backup')], either, 2, place] as const,
        [['backup', '--stdout'], either, 2, place] as const,
        [['restore', source], either, 2, 'pg_restore'] as const,
      ]),
    ] as const) {
      const ended = await caregateIn(from, [...words, '--data', data]);
      expect([words, ended]).toEqual([words, refused(code, message)]);
    }
    expect(existsSync(join(folder, 'no-backup'))).toBe(false);
    expect(await move(data, await server.database())).toEqual(
      refused(1, 'was moved to PostgreSQL'),
    );

    // Changes one character of a moved record.
    await inDatabase(url, (db) =>
      db.query(`set session_replication_role = replica;
        alter table audit.audit_record disable trigger audit_record_append_only;
        update audit.audit_record set body = replace(body, '"listUsers"', '"listUser5"')
          where seq = (select min(seq) from audit.audit_record where operation = 'listUsers');
        alter table audit.audit_record enable trigger audit_record_append_only`),
    );
    expect(await caregateIn(env, ['audit', 'verify'])).toEqual(refused(2, 'differ from its body'));
  });

  it('refuses a folder in use, a database with data, and a log that fails verification', async () => {
    const data = copyOfSource();
    const url = await server.database();
    const service = await start(['serve', '--data', data], newFolder());
    expect(await move(data, url)).toEqual(refused(1, 'is in use by another caregate process'));
    expect((await ask(service, pagePath, keys.clinician)).slice(0, 3)).toBe('200');
    expect(await service.end()).toBe(0);
    const keyless = copyOfSource();
    rmSync(join(keyless, 'audit-key.pem'));
    expect(await move(keyless, url)).toEqual(refused(1, 'audit-key.pem, is missing'));
    const altered = copyOfSource();
    editLog(
      altered,
      `update audit_record set body = replace(body, 'importStarted', 'importstarted')`,
    );
    expect(await move(altered, url)).toEqual(refused(1, 'audit log'));
    expect(await tables(url)).toBe(0);
    const file = join(folder, 'one.ndjson');
    writeFileSync(file, `${JSON.stringify(envelopes[1]![0])}\n`);
    await done({ DATABASE_URL: url }, 'import', file, '--data', newFolder());
    expect(await move(data, url)).toEqual(refused(1, 'already contains data (in store.users)'));
    expect(await count(url, 'store.users')).toBe(1);
    expect(existsSync(join(data, 'moved-to-database'))).toBe(false);
    expect(await move(join(folder, 'none'), url)).toEqual(refused(2, 'is not a data folder'));
  });

  it('loses nothing if it is killed, and moves everything when it is run again', async () => {
    const data = copyOfSource();
    const url = await server.database();
    const env = { DATABASE_URL: url };
    // Creates the tables.
    await new ImportWriter(await openStoreForWriting({ dataDir: '', databaseUrl: url })).close();
    // The move waits between two tables while this session holds the lock.
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query(`create function wait() returns trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(42); return null; end';
      create trigger wait before insert on store.insurances for each statement execute function wait();
      select pg_advisory_lock(42)`);
    const child = spawn(process.execPath, [bin, ...moving(data), '--to', url]);
    const waiting = `pg_locks where locktype = 'advisory' and not granted`;
    while ((await count(url, waiting)) === 0) {
      expect(child.exitCode).toBeNull();
      await sleep(20);
    }
    child.kill('SIGKILL');
    await once(child, 'close');
    await holder.query('drop trigger wait on store.insurances').catch(() => undefined);
    await holder.end();
    while ((await count(url, waiting)) > 0) {
      await sleep(20);
    }
    expect(await count(url, 'store.users')).toBe(0);
    await done(
      { CAREGATE_DATA: data },
      'person',
      'export',
      '--team',
      sampleTeamId,
      '--user',
      walker,
    );
    await done(env, ...moving(data));
    expect(await count(url, 'store.users')).toBe(303);
    await done(env, 'audit', 'verify', '--checkpoint', kept.notePath);
  });
});
