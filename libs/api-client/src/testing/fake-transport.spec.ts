import { describe, expect, it } from '@jest/globals';
import { NO_INSURANCE } from '@caregate/domain';
import { OPERATION_NAMES, READ_OPERATIONS, type ReadOperation } from '@caregate/domain/operations';
import * as validators from '@caregate/domain/validate';
import { listMethods } from '../../testing/methods.ts';
import { all, getFailure } from '../../testing/setup.ts';
import { HealthDataClient } from '../client.ts';
import { connect, type HealthDataClientOptions } from '../connect.ts';
import { NetworkError, TimeoutError } from '../errors/call-errors.ts';
import * as service from '../service/service.ts';
import { validation } from '../validate.ts';
import { disconnect, EXAMPLE_ANSWERS, FakeTransport, refuse, type FakeAnswers } from './testing.ts';

const { resolveUser: user } = EXAMPLE_ANSWERS;
const ID = user.user_id;
const ITERATORS = /\.(?:iterate|pages|points)$/u;

function clientWith(
  answers: FakeAnswers = {},
  options: Partial<HealthDataClientOptions> = {},
): { client: HealthDataClient; transport: FakeTransport } {
  const transport = new FakeTransport(answers);
  const baseUrl = 'https://health.example/clinic';
  return {
    transport,
    client: new HealthDataClient({
      ...{ baseUrl, apiKey: 'k', transport, validation: validation('strict'), retries: false },
      ...options,
    }),
  };
}

/** Validators for responses of access and audit; null for responses without JSON. */
const SERVICE_ANSWERS: Readonly<
  Record<keyof typeof service.SERVICE_ROUTES, validators.Validator<unknown> | null>
> = {
  signInInfo: validators.validateSignInInfo,
  enrolDesk: validators.validateEnrolledDesk,
  offerDeskKey: null,
  beginSession: validators.validateSession,
  readBadge: validators.validateBadgeHolder,
  renewSession: validators.validateSession,
  lockSession: null,
  unlockSession: validators.validateSession,
  setPin: null,
  endSession: null,
  me: validators.validateMe,
  askBreakGlass: validators.validateBreakGlassGranted,
  listBreakGlass: validators.validateBreakGlassGrantList,
  reviewBreakGlass: validators.validateBreakGlassGrant,
  endBreakGlass: null,
  listAuditEvents: validators.validateAuditEventsPage,
  listAuditAlarms: validators.validateAuditEventsPage,
  listDisclosures: validators.validateDisclosureList,
  recordDeskEvent: validators.validateDeskEventRecorded,
  exportAuditEvents: null,
  auditLogState: validators.validateAuditLogState,
  auditCheckpoint: null,
  auditKey: null,
};

describe('the example answers', () => {
  it.each(Object.entries(SERVICE_ANSWERS))('%s is valid', (name, validate) => {
    const example: unknown = EXAMPLE_ANSWERS[name as keyof typeof SERVICE_ANSWERS];
    if (validate === null) expect(['string', 'undefined']).toContain(typeof example);
    else expect(validate(example)).toMatchObject({ ok: true });
  });
});

describe('the fake transport', () => {
  it('answers every read with its example, which strict validation accepts', async () => {
    const { client, transport } = clientWith();
    for (const [name, method] of listMethods(client).filter(([name]) => !ITERATORS.test(name))) {
      const answer = await method(client);
      const { operation } = transport.requests.at(-1)!;
      expect([name, answer]).toEqual([name, EXAMPLE_ANSWERS[operation]]);
    }
    expect(await all(client.users.iterate())).toHaveLength(1);
    expect(await all(client.orders.iterate())).toHaveLength(1);
    const range = { startDate: '2026-03-01' };
    expect(await all(client.timeseries.mindfulnessMinutes.points(ID, range))).toHaveLength(1);
  });

  it.each(OPERATION_NAMES)('answers a request of %s', async (name) => {
    const transport = new FakeTransport();
    const connection = connect({ baseUrl: 'https://health.example', apiKey: 'k', transport });
    const { route }: ReadOperation = READ_OPERATIONS[name];
    const ids: Record<string, string> = Object.fromEntries(
      [...route.path.matchAll(/\{(\w+)\}/gu)].map(([, id = '']) => [id, ID]),
    );
    const call = { method: route.method ?? 'GET', path: route.path, ids } as const;
    expect(await service.request(connection, call)).toEqual(EXAMPLE_ANSWERS[name]);
    expect(transport.requests).toMatchObject([{ operation: name, ids }]);
  });

  it('answers with the given object, and keeps what it was asked', async () => {
    const { client, transport } = clientWith({ resolveUser: { ...user, client_user_id: 'a/b' } });
    expect(await client.users.resolve('a/b')).toMatchObject({ client_user_id: 'a/b' });
    await client.orders.list({ status: ['completed', 'cancelled'], size: 5 });
    await client.people.search('okonk', 3);
    expect(transport.requests).toMatchObject([
      { operation: 'resolveUser', ids: { client_user_id: 'a/b' }, body: undefined },
      { operation: 'listOrders', ids: {} },
      { operation: 'searchPeople', body: { text: 'okonk', limit: 3 } },
    ]);
    const [, listed] = transport.requests;
    expect(listed?.query.getAll('status')).toEqual(['completed', 'cancelled']);
    expect(listed?.query.get('size')).toBe('5');
  });

  it('refuses as the service does', async () => {
    const { client } = clientWith({
      latestInsurance: refuse(404, { type: NO_INSURANCE }),
      listUsers: refuse(429, {}, { 'retry-after': '2' }),
      listOrders: refuse(422, { errors: [{ parameter: 'size', reason: 'must be 1 to 100' }] }),
    });
    expect(await getFailure(client.users.latestInsurance(ID))).toMatchObject({
      ...{ name: 'NotFoundError', type: NO_INSURANCE },
    });
    expect(await getFailure(client.users.list())).toMatchObject({
      ...{ name: 'RateLimitedError', retryAfter: 2 },
    });
    expect((await getFailure(client.orders.list())).message).toContain('status 422 (size)');
  });

  it('fails without an answer, and stalls', async () => {
    const { client } = clientWith({
      resolveUser: disconnect('ECONNREFUSED'),
      listUsers: () => new Promise(() => undefined),
    });
    const failure = await getFailure(client.users.resolve('x'));
    expect(failure).toBeInstanceOf(NetworkError);
    expect(failure).toMatchObject({ code: 'ECONNREFUSED' });
    const late = await getFailure(client.users.list({}, { timeoutMs: 20 }));
    expect(late).toBeInstanceOf(TimeoutError);
  });
});
