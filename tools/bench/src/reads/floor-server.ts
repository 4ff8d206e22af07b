/** What an answer cannot go without: a key's hash and role, one read of the same store, a durable record, the bytes. */
import { openAuditLog, packSortedUuids } from '@caregate/audit-log';
import { hash, timingSafeEqual } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

process.once('message', (settings: { readonly data: string; readonly log: string }) => {
  void serve(settings);
});

const roles = new Set(['clinician', 'integration']);
const bytesOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');
const uuidOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-');

const members = {
  time: 'recorded_at_us',
  texts: ['team_id', 'actor_id', 'operation', 'decision'],
  ids: { one: 'patient', many: 'patients' },
};

async function serve({ data, log: folder }: { data: string; log: string }): Promise<void> {
  const access = new DatabaseSync(join(data, 'access.db'), { readOnly: true });
  const store = new DatabaseSync(join(data, 'store.db'), { readOnly: true });
  mkdirSync(folder, { recursive: true });
  const log = await openAuditLog({ dataDir: folder }, { members });
  const keyById = access.prepare(
    'select team_id, role, secret_hash, expires_ms, revoked_ms from keys where key_id = ?',
  );
  const resolve = store.prepare(
    'select user_id, body from users where team_id = ? and client_user_id = ?',
  );
  const insurance = store.prepare(
    'select user_id, body from insurances where team_id = ? and user_id = ? and is_primary = 1 order by recorded_us desc limit 1',
  );
  const lab = store.prepare(
    'select user_id, body from lab_results where team_id = ? and order_id = ?',
  );
  const list = store.prepare(
    `select (select total from user_totals where team_id = :team) as total, group_concat(body) as users, group_concat(hex(user_id)) as ids
     from (select user_id, body from users where team_id = :team order by created_us, user_id limit :limit)`,
  );
  const points = store.prepare(
    `select group_concat(body) as bodies from (select body from mindfulness_minutes where team_id = ? and user_id = ? order by start_us limit 1000)`,
  );
  const after = store.prepare(
    'select start_us from mindfulness_minutes where team_id = ? and user_id = ? order by start_us limit 1 offset 1000',
  );
  const source = store.prepare(
    'select body from mindfulness_sources where team_id = ? and user_id = ? limit 1',
  );

  type Found = { operation: string; patients: string[]; body: string };
  const one = (operation: string, row: unknown): Found => {
    const { user_id, body } = row as { user_id: Uint8Array; body: string };
    return { operation, patients: [uuidOf(user_id)], body };
  };
  const read = (team: Buffer, path: string, limit: number): Found => {
    const [, , kind, first, second] = path.split('/');
    if (kind === 'order') return one('labOrderResult', lab.get(team, bytesOf(first ?? '')));
    if (kind === 'timeseries') {
      const user = bytesOf(first ?? '');
      const { bodies } = points.get(team, user) as { bodies: string };
      const next =
        after.get(team, user) === undefined ? null : Buffer.from(path).toString('base64url');
      const about = source.get(team, user) as { body: string };
      const cursor = JSON.stringify(next);
      const body = `{"groups":{"oura":[{"data":[${bodies}],"source":${about.body}}]},"next":${cursor},"next_cursor":${cursor}}`;
      return { operation: 'mindfulnessMinutes', patients: [first ?? ''], body };
    }
    if (first === undefined) {
      const { total, users, ids } = list.get({ team, limit }) as {
        total: number;
        users: string;
        ids: string;
      };
      const body = `{"users":[${users}],"total":${total},"offset":0,"limit":${limit}}`;
      return {
        operation: 'listUsers',
        patients: ids.split(',').map((id) => uuidOf(Buffer.from(id, 'hex'))),
        body,
      };
    }
    if (first === 'resolve')
      return one('resolveUser', resolve.get(team, decodeURIComponent(second ?? '')));
    return one('latestInsurance', insurance.get(team, bytesOf(first)));
  };
  const entry = {
    actor_type: 'key',
    client_ip: '127.0.0.1',
    data_category: 'identity',
    decision: 'allowed',
    http_status: 200,
    record_count: 1,
    server_id: 'floor',
  };
  const server = createServer((request, response) => {
    const text = String(request.headers['x-service-api-key']);
    const [, , keyId = '', rest = ''] = text.split('_');
    const key = keyById.get(keyId) as
      | {
          team_id: string;
          role: string;
          secret_hash: Uint8Array;
          expires_ms: number;
          revoked_ms: number | null;
        }
      | undefined;
    const same =
      key !== undefined &&
      timingSafeEqual(hash('sha256', rest.slice(0, 43), 'buffer'), key.secret_hash);
    if (!same || key.expires_ms < Date.now() || key.revoked_ms !== null || !roles.has(key.role)) {
      response.writeHead(401).end();
      return;
    }
    const [path = '', query = ''] = (request.url ?? '').split('?');
    const { operation, patients, body } = read(
      bytesOf(key.team_id),
      path,
      Number(query.slice('limit='.length)),
    );
    const at = '"recorded_at_us":';
    const written = JSON.stringify({
      ...entry,
      actor_id: keyId,
      key_id: keyId,
      operation,
      patients: packSortedUuids(patients) ?? patients,
      recorded_at_us: 0,
      role: key.role,
      team_id: key.team_id,
    });
    const [before = '', after = ''] = written.split(`${at}0`);
    const record = [before + at, after] as const;
    log.record(record).then(
      () => {
        response.writeHead(200, {
          'content-type': 'application/json; charset=utf-8',
          'content-length': Buffer.byteLength(body),
          'cache-control': 'no-store',
        });
        response.end(body);
      },
      () => response.writeHead(503).end(),
    );
  });
  server.listen(0, '127.0.0.1', () =>
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
  );
}
