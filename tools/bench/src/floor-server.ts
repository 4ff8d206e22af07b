/** What no answer goes without: the check of a key and its role, one read of the same store, a durable record, the bytes. */
import { openAuditLog, packSortedUuids } from '@caregate/audit-log';
import { hash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

interface Found {
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

process.once('message', (folders: { readonly data: string; readonly log: string }) => {
  void serve(folders);
});

const toBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const toUuid = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');

async function serve({ data, log: dataDir }: { data: string; log: string }): Promise<void> {
  const access = new DatabaseSync(join(data, 'access.db'), { readOnly: true });
  const keyById = access.prepare('select * from keys where key_id = ?');
  const read = readsFrom(new DatabaseSync(join(data, 'store.db'), { readOnly: true }));
  const texts = ['team_id', 'actor_id', 'operation', 'decision'];
  const members = { time: 'recorded_at_us', texts, ids: { one: 'patient', many: 'patients' } };
  const log = await openAuditLog({ dataDir }, { members });
  const server = createServer((request, response) => {
    const text = String(request.headers['x-service-api-key']);
    const [, , keyId = '', rest = ''] = text.split('_');
    const key = keyById.get(keyId) as unknown as Key | undefined;
    const isKnown =
      key !== undefined &&
      timingSafeEqual(hash('sha256', rest.slice(0, 43), 'buffer'), key.secret_hash);
    if (!isKnown || key.expires_ms < Date.now() || key.revoked_ms !== null || key.role === 'none') {
      response.writeHead(401).end();
      return;
    }
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const found = read(toBytes(key.team_id), path, Number(query.slice('limit='.length)));
    const { body } = found;
    log.record(recordOf(found, keyId, key)).then(
      () => {
        const head = {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'cache-control': 'no-store',
        };
        response.writeHead(200, head).end(body);
      },
      () => response.writeHead(503).end(),
    );
  });
  server.listen(0, '127.0.0.1', () =>
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
}

/** The record's text before and after its time, which the log fills in. */
function recordOf({ operation, patients }: Found, keyId: string, key: Key): [string, string] {
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

function readsFrom(store: DatabaseSync): (team: Buffer, path: string, limit: number) => Found {
  const of = 'where team_id = ? and';
  const resolve = store.prepare(`select user_id, body from users ${of} client_user_id = ?`);
  const insurance = store.prepare(
    `select user_id, body from insurances ${of} user_id = ? and is_primary = 1 order by recorded_us desc limit 1`,
  );
  const lab = store.prepare(`select user_id, body from lab_results ${of} order_id = ?`);
  const list = store.prepare(
    `select (select total from user_totals where team_id = :team) as total, group_concat(body) as users, group_concat(hex(user_id)) as ids
     from (select user_id, body from users where team_id = :team order by created_us, user_id limit :limit)`,
  );
  const points = store.prepare(
    `select group_concat(body) as bodies from (select body from mindfulness_minutes ${of} user_id = ? order by start_us limit 1000)`,
  );
  const source = store.prepare(`select body from mindfulness_sources ${of} user_id = ? limit 1`);
  const one = (operation: string, row: unknown): Found => {
    const { user_id: userId, body } = row as { user_id: Uint8Array; body: string };
    return { operation, patients: [toUuid(userId)], body };
  };
  return (team, path, limit) => {
    const [, , kind, first, second = ''] = path.split('/');
    if (kind === 'order') return one('labOrderResult', lab.get(team, toBytes(first ?? '')));
    if (kind === 'timeseries') {
      const user = toBytes(first ?? '');
      const { bodies } = points.get(team, user) as { bodies: string };
      const { body: about } = source.get(team, user) as { body: string };
      const cursor = JSON.stringify(Buffer.from(path).toString('base64url'));
      const body = `{"groups":{"oura":[{"data":[${bodies}],"source":${about}}]},"next":${cursor},"next_cursor":${cursor}}`;
      return { operation: 'mindfulnessMinutes', patients: [first ?? ''], body };
    }
    if (first === 'resolve')
      return one('resolveUser', resolve.get(team, decodeURIComponent(second)));
    if (first !== undefined) return one('latestInsurance', insurance.get(team, toBytes(first)));
    const found = list.get({ team, limit }) as { total: number; users: string; ids: string };
    const body = `{"users":[${found.users}],"total":${found.total},"offset":0,"limit":${limit}}`;
    const patients = found.ids.split(',').map((id) => toUuid(Buffer.from(id, 'hex')));
    return { operation: 'listUsers', patients, body };
  };
}
