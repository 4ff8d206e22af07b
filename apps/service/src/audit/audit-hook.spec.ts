import { describe, expect, it } from '@jest/globals';
import { sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { testService, type Answer, startSpecService } from '../testing/service.testing.ts';
import type { OperationName, Role } from '../operations/operations.ts';
import { bodyAt } from './records.testing.ts';

const envelopes = [...sampleEnvelopes({ users: 5 })];
const users = envelopes.filter((envelope) => envelope.kind === 'user').map(({ user }) => user);
const order = envelopes.find((envelope) => envelope.kind === 'lab_result')!;
const insurance = envelopes.find((envelope) => envelope.kind === 'insurance')!;
const points = envelopes.find((envelope) => envelope.kind === 'mindfulness_minutes')!;
const nobody = '00000000-0000-4000-8000-000000000000';

const service = await startSpecService(envelopes);
const keys = new Map<Role, { key: string; keyId: string }>();
for (const role of ['clinician', 'front_desk', 'billing', 'auditor', 'admin'] as const) {
  keys.set(role, await service.access.keys.create({ teamId: sampleTeamId, role, label: role }));
}

/** Returns the record that a response names, read from the log's file. */
function recordOf(
  answer: Pick<Answer, 'headers'>,
  of = service,
): Record<string, unknown> & { patients: string[] } {
  return bodyAt(of.folder, of.readSeq(answer)) as unknown as ReturnType<typeof recordOf>;
}

async function ask(role: Role, path: string, method = 'GET'): Promise<Answer> {
  return await service.request(method, path, { 'x-service-api-key': keys.get(role)!.key });
}

const everyone = users.map(({ user_id }) => user_id).sort();
const resolved = users[2]!;
const timeseries = `/v2/timeseries/${points.user_id}/mindfulness_minutes/grouped`;

interface Case {
  readonly operation: OperationName;
  readonly path: string;
  readonly patients: readonly string[];
  readonly order?: string;
  readonly count?: number;
  /** A role that is permitted, and one that isn't. */
  readonly role?: Role;
  readonly denied: Role;
  readonly absent?: string;
  readonly invalid: string;
}

const reads: readonly Case[] = [
  {
    operation: 'listUsers',
    path: '/v2/user/?limit=500',
    patients: everyone,
    count: everyone.length,
    denied: 'admin',
    invalid: '/v2/user?limit=0',
  },
  {
    operation: 'resolveUser',
    path: `/v2/user/resolve/${encodeURIComponent(resolved.client_user_id)}`,
    patients: [resolved.user_id],
    denied: 'auditor',
    absent: '/v2/user/resolve/no-such',
    invalid: '/v2/user/resolve/no-such?x=1',
  },
  {
    operation: 'latestInsurance',
    path: `/v2/user/${insurance.user_id}/insurance/latest`,
    patients: [insurance.user_id],
    denied: 'admin',
    absent: `/v2/user/${nobody}/insurance/latest`,
    invalid: '/v2/user/x/insurance/latest',
  },
  {
    operation: 'labOrderResult',
    path: `/v3/order/${order.order_id}/result`,
    patients: [order.user_id],
    order: order.order_id,
    denied: 'billing',
    absent: `/v3/order/${nobody}/result`,
    invalid: '/v3/order/x/result',
  },
  {
    operation: 'mindfulnessMinutes',
    path: `${timeseries}?start_date=2020-01-01`,
    patients: [points.user_id],
    denied: 'front_desk',
    absent: timeseries.replace(points.user_id, nobody) + '?start_date=2020-01-01',
    invalid: timeseries,
  },
  ...(
    [
      ['listAuditEvents', '/audit/events', 'clinician', '?patient=x'],
      ['listAuditAlarms', '/audit/alarms', 'clinician', '?cursor=x'],
      ['auditCheckpoint', '/audit/checkpoint', 'admin', '?x=1'],
      ['auditProof', '/audit/proof?seq=0', 'admin', '&x=1'],
      ['auditKey', '/audit/key', 'admin', '?x=1'],
      ['listBreakGlass', '/access/break-glass', 'clinician', '?state=x'],
    ] as const
  ).map(([operation, path, denied, invalid]): Case => ({
    ...{ operation, path, patients: [], role: 'auditor', denied },
    invalid: path + invalid,
  })),
];

describe('an answer has its record when it arrives', () => {
  it.each(reads)('allowed, refused, not found and invalid: $operation', async (read) => {
    const { operation, role = 'clinician', order: orderId = null } = read;
    const allowed = await ask(role, read.path);
    expect(allowed.status).toBe(200);
    expect(recordOf(allowed)).toMatchObject({
      ...{ operation, decision: 'allowed', reason_code: null, http_status: 200 },
      ...{ team_id: sampleTeamId, actor_type: 'key', actor_id: keys.get(role)!.keyId },
      ...{ key_id: keys.get(role)!.keyId, role, patients: read.patients, order_id: orderId },
      ...{ request_id: allowed.headers['x-request-id'], client_ip: '127.0.0.1' },
      ...(read.count === undefined ? {} : { record_count: read.count }),
    });
    const denied = await ask(read.denied, read.path);
    expect(denied.status).toBe(403);
    expect(recordOf(denied)).toMatchObject({
      ...{ operation, decision: 'denied', reason_code: 'role', http_status: 403 },
      ...{ role: read.denied, patients: [], record_count: null, order_id: orderId },
    });
    if (read.absent !== undefined) {
      const absent = await ask(role, read.absent);
      expect(absent.status).toBe(404);
      expect(recordOf(absent)).toMatchObject({
        ...{ operation, decision: 'not_found', reason_code: 'absent' },
        ...{ patients: [], record_count: null },
      });
    }
    const invalid = await ask(role, read.invalid);
    expect(invalid.status).toBe(422);
    expect(recordOf(invalid)).toMatchObject({
      ...{ operation, decision: 'invalid', reason_code: 'invalid_parameter', patients: [] },
    });
  });

  it('of a masked list', async () => {
    const answer = await ask('front_desk', '/v2/user?limit=2&offset=1');
    expect(recordOf(answer)).toMatchObject({
      reason_code: 'masked',
      record_count: 2,
      details: { limit: '2', offset: '1' },
    });
    const shown = (answer.json() as { users: { user_id: string }[] }).users;
    expect(recordOf(answer).patients).toEqual(shown.map(({ user_id }) => user_id).sort());
  });

  it('of what fails, whichever operation it was', async () => {
    const broken = (): Promise<never> => Promise.reject(new Error('broken'));
    const own = await testService(envelopes, {
      source: {
        listUsers: broken,
        findUserByClientId: broken,
        getLatestInsurance: broken,
        getLabResult: broken,
        getTimeseries: broken,
      },
    });
    const key = await own.key(sampleTeamId);
    for (const { operation, path } of reads.filter(({ role }) => role === undefined)) {
      const answer = await own.get(path, key);
      expect(answer.status).toBe(500);
      expect(recordOf(answer, own)).toMatchObject({
        operation,
        decision: 'failed',
        reason_code: 'failed',
        http_status: 500,
        patients: [],
        record_count: null,
      });
    }
    await own.close();
  });

  it('of emergency access: who asked, for whom, and who looked at it', async () => {
    const granted = await service.post('/access/break-glass', keys.get('billing')!.key, {
      ...{ reason_code: 'emergency_treatment', user_id: order.user_id },
      text: 'Found unconscious at the reception desk',
    });
    const { break_glass_id: id } = granted.json() as { break_glass_id: string };
    expect(recordOf(granted)).toMatchObject({
      operation: 'askBreakGlass',
      decision: 'allowed',
      http_status: 201,
      break_glass_id: id,
      patients: [],
      details: { asked_user_id: order.user_id },
    });
    const under = await ask('billing', `/v3/order/${order.order_id}/result`);
    expect(recordOf(under)).toMatchObject({
      reason_code: 'break_glass',
      purpose_of_use: 'BTG',
      break_glass_id: id,
      patients: [order.user_id],
    });
    const listed = await ask('auditor', '/access/break-glass');
    expect(recordOf(listed).patients).toEqual([order.user_id]);
  });
});
