import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { personas, sampleTeamId, sampleUserEnvelopes } from '@caregate/sample-data';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { until } from '../testing/until.testing.ts';
import { testService, type TestService } from '../testing/service.testing.ts';
import { MetricsToken } from './metrics-token.ts';
import { bodiesIn } from '../audit/records.testing.ts';

let service: TestService;

afterEach(async () => {
  await service.close();
});

const amara = personas.amara;
const people = (): ReturnType<typeof sampleUserEnvelopes> => sampleUserEnvelopes(amara.index);

describe('health', () => {
  it('is alive but not ready when the source fails, and names the part alone', async () => {
    service = await testService(people(), {
      source: { checkReady: () => Promise.reject(new Error('disk sda1 at /srv/secret is gone')) },
    });
    expect((await service.get('/healthz')).status).toBe(200);
    const answer = await service.get('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/u);
    expect(answer.headers['retry-after']).toBe('5');
    const detail = 'Unavailable: data store.';
    expect(answer.json()).toMatchObject({ type: '/problems/unavailable', detail });
    expect(answer.body + service.log.join('')).not.toContain('secret');
    const { body } = await service.metrics();
    expect(body).toContain('caregate_ready{part="store"} 0\n');
    expect(body).toContain('caregate_ready{part="audit"} 1\n');
  });
});

describe('the log', () => {
  it('has route, outcome and principal, and no text of the request', async () => {
    service = await testService(people());
    const key = await service.key(sampleTeamId);
    const { headers } = await service.get(`/v2/user/resolve/${amara.clientUserId}?x=1`, key);
    await service.get(`/v2/user/resolve/${amara.clientUserId}`, key);
    const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = lines.filter(({ msg }) => msg === 'request');
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({
      method: 'GET',
      operation: 'resolveUser',
      route: '/v2/user/resolve/:client_user_id',
      status: 422,
      request_id: headers['x-request-id'],
      team_id: sampleTeamId,
      key_id: expect.stringMatching(/^[0-9A-Za-z]{12}$/u),
    });
    // The logger of this spec adds host and process; the service's logger doesn't.
    expect(Object.keys(requests[1] ?? {}).sort()).toEqual([
      ...['duration_ms', 'hostname', 'key_id', 'level', 'method', 'msg', 'operation', 'pid'],
      ...['request_id', 'route', 'status', 'team_id', 'time'],
    ]);
    expect(service.log.join('')).not.toContain(amara.clientUserId);
  });

  it('has a line a second of each kind of failure, its class, and how many more there were', async () => {
    const lost = Object.assign(new Error('secret'), { code: 'ECONNREFUSED' });
    service = await testService(people(), {
      source: { findUserByClientId: () => Promise.reject(lost) },
    });
    const key = await service.key(sampleTeamId);
    const began = performance.now();
    for (let count = 0; count < 60; count += 1) {
      await service.get(`/v2/user/resolve/${amara.clientUserId}`, key);
    }
    const seconds = Math.ceil((performance.now() - began) / 1000);
    await service.app.close();
    const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    for (const msg of ['request', 'request failed']) {
      const own = lines.filter((line) => line['msg'] === msg);
      expect(own.length).toBeLessThanOrEqual(1 + seconds);
      expect(own.reduce((sum, { more }) => sum + 1 + Number(more), 0)).toBe(60);
    }
    expect(lines.find(({ msg }) => msg === 'request failed')).toMatchObject({
      error: { name: 'Error', code: 'ECONNREFUSED', class: 'connect_refused' },
    });
    expect(service.log.join('')).not.toContain('secret');
  });
});

describe('a disk that is almost full', () => {
  it('is warned of, an alarm, and in the metrics', async () => {
    const space = { freeBytes: 3 * 2 ** 30, totalBytes: 100 * 2 ** 30 };
    service = await testService(people(), { diskSpace: () => Promise.resolve(space) });
    await until(() => service.log.some((line) => line.includes('"alarm":"disk-space"')));
    const { body } = await service.metrics();
    expect(body).toContain(`caregate_disk_free_bytes ${space.freeBytes}`);
    expect(body).toContain(`caregate_disk_total_bytes ${space.totalBytes}`);
    const alarm = { operation: 'diskSpace', team_id: null, details: space };
    await until(() => bodiesIn(service.folder).some(({ operation }) => operation === 'diskSpace'));
    expect(bodiesIn(service.folder)).toContainEqual(expect.objectContaining(alarm));
    expect((await service.get('/v2/user', await service.key(sampleTeamId))).status).toBe(200);
  });
});

describe('metrics', () => {
  it('are for their token alone: nobody, no key of a team and no other token reads them', async () => {
    service = await testService(people());
    expect((await service.metrics()).status).toBe(200);
    const key = await service.key(sampleTeamId, 'admin');
    const { text } = service.app.get(MetricsToken, { strict: false });
    const headers = [{}, { 'x-service-api-key': key }, { authorization: `Bearer ${key}` }];
    const others = ['', text, `Bearer ${text}x`, `Bearer ${text.slice(1)}`, `Basic ${text}`];
    for (const each of [...headers, ...others.map((authorization) => ({ authorization }))]) {
      const answer = await service.request('GET', '/metrics', each);
      expect([each, answer.status]).toEqual([each, 401]);
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="caregate metrics"');
      expect(answer.body).not.toMatch(/caregate_/u);
    }
  });

  it('have the same token on each instance, in a file for its owner that may be opened to others', () => {
    const folder = mkdtempSync(join(tmpdir(), 'caregate-metrics-'));
    const file = join(folder, 'metrics-token');
    const token = new MetricsToken(Buffer.alloc(32, 7));
    token.writeTo(folder);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o640);
    new MetricsToken(Buffer.alloc(32, 7)).writeTo(folder);
    expect([statSync(file).mode & 0o777, readFileSync(file, 'utf8')]).toEqual([0o640, token.text]);
    new MetricsToken(Buffer.alloc(32, 8)).writeTo(folder);
    expect(readFileSync(file, 'utf8')).not.toBe(token.text);
    rmSync(folder, { recursive: true });
  });

  it('count refusals by reason, and give the next key expiry and the imports', async () => {
    service = await testService(people());
    const key = await service.key(sampleTeamId);
    await service.get('/v2/user?limit=0', key);
    await service.get(
      `/v2/user/${'0'.repeat(8)}-0000-4000-8000-${'0'.repeat(12)}/insurance/latest`,
      key,
    );
    await service.get('/v2/user');
    const { body } = await service.metrics();
    const refusals = [...body.matchAll(/^caregate_refusals_total\{reason="(.+)"\} 1$/gmu)];
    expect(refusals.map(([, reason]) => reason).sort()).toEqual([
      ...['invalid-parameter', 'not-found', 'unauthorized'],
    ]);
    const expires = (await service.access.keys.list())[0]!.expires;
    expect(body).toContain('\ncaregate_keys_valid 1\n');
    expect(body).toContain(
      `\ncaregate_key_next_expiry_timestamp_seconds ${expires.getTime() / 1000}\n`,
    );
    expect(body).toContain('\ncaregate_imported_files 1\n');
    const value = (name: string): number =>
      Number(new RegExp(`^${name} (.+)$`, 'mu').exec(body)?.[1]);
    expect([value('caregate_audit_records_total'), value('caregate_audit_queue')]).toEqual([2, 0]);
    expect(value('caregate_audit_groups_total')).toBeGreaterThanOrEqual(1);
    expect(value('caregate_audit_open')).toBe(1);
  });

  it('count the messages that wait for their patients, and say when the oldest came', async () => {
    service = await testService(people());
    const none = (await service.metrics()).body;
    expect(none).toContain('\ncaregate_waiting_messages 0\n');
    expect(none).toContain('\ncaregate_oldest_waiting_message_timestamp_seconds Nan\n');
    const file = new DatabaseSync(join(service.folder, 'store.db'), { timeout: 30_000 });
    const insert = file.prepare(`insert into hl7_messages
      (team_id, message_hash, digest, received_us, user_id, waits_for, client_user_ids, people, bytes, charset, sender)
      values (x'00', ?, x'00', ?, x'', ?, '', '', x'', 'ASCII', '')`);
    insert.run(Buffer.from([1]), 1_700_000_500_000_000, 'unknown_person');
    insert.run(Buffer.from([2]), 1_700_000_000_000_000, 'no_birth_date');
    insert.run(Buffer.from([3]), 1_600_000_000_000_000, '');
    file.close();
    const { body } = await service.metrics();
    expect(body).toContain('\ncaregate_waiting_messages 2\n');
    expect(body).toContain('\ncaregate_oldest_waiting_message_timestamp_seconds 1700000000\n');
  });

  it('keep their last values while the database does not answer', async () => {
    service = await testService(people());
    const silent = jest
      .spyOn(service.source, 'getImports')
      .mockReturnValue(new Promise(() => undefined));
    expect((await service.metrics()).body).toContain('\ncaregate_imported_files Nan\n');
    silent.mockRestore();
    expect((await service.metrics()).body).toContain('\ncaregate_imported_files 1\n');
    jest.spyOn(service.source, 'getImports').mockRejectedValue(new Error('gone'));
    expect((await service.metrics()).body).toContain('\ncaregate_imported_files 1\n');
  });

  it('count each operation by its name and status, and have no room for anything sent', async () => {
    service = await testService(people());
    const key = await service.key(sampleTeamId);
    await service.get(`/v2/user/resolve/${amara.clientUserId}`, key);
    await service.get(`/v2/user/resolve/${amara.clientUserId}`);
    await service.get('/v2/nowhere/MRN-000101');
    await service.get('/healthz');
    await service.get('/problems/not-found');
    const { body, headers } = await service.metrics();
    expect(headers['content-type']).toMatch(/^text\/plain/u);
    const counted = [...body.matchAll(/_duration_seconds_count\{(operation=.+)\} 1$/gmu)].map(
      ([, by]) => by,
    );
    expect(counted.sort()).toEqual([
      'operation="healthz",status="200"',
      'operation="none",status="404"',
      'operation="problemType",status="200"',
      'operation="resolveUser",status="200"',
      'operation="resolveUser",status="401"',
    ]);
    expect(body).not.toContain(amara.clientUserId);
  });
});
