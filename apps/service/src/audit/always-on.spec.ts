import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readConfig } from '../config/read-config.ts';
import { settingNames, settings, type ServiceConfig } from '../config/service-config.ts';
import { testService, type TestService } from '../testing/service.testing.ts';
import { until } from '../testing/until.testing.ts';
import { bodiesIn } from './records.testing.ts';
import type { AuditLog } from './open-log.ts';

const envelopes = [...sampleEnvelopes({ users: 3 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const resultPath = `/v3/order/${order.order_id}/result`;

/** Unusual but valid values of settings. */
const odd: Partial<Record<keyof ServiceConfig, readonly string[]>> = {
  host: ['localhost', '0.0.0.0'],
  plainHttp: ['no', 'yes'],
  port: ['0', '65535'],
  profile: ['public-sdk', 'interface'],
  rateLimitPerKey: ['1', '1000000000'],
  concurrencyPerKey: ['1', '1000000'],
  trustedProxies: ['10.0.0.0/8', '127.0.0.1/32'],
  checkpointCopy: ['/no/such/folder'],
  backupFolder: ['/no/such/folder'],
  backupDays: ['1', '3650'],
  publicUrl: ['https://caregate.clinic.example/api'],
  clinicName: ['North Clinic'],
  narrow: ['clinician.listUsers=mask', 'auditor.listAuditEvents=no,auditor.auditProof=no'],
};
function logOf(service: TestService): Record<string, unknown>[] {
  return bodiesIn(service.folder) as unknown as Record<string, unknown>[];
}

describe('recording', () => {
  it.each([0, 1])(
    'is not turned off by unusual values of all settings together (%p)',
    async (at) => {
      const odds = Object.fromEntries(
        settingNames.flatMap((name) => {
          const value = odd[name]?.[at];
          return value === undefined ? [] : [[settings[name].variable, value]];
        }),
      );
      const config = readConfig({ ...odds, CAREGATE_DATA: '.' });
      const service = await testService(envelopes, { config });
      try {
        const answer = await service.get(resultPath, await service.key(sampleTeamId));
        expect(answer.status).toBe(200);
        expect(answer.headers['x-audit-record-id']).toMatch(/^[0-9a-f]{32}$/u);
        expect(logOf(service)).toContainEqual(
          expect.objectContaining({ operation: 'labOrderResult', patients: [order.user_id] }),
        );
      } finally {
        await service.close();
      }
    },
  );
});

describe('a log that accepts no records', () => {
  it('makes every request fail with 503 until it accepts records again', async () => {
    const states: string[] = [];
    let state: AuditLog['state'] = () => {
      throw new Error('not open');
    };
    const service = await testService(envelopes, {
      audit: (log) => {
        state = () => (log as unknown as AuditLog).state();
        return log;
      },
    });
    for (const state of ['interrupted', 'resumed'] as const) {
      service.auditEvents.on(state, () => states.push(state));
    }
    try {
      const key = await service.key(sampleTeamId);
      expect((await service.get(resultPath, key)).status).toBe(200);
      const db = new DatabaseSync(join(service.folder, 'audit.db'), { timeout: 30_000 });
      db.exec(
        `create trigger in_the_way before update on audit_log begin select raise(abort, 'in the way'); end`,
      );
      const answer = await service.get(resultPath, key);
      expect(answer.status).toBe(503);
      expect(answer.body).not.toContain(order.user_id);
      expect(state().isInterrupted).toBe(true);
      expect((await service.get(resultPath, key)).status).toBe(503);
      expect((await service.get('/readyz')).json()).toMatchObject({
        ...{ status: 503, detail: 'Unavailable: audit log.' },
      });
      expect((await service.get('/healthz')).status).toBe(200);
      db.exec('drop trigger in_the_way');
      db.close();
      await until(() => !state().isInterrupted);
      expect((await service.get(resultPath, key)).status).toBe(200);
      expect((await service.get('/readyz')).status).toBe(200);
      expect([...new Set(states)]).toEqual(['interrupted', 'resumed']);
      await until(() => logOf(service).some(({ operation }) => operation === 'logInterrupted'));
    } finally {
      await service.close();
    }
  });
});

describe('the log', () => {
  it('contains no value of an answer and no text of a request', async () => {
    const service = await testService(envelopes);
    try {
      const key = await service.key(sampleTeamId);
      const user = envelopes.find((envelope) => envelope.kind === 'user')!.user;
      for (const path of [
        '/v2/user?limit=500',
        `/v2/user/resolve/${encodeURIComponent(user.client_user_id)}`,
        `/v2/user/resolve/CANARY-in-path`,
        `/v2/user/${user.user_id}/insurance/latest`,
        resultPath,
        `/v2/timeseries/${user.user_id}/mindfulness_minutes/grouped?start_date=2020-01-01`,
        '/v2/user?limit=CANARY&CANARY=1',
        '/v2/user?offset=15551234567',
        `/v2/timeseries/${user.user_id}/mindfulness_minutes/grouped?start_date=CANARY&end_date=15551234567&provider=CANARY+name`,
        '/v3/order/CANARY/result',
        '/CANARY',
      ]) {
        await service.get(path, key, { 'user-agent': 'CANARY', 'x-request-id': 'CANARY' });
      }
      await service.request('CANARY', '/v2/user');
      const values = envelopes.flatMap((envelope) => leavesOf(envelope)).filter(isTelling);
      const ids = envelopes.map((envelope) => 'order_id' in envelope && envelope.order_id);
      expect(values.length).toBeGreaterThan(50);
      await service.app.close();
      const text = JSON.stringify(logOf(service));
      expect(text).toContain('"operation":"none"');
      expect(values.filter((value) => holds(text, value) && !ids.includes(value))).toEqual([]);
      expect(text).not.toMatch(/CANARY|15551234567/u);
      expect(text).toMatch(/"client_user_id_hmac":"[A-Za-z0-9_-]{43}"/u);
    } finally {
      await service.close().catch(() => undefined);
    }
  });

  it('has files that only their owner can read', async () => {
    const service = await testService([]);
    await service.get('/v2/user', await service.key(sampleTeamId));
    const files = readdirSync(service.folder).filter((name) => name.startsWith('audit'));
    expect(files).toContain('audit.db');
    for (const name of files) {
      expect([name, statSync(join(service.folder, name)).mode & 0o077]).toEqual([name, 0]);
    }
    await service.close();
  });
});

/** Compares digits as whole numbers, since they could occur in a longer number by chance, such as a time. */
function holds(text: string, value: string): boolean {
  return /^[\da-f]+$/iu.test(value)
    ? new RegExp(`(?<![\\da-z])${value}(?![\\da-z])`, 'iu').test(text)
    : text.includes(value);
}

/** Returns all strings in the data, except the IDs that audit records contain on purpose. */
function leavesOf(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    return /^(?:user_id|team_id|order_id|kind)$/u.test(name) ? [] : [value];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => leavesOf(part, key));
  }
  return [];
}

/** Whether a value identifies its source: it is long enough, and not a word that the service itself uses. */
function isTelling(value: string): boolean {
  return value.length >= 6 && !/^(?:manual|integer|unknown|normal|numeric)$/u.test(value);
}
