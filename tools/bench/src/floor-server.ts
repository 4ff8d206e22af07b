/** What no answer goes without: the check of a key and its role, one read of the same store, a durable record, the bytes. */
import { openAuditLog, packSortedUuids } from '@caregate/audit-log';
import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

interface Answer {
  readonly operation: string;
  readonly patients: readonly string[];
  readonly body: string;
}

interface Key {
  readonly team_id: string;
  readonly role: string;
  readonly secret_hash: Uint8Array;
  readonly expires_ms: number;
  readonly revoked_ms: number | null;
}

const toBytes = (uuid = ''): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const toUuid = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');

const [folders] = (await once(process, 'message')) as [{ data: string; log: string }];
const open = (name: string) => new DatabaseSync(join(folders.data, name), { readOnly: true });
const keyById = open('access.db').prepare('select * from keys where key_id = ?');
const store = open('store.db');
const resolve = store.prepare(
  'select user_id, body from users where team_id = ? and client_user_id = ?',
);
const lab = store.prepare(
  'select user_id, body from lab_results where team_id = ? and order_id = ?',
);
const list = store.prepare(
  `select (select total from user_totals where team_id = :team) as total, group_concat(body) as users, group_concat(hex(user_id)) as ids
   from (select user_id, body from users where team_id = :team order by created_us, user_id limit 100)`,
);
const points = store.prepare(
  `select (select body from mindfulness_sources where team_id = :team and user_id = :user limit 1) as source, group_concat(body) as data
   from (select body from mindfulness_minutes where team_id = :team and user_id = :user order by start_us limit 1000)`,
);
const texts = ['team_id', 'actor_id', 'operation', 'decision'];
const members = { time: 'recorded_at_us', texts, ids: { one: 'patient', many: 'patients' } };
const log = await openAuditLog({ dataDir: folders.log }, { members });

const server = createServer((request, response) => {
  const [, , keyId = '', secret = ''] = String(request.headers['x-service-api-key']).split('_');
  const key = keyById.get(keyId) as unknown as Key;
  const { secret_hash: secretHash, expires_ms: expiresMs, revoked_ms: revokedMs, role } = key;
  const isValid = timingSafeEqual(hash('sha256', secret.slice(0, 43), 'buffer'), secretHash);
  if (!isValid || expiresMs < Date.now() || revokedMs !== null || role === 'none') {
    response.writeHead(401).end();
    return;
  }
  const found = read(toBytes(key.team_id), request.url ?? '');
  void log.record(buildRecord(found, keyId, key)).then(() => {
    const head = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(found.body),
      'cache-control': 'no-store',
    };
    response.writeHead(200, head).end(found.body);
  });
});
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);

/** The record's text before and after its time, which the log fills in. */
function buildRecord({ operation, patients }: Answer, keyId: string, key: Key): [string, string] {
  const written = JSON.stringify({
    ...{ actor_type: 'key', actor_id: keyId, key_id: keyId, client_ip: '127.0.0.1' },
    ...{ data_category: 'identity', decision: 'allowed', http_status: 200, operation },
    ...{ patients: packSortedUuids([...patients]) ?? patients, record_count: 1 },
    ...{ recorded_at_us: 0, role: key.role, server_id: 'floor', team_id: key.team_id },
  });
  const time = '"recorded_at_us":';
  const [before = '', after = ''] = written.split(`${time}0`);
  return [before + time, after];
}

function read(team: Buffer, url: string): Answer {
  const [, , kind, first, second = ''] = url.split(/[/?]/u);
  const toAnswer = (operation: string, row: unknown): Answer => {
    const { user_id: userId, body } = row as { user_id: Uint8Array; body: string };
    return { operation, patients: [toUuid(userId)], body };
  };
  if (kind === 'order') return toAnswer('labOrderResult', lab.get(team, toBytes(first)));
  if (first === 'resolve') return toAnswer('resolveUser', resolve.get(team, second));
  if (kind === 'timeseries') {
    const { data, source } = points.get({ team, user: toBytes(first) }) as Record<string, string>;
    const cursor = JSON.stringify(Buffer.from(url).toString('base64url'));
    const body = `{"groups":{"oura":[{"data":[${data}],"source":${source}}]},"next":${cursor},"next_cursor":${cursor}}`;
    return { operation: 'mindfulnessMinutes', patients: [first ?? ''], body };
  }
  const { total, users, ids } = list.get({ team }) as { total: number; users: string; ids: string };
  const body = `{"users":[${users}],"total":${total},"offset":0,"limit":100}`;
  const patients = ids.split(',').map((id) => toUuid(Buffer.from(id, 'hex')));
  return { operation: 'listUsers', patients, body };
}
