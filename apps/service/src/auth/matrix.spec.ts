import { describe, expect, it, jest } from '@jest/globals';
import { newDatabase } from '@caregate/postgres';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { comparable, startSpecService } from '../testing/service.testing.ts';
import { enrolledDesk, signedIn, type EnrolledTestDesk } from './sessions/signed-in.testing.ts';
import { formatSecret, parseSecret } from './key-format.ts';
import {
  isOperation,
  type Role,
  ROLES,
  findRouteName,
  ROUTES as SERVED,
  type Scope,
} from '../operations/operations.ts';

const envelopes = [...sampleEnvelopes({ users: 5 })];
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const insurance = envelopes.find((envelope) => envelope.kind === 'insurance')!;
const user = envelopes.find((envelope) => envelope.kind === 'user')!.user;
const nobody = '00000000-0000-4000-8000-000000000000';

/** The roles of people who use the desktop app. */
const desks: readonly Role[] = ['front_desk', 'clinician', 'billing', 'auditor'];

const people: readonly Role[] = ['front_desk', 'clinician', 'billing', 'auditor', 'admin'];

const readers: readonly Role[] = ['front_desk', 'clinician', 'billing'];
const ofLab: readonly Role[] = ['front_desk', 'clinician'];
const auditors: readonly Role[] = ['auditor'];

interface Row {
  readonly url: string;
  readonly ok: number;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  readonly onlyPeople: boolean;
}

/**
 * The table of the design, written a second time: method and pattern, its address where that is another one, the status
 * if allowed (400 without a body, otherwise 403), roles, and the scope of an integration, or `people` without keys.
 */
const design: Readonly<Record<string, Row>> = Object.fromEntries(
  (
    [
      ['GET /v2/user', '', 200, readers, 'users:list'],
      [
        'GET /v2/user/resolve/:client_user_id',
        `/v2/user/resolve/${encodeURIComponent(user.client_user_id)}`,
        ...([200, readers, 'users:read'] as const),
      ],
      ['GET /v3/order/:order_id/result', '', 200, ofLab, 'lab-results:read'],
      [
        'GET /v2/user/:user_id/insurance/latest',
        `/v2/user/${insurance.user_id}/insurance/latest`,
        ...([200, readers, 'insurance:read'] as const),
      ],
      [
        'GET /v2/timeseries/:user_id/mindfulness_minutes/grouped',
        `/v2/timeseries/${user.user_id}/mindfulness_minutes/grouped?start_date=2026-01-01`,
        ...([200, ['clinician'], 'timeseries:read'] as const),
      ],
      ['GET /v2/user/:user_id/info/latest', '', 200, readers, 'users:read'],
      ['GET /v3/orders', '', 200, ofLab, 'lab-results:read'],
      ['GET /desk/orders/:order_id/history', '', 200, ofLab],
      ['POST /desk/people/search', '', 400, readers],
      ['GET /fhir/r4/Patient/:user_id', '', 200, readers, 'users:read'],
      ['GET /fhir/r4/Patient', '', 200, readers, 'users:list'],
      ['POST /fhir/r4/Patient/_search', '', 200, readers, 'users:list'],
      [
        'GET /fhir/r4/Coverage/:coverage_id',
        `/fhir/r4/Coverage/${insurance.user_id}.${insurance.is_primary === false ? 'secondary' : 'primary'}`,
        ...([200, readers, 'insurance:read'] as const),
      ],
      ...ofPatient('Coverage', readers, 'insurance:read'),
      ['GET /fhir/r4/ServiceRequest/:order_id', '', 200, ofLab, 'lab-results:read'],
      ...ofPatient('ServiceRequest', ofLab, 'lab-results:read'),
      ['GET /fhir/r4/DiagnosticReport/:order_id', '', 200, ofLab, 'lab-results:read'],
      ...ofPatient('DiagnosticReport', ofLab, 'lab-results:read'),
      [
        'GET /fhir/r4/Observation/:observation_id',
        '/fhir/r4/Observation/none',
        ...([404, ofLab, ['lab-results:read', 'timeseries:read']] as const),
      ],
      ...ofPatient('Observation', ofLab, ['lab-results:read', 'timeseries:read']),
      ['POST /access/break-glass', '', 400, readers],
      ['GET /access/break-glass', '', 200, auditors],
      ['GET /audit/events', '', 200, auditors],
      ['GET /audit/alarms', '', 200, auditors],
      ['GET /audit/export', '/audit/export?format=csv', 200, auditors],
      ['GET /audit/log', '', 200, auditors],
      ['GET /audit/patients/:user_id/disclosures', '', 200, auditors],
      ['POST /audit/desk-events', '', 400, desks],
      ['GET /audit/checkpoint', '', 200, desks],
      ['GET /audit/proof', '/audit/proof?seq=0', 200, desks],
      ['GET /audit/key', '', 200, desks],
      ['DELETE /access/break-glass/:break_glass_id', '', 404, readers],
      ['GET /access/me', '', 200, people],
      ['POST /access/sessions/current/renew', '', 200, people, 'people'],
      ['PUT /access/sessions/current/pin', '', 400, people, 'people'],
      ['POST /access/sessions/current/unlock', '', 400, people, 'people'],
      ['POST /access/break-glass/:break_glass_id/review', '', 400, auditors],
      // These two come last, since they end the session.
      ['POST /access/sessions/current/lock', '', 204, people, 'people'],
      ['DELETE /access/sessions/current', '', 204, people, 'people'],
    ] as const
  ).map(([name, url, ok, roles, scope]): [string, Row] => [
    name,
    {
      ...{ url: url || addressOf(name), ok, roles },
      scopes: scope === undefined || scope === 'people' ? [] : [scope].flat(),
      onlyPeople: scope === 'people',
    },
  ]),
);

type DesignRow = readonly [string, string, number, readonly Role[], Scope | readonly Scope[]];

function ofPatient(resource: string, roles: readonly Role[], scope: DesignRow[4]): DesignRow[] {
  return ['GET', 'POST'].map((method): DesignRow => {
    const path = `/fhir/r4/${resource}${method === 'POST' ? '/_search' : ''}`;
    return [`${method} ${path}`, `${path}?patient=${order.user_id}`, 200, roles, scope];
  });
}

function addressOf(name: string): string {
  return name
    .slice(name.indexOf('/'))
    .replace(':order_id', order.order_id)
    .replace(':user_id', user.user_id)
    .replace(/:(?:break_glass|export)_id/u, nobody);
}
const open = [
  'GET /',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /openapi.json',
  'GET /docs',
  'GET /docs/*',
  'GET /problems/:type',
  'GET /fhir/r4/metadata',
  'GET /access/sign-in',
  'POST /access/desks',
  'POST /access/desks/key',
  'POST /access/sessions',
  'POST /access/badges',
];

const scopes: readonly Scope[] = [
  'users:list',
  'users:read',
  'users:search',
  'insurance:read',
  'lab-results:read',
  'timeseries:read',
];
/** API keys of each role, and of an integration for each scope. */
const kinds = [
  ...ROLES.filter((role) => role !== 'integration').map((role) => ({ role, scope: undefined })),
  ...scopes.map((scope) => ({ role: 'integration' as const, scope })),
];

/**
 * By default a route is tried as one person and with one wrong key besides every kind of key, on SQLite; the long tier tries all, on
 * PostgreSQL.
 */
const isLong = process.env['TIER'] === 'long';
const isTried = (name: string, way: number, ways: number): boolean =>
  isLong || Object.keys(design).indexOf(name) % ways === way;

const { now } = Date;
let aheadMs = 0;
jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
const service = await startSpecService(envelopes, {
  databaseUrl: isLong ? await newDatabase() : '',
});
const keys = new Map<string, string>();
for (const { role, scope } of kinds) {
  const label = `${role} ${scope ?? ''}`;
  const scopes = scope === undefined ? [] : [scope];
  const newKey = { teamId: sampleTeamId, role, scopes, label };
  keys.set(label, (await service.access.keys.create(newKey)).key);
}

describe('every route', () => {
  it('is in the table of the design, or public', () => {
    // The service doesn't start with a route that is missing in this list.
    const isGuarded = (route: string): boolean => {
      const [method = '', path = ''] = route.split(' ');
      return isOperation(findRouteName(method, path) ?? '');
    };
    expect(SERVED.filter(isGuarded).toSorted()).toEqual(Object.keys(design).sort());
    expect(SERVED.filter((route) => !isGuarded(route)).toSorted()).toEqual(open.toSorted());
  });

  const compared = new Set<string>();
  it.each(kinds)('answers $role $scope as the design says', async ({ role, scope }) => {
    const key = keys.get(`${role} ${scope ?? ''}`)!;
    for (const [name, row] of Object.entries(design)) {
      const [method = ''] = name.split(' ');
      const mayBe =
        role === 'integration' ? row.scopes.some((one) => one === scope) : row.roles.includes(role);
      const allowed = mayBe && !row.onlyPeople;
      const answer = await service.request(method, row.url, { 'x-service-api-key': key });
      expect([name, answer.status]).toEqual([name, allowed ? row.ok : 403]);
      // The request is refused before anything is looked up.
      const absent = row.url.replace(/[0-9a-f-]{36}/u, nobody);
      if (!allowed && absent !== row.url && (isLong || !compared.has(name))) {
        compared.add(name);
        const other = await service.request(method, absent, { 'x-service-api-key': key });
        expect(comparable(other)).toEqual(comparable(answer));
      }
    }
  });

  let at: EnrolledTestDesk | undefined;
  it.each(people)('answers a person who is %s as the design says', async (role) => {
    at ??= await enrolledDesk(service, sampleTeamId);
    const person = await signedIn(service, { teamId: sampleTeamId, role }, at);
    for (const [name, row] of Object.entries(design)) {
      if (!row.onlyPeople && !isTried(name, people.indexOf(role), people.length)) continue;
      const [method = ''] = name.split(' ');
      const answer = await person.request(method, row.url);
      expect([name, answer.status]).toEqual([name, row.roles.includes(role) ? row.ok : 403]);
    }
    const { status, headers } = await person.request('GET', '/access/me');
    expect([status, headers['www-authenticate']]).toEqual([
      401,
      'DPoP algs="EdDSA ES256", error="invalid_token"',
    ]);
  });
});

describe('a caller without a valid key', () => {
  it('gets the same 401 on every route for every cause', async () => {
    const make = async (more: object = {}): Promise<{ key: string; keyId: string }> =>
      await service.access.keys.create({
        teamId: sampleTeamId,
        role: 'clinician',
        label: 'x',
        ...more,
      });
    const good = await make();
    const revoked = await make();
    await service.access.keys.revoke(revoked.keyId);
    const elsewhere = await make({ cidrs: ['203.0.113.0/24'] });
    const expiring = await make({ expires: new Date(now() + 60_000) });
    const other = parseSecret(elsewhere.key)!;
    const causes = {
      missing: undefined,
      empty: '',
      garbage: 'x',
      unknown: formatSecret({ ...other, id: '0'.repeat(12) }),
      wrong: formatSecret({ ...other, id: good.keyId }),
      revoked: revoked.key,
      expired: expiring.key,
      elsewhere: elsewhere.key,
    };
    const firsts = new Map<boolean, unknown>();
    const looksUp = jest.spyOn(service.access.keys, 'authenticate');
    for (const [index, [cause, key]] of Object.entries(causes).entries()) {
      aheadMs = cause === 'expired' ? 60_000 : 0;
      for (const [name, row] of Object.entries(design)) {
        if (cause !== 'missing' && !isTried(name, index - 1, 7)) continue;
        const [method = ''] = name.split(' ');
        const isFhir = row.url.startsWith('/fhir/');
        const header = isFhir ? { authorization: `Bearer ${key}` } : { 'x-service-api-key': key! };
        const answer = await service.request(method, row.url, key === undefined ? {} : header);
        expect([cause, name, answer.status]).toEqual([cause, name, 401]);
        expect(cause === 'missing' && looksUp.mock.calls.length > 0).toBe(false);
        expect(answer.headers['www-authenticate']).toMatch(isFhir ? /^Bearer / : /^ApiKey /u);
        const first = firsts.get(isFhir) ?? comparable(answer);
        firsts.set(isFhir, first);
        expect(comparable(answer)).toEqual(first);
      }
    }
    aheadMs = 0;
    expect((await service.get('/v2/user', good.key)).status).toBe(200);
  });
});

describe('a list of users', () => {
  it.each([
    ['front_desk ', true],
    ['billing ', true],
    ['clinician ', false],
    ['integration users:list', false],
  ])('for %s is masked: %s', async (kind, masked) => {
    const { body } = await service.get('/v2/user?limit=500', keys.get(kind));
    expect(body.includes('fallback_birth_date')).toBe(!masked);
    expect(/"connected_sources":\[\{/u.test(body)).toBe(!masked);
  });
});
