import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findPostgres, startPostgres, type PostgresServer } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { RecordIds } from '../src/audit/record-ids.ts';
import { caregateIn } from '../src/cli/caregate.testing.ts';
import { newFolder, noLimits, start, type Running } from './caregate.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 4 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;

const folder = newFolder();
let primary: PostgresServer;
let standby: PostgresServer;
let service: Running | undefined;
/** The server to which the proxy connects, as a load balancer would. */
let current: PostgresServer;
const ended = new AbortController();

const address = createServer((client) => {
  const server = connect(Number(new URL(current.url).port), '127.0.0.1');
  for (const end of [client, server]) end.on('error', () => undefined);
  server.on('close', () => client.destroy());
  client.on('close', () => server.destroy());
  client.pipe(server).pipe(client);
}).listen(0, '127.0.0.1');

async function query<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows as Row[];
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!ended.signal.aborted && !(await holds())) await sleep(20);
}

beforeAll(async () => {
  if (!address.listening) await once(address, 'listening');
  primary = await startPostgres({ wal_keep_size: '256MB' });
  current = primary;
  const { url } = primary;
  const base = join(folder, 'base');
  execFileSync(findPostgres()('pg_basebackup'), [
    '-d',
    url,
    '-D',
    base,
    '-X',
    'stream',
    '-c',
    'fast',
  ]);
  writeFileSync(join(base, 'standby.signal'), '');
  standby = await startPostgres({ primary_conninfo: url }, { base, url });
  await query(url, `alter system set synchronous_standby_names = '*'`);
  await query(url, 'select pg_reload_conf()');
  const synchronous = `select 1 from pg_stat_replication where sync_state = 'sync'`;
  await until(async () => (await query(url, synchronous)).length === 1);
});

afterAll(async () => {
  ended.abort();
  address.close();
  await primary.stop();
  await standby.stop();
});

it('no answered record is lost when the primary is killed and a synchronous standby takes over', async () => {
  const { port } = address.address() as AddressInfo;
  const settings = {
    ...noLimits,
    DATABASE_URL: Object.assign(new URL(primary.url), { port: String(port) }).href,
    CAREGATE_DATA: join(folder, 'commands'),
    CAREGATE_DATABASE_DURABILITY: 'replicated',
  };
  const command = async (...words: string[]): Promise<string> => {
    const { out, ...ended } = await caregateIn(settings, words);
    expect([words, ended]).toEqual([words, { code: 0, err: '' }]);
    return out;
  };
  const file = join(folder, 'data.ndjson');
  writeFileSync(file, envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''));
  await command('import', file);
  const flags = ['--team', sampleTeamId, '--role', 'clinician', '--label', 'x', '--json'];
  const { key } = JSON.parse(await command('keys', 'create', ...flags)) as { key: string };
  service = await start(['serve', '--data', join(folder, 'one')], newFolder(), settings);
  const url = `${service.ready.base_url}/v3/order/${order.order_id}/result`;

  const records: string[] = [];
  let last = 0;
  const clients = [0, 1, 2, 3].map(async () => {
    while (!ended.signal.aborted) {
      const answer = await fetch(url, { headers: { 'x-service-api-key': key } });
      await answer.arrayBuffer();
      last = answer.status;
      if (answer.status === 200) records.push(answer.headers.get('x-audit-record-id') ?? 'none');
    }
  });
  await until(() => records.length > 500);
  await primary.down('immediate');
  await until(() => last === 503);
  await query(standby.url, 'select pg_promote()');
  current = standby;
  // The new primary has no standby yet, so it confirms nothing.
  const answered = records.length;
  await sleep(2000);
  expect(records).toHaveLength(answered);
  ended.abort();
  await Promise.all(clients);

  const [{ secret } = { secret: Buffer.alloc(0) }] = await query<{ secret: Buffer }>(
    standby.url,
    'select secret from access.permanent_secret',
  );
  const ids = new RecordIds(secret);
  const rows = await query<{ log_id: string; seq: string }>(
    standby.url,
    'select log_id, seq from audit.audit_record',
  );
  const stored = new Set(rows.map(({ log_id: log, seq }) => `${log}/${seq}`));
  const places = records.map((id) => ids.decrypt(id));
  expect(places.filter((place) => !stored.has(`${place?.logId}/${place?.seq}`))).toEqual([]);
  settings.CAREGATE_DATABASE_DURABILITY = 'one-machine';
  await command('audit', 'verify');
});
