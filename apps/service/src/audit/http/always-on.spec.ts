import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bodiesIn } from '@caregate/audit-log/testing';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfig } from '../../config/read-config.ts';
import type { ServiceConfig } from '../../config/service-config.ts';
import { testService, type Answer, type TestService } from '../../testing/service.testing.ts';
import type { AuditLogState } from '@caregate/audit-log';

const envelopes = [...sampleEnvelopes({ users: 3 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const resultPath = `/v3/order/${order.order_id}/result`;

/** Odd values of each setting, as they would be written. A setting that is not here fails the suite. */
const odd: Readonly<Record<keyof ServiceConfig, readonly string[]>> = {
  host: ['localhost', '0.0.0.0'],
  plainHttp: ['no', 'yes'],
  tlsCert: [],
  tlsKey: [],
  port: ['0', '65535'],
  dataDir: [],
  databaseUrl: [],
  databaseReadUrl: [],
  plainDatabase: ['yes', 'no'],
  databaseConnections: ['1', '1000'],
  databaseTimeoutMs: ['100', '86400000'],
  databaseWaitMs: ['0', '86400000'],
  pageSize: ['1', '10000'],
  profile: ['public-sdk', 'interface'],
  peopleAlarm: ['1', '1000000'],
  rateLimitPerKey: ['1', '1000000000'],
  rateLimitPerAddress: ['1', '1000000000'],
  trustedProxies: ['10.0.0.0/8', '127.0.0.1/32'],
  requestTimeoutMs: ['5000', '86400000'],
  headersTimeoutMs: ['1000', '86400000'],
  keepAliveTimeoutMs: ['100', '86400000'],
  connectionTimeoutMs: ['100', '86400000'],
  shutdownTimeoutMs: ['0', '600000'],
  drainMs: ['0', '600000'],
  maxHeaderBytes: ['4096', '65536'],
  maxParamLength: ['200', '8192'],
  logLevel: ['silent', 'debug'],
  breakGlassAlarm: ['1', '1000000'],
  auditTeamAlarm: ['1', '1000000000'],
  witnesses: [],
  checkpointCopy: ['/no/such/folder'],
  publicUrl: ['https://caregate.clinic.example/api'],
  clinicName: ['North Clinic'],
  clinicTimeZone: ['Europe/Berlin'],
  oidcIssuer: [],
  oidcClientId: [],
  oidcClientSecret: [],
  oidcAudience: ['caregate'],
  oidcCa: [],
  oidcScopes: ['openid email'],
  oidcAcr: ['phr'],
  oidcGroups: ['groups: Physicians=clinician'],
  pinDigits: ['6', '12'],
  narrow: ['clinician.listUsers=mask', 'auditor.listAuditEvents=no,auditor.auditProof=no'],
  upstreams: [],
  upstream: [],
  upstreamTeam: [],
  upstreamKeyFile: [],
  upstreamTimeoutMs: ['100', '86400000'],
};
const variables: Readonly<Record<keyof ServiceConfig, string>> = {
  host: 'CAREGATE_HOST',
  plainHttp: 'CAREGATE_PLAIN_HTTP',
  tlsCert: 'CAREGATE_TLS_CERT',
  tlsKey: 'CAREGATE_TLS_KEY',
  port: 'CAREGATE_PORT',
  dataDir: 'CAREGATE_DATA',
  databaseUrl: 'DATABASE_URL',
  databaseReadUrl: 'DATABASE_READ_URL',
  plainDatabase: 'CAREGATE_PLAIN_DATABASE',
  databaseConnections: 'CAREGATE_DATABASE_CONNECTIONS',
  databaseTimeoutMs: 'CAREGATE_DATABASE_TIMEOUT_MS',
  databaseWaitMs: 'CAREGATE_DATABASE_WAIT_MS',
  pageSize: 'CAREGATE_PAGE_SIZE',
  profile: 'CAREGATE_PROFILE',
  peopleAlarm: 'CAREGATE_PEOPLE_ALARM',
  rateLimitPerKey: 'CAREGATE_RATE_LIMIT_PER_KEY',
  rateLimitPerAddress: 'CAREGATE_RATE_LIMIT_PER_ADDRESS',
  trustedProxies: 'CAREGATE_TRUSTED_PROXIES',
  requestTimeoutMs: 'CAREGATE_REQUEST_TIMEOUT_MS',
  headersTimeoutMs: 'CAREGATE_HEADERS_TIMEOUT_MS',
  keepAliveTimeoutMs: 'CAREGATE_KEEP_ALIVE_TIMEOUT_MS',
  connectionTimeoutMs: 'CAREGATE_CONNECTION_TIMEOUT_MS',
  shutdownTimeoutMs: 'CAREGATE_SHUTDOWN_TIMEOUT_MS',
  drainMs: 'CAREGATE_DRAIN_MS',
  maxHeaderBytes: 'CAREGATE_MAX_HEADER_BYTES',
  maxParamLength: 'CAREGATE_MAX_PARAM_LENGTH',
  logLevel: 'CAREGATE_LOG_LEVEL',
  breakGlassAlarm: 'CAREGATE_BREAK_GLASS_ALARM',
  auditTeamAlarm: 'CAREGATE_AUDIT_TEAM_ALARM',
  witnesses: 'CAREGATE_WITNESSES',
  checkpointCopy: 'CAREGATE_CHECKPOINT_COPY',
  publicUrl: 'CAREGATE_PUBLIC_URL',
  clinicName: 'CAREGATE_CLINIC_NAME',
  clinicTimeZone: 'CAREGATE_CLINIC_TIME_ZONE',
  oidcIssuer: 'CAREGATE_OIDC_ISSUER',
  oidcClientId: 'CAREGATE_OIDC_CLIENT_ID',
  oidcClientSecret: 'CAREGATE_OIDC_CLIENT_SECRET',
  oidcAudience: 'CAREGATE_OIDC_AUDIENCE',
  oidcCa: 'CAREGATE_OIDC_CA',
  oidcScopes: 'CAREGATE_OIDC_SCOPES',
  oidcAcr: 'CAREGATE_OIDC_ACR',
  oidcGroups: 'CAREGATE_OIDC_GROUPS',
  pinDigits: 'CAREGATE_PIN_DIGITS',
  narrow: 'CAREGATE_NARROW',
  upstreams: 'CAREGATE_UPSTREAMS',
  upstream: 'CAREGATE_UPSTREAM',
  upstreamTeam: 'CAREGATE_UPSTREAM_TEAM',
  upstreamKeyFile: 'CAREGATE_UPSTREAM_KEY_FILE',
  upstreamTimeoutMs: 'CAREGATE_UPSTREAM_TIMEOUT_MS',
};

function logOf(service: TestService): Record<string, unknown>[] {
  return bodiesIn(service.folder) as unknown as Record<string, unknown>[];
}

/** One answer of a service with these settings, and its log; undefined where its short idle time cut it off. */
async function answerUnder(
  config: ServiceConfig,
): Promise<{ answer: Answer; records: Record<string, unknown>[] } | undefined> {
  const service = await testService(envelopes, { config });
  try {
    const answer = await service.get(resultPath, await service.key(sampleTeamId));
    return { answer, records: logOf(service) };
  } catch (error) {
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(config.connectionTimeoutMs).toBe(100);
    return undefined;
  } finally {
    await service.close();
  }
}

describe('recording', () => {
  const names = Object.keys(readConfig({ CAREGATE_DATA: '.' })) as (keyof ServiceConfig)[];

  it('is tried with every setting there is', () => {
    expect(Object.keys(odd).sort()).toEqual([...names].sort());
  });

  it.each([0, 1])('is not turned off by all settings at odd values together (%p)', async (at) => {
    const odds = Object.fromEntries(
      names.flatMap((name) => {
        const value = odd[name][at];
        return value === undefined ? [] : [[variables[name], value]];
      }),
    );
    const config = readConfig({ ...odds, CAREGATE_DATA: '.' });
    // Before a busy machine's first answer the connection may idle for longer than the odd 100 ms.
    let told = await answerUnder(config);
    for (let tries = 1; told === undefined && tries < 10; tries += 1) {
      told = await answerUnder(config);
    }
    expect(told?.answer.status).toBe(200);
    expect(told?.answer.headers['x-audit-record-id']).toMatch(/^[0-9a-f]{32}$/u);
    expect(told?.records).toContainEqual(
      expect.objectContaining({ operation: 'labOrderResult', patients: [order.user_id] }),
    );
  });
});

describe('a log that cannot take more', () => {
  it('makes a 503 of what finds its queue full, and an answer with a record of all else', async () => {
    const service = await testService(envelopes, { log: { queueLimit: 2 } });
    try {
      const key = await service.key(sampleTeamId);
      const answers = await Promise.all(
        Array.from({ length: 200 }, () => service.get(resultPath, key)),
      );
      const told = answers.filter(({ status }) => status === 200);
      const refused = answers.filter(({ status }) => status === 503);
      expect(told.length + refused.length).toBe(answers.length);
      expect(told.length).toBeGreaterThan(0);
      for (const answer of refused) {
        expect(answer.headers['retry-after']).toBe('1');
        expect(answer.headers).not.toHaveProperty('x-audit-record-id');
      }
      const written = logOf(service).filter(({ operation }) => operation === 'labOrderResult');
      expect(written.length).toBeGreaterThanOrEqual(told.length);
    } finally {
      await service.close();
    }
  });

  it('answers nothing but 503 while it is latched, and again when its tail is verified', async () => {
    const states: string[] = [];
    let state: () => AuditLogState = () => {
      throw new Error('not open');
    };
    const service = await testService(envelopes, {
      log: { busyTimeoutMs: 50 },
      audit: (log) => {
        state = () => (log as unknown as { state(): AuditLogState }).state();
        return log;
      },
    });
    for (const state of ['interrupted', 'resumed'] as const) {
      service.auditEvents.on(state, () => states.push(state));
    }
    try {
      const key = await service.key(sampleTeamId);
      expect((await service.get(resultPath, key)).status).toBe(200);
      // What is in the way of the next segment and of every checkpoint: nothing can be made durable.
      const draft = join(service.folder, 'audit/checkpoint.new/in the way');
      mkdirSync(draft, { recursive: true });
      while (!state().latched) {
        await delay(20);
      }
      const answer = await service.get(resultPath, key);
      expect(answer.status).toBe(503);
      expect(answer.body).not.toContain(order.user_id);
      expect(state().latched).toBe(true);
      expect((await service.get(resultPath, key)).status).toBe(503);
      expect((await service.get('/readyz')).status).toBe(503);
      expect((await service.get('/healthz')).status).toBe(200);
      rmSync(join(service.folder, 'audit/checkpoint.new'), { recursive: true });
      while (state().latched) {
        await delay(20);
      }
      expect((await service.get(resultPath, key)).status).toBe(200);
      expect((await service.get('/readyz')).status).toBe(200);
      expect([...new Set(states)]).toEqual(['interrupted', 'resumed']);
      expect(logOf(service).map(({ operation }) => operation)).toContain('logInterrupted');
    } finally {
      await service.close();
    }
  });
});

describe('the log', () => {
  it('holds no value of an answer and nothing that was sent in its own words', async () => {
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
      expect(values.filter((value) => text.includes(value) && !ids.includes(value))).toEqual([]);
      expect(text).not.toMatch(/CANARY|15551234567/u);
      expect(text).toMatch(/"client_user_id_hmac":"[A-Za-z0-9_-]{43}"/u);
    } finally {
      await service.close().catch(() => undefined);
    }
  });

  it('is for its owner alone to read', async () => {
    const service = await testService([]);
    await service.get('/v2/user', await service.key(sampleTeamId));
    const records = join(service.folder, 'audit/records');
    const [segment] = readdirSync(records) as [string];
    for (const path of [join(service.folder, 'audit'), records, join(records, segment)]) {
      expect(statSync(path).mode & 0o077).toBe(0);
    }
    await service.close();
  });
});

/** Every text in the data that is not an id of the kind the log is made to hold. */
function leavesOf(value: unknown, name = ''): string[] {
  if (typeof value === 'string') {
    return /^(?:user_id|team_id|order_id|kind)$/u.test(name) ? [] : [value];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, part]) => leavesOf(part, key));
  }
  return [];
}

/** Long enough not to stand in a record by chance, and not a word of the service's own. */
function isTelling(value: string): boolean {
  return value.length >= 6 && !/^(?:manual|integer|unknown|normal|numeric)$/u.test(value);
}
