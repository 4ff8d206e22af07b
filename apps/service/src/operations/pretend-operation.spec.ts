import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { connect, type AttemptEnd, type Connection } from '@caregate/api-client';
import { personas, sampleTeamId, sampleUserEnvelopes } from '@caregate/sample-data';
import type { TestService } from '../testing/service.testing.ts';
import type { OperationName } from './operations.ts';
import { oneRecord, type ReadCall } from './read.ts';

/** All that a new read is written down as: its row of the domain's catalogue and its row of the service's table. */
const PRETEND = {
  inDomain: {
    route: { name: 'carePlan', path: '/v2/user/{user_id}/care_plan' },
    params: 'LatestInsuranceParams',
    query: 'LatestInsuranceQuery',
    answer: 'TimeseriesSource',
    roles: ['clinician'],
  },
  inService: {
    scope: 'insurance:read',
    category: 'insurance',
    fhir: { form: 'read', resource: 'Coverage' },
    about: {
      tag: 'Insurance',
      summary: 'Read a care plan',
      description: 'There is none.',
      problems: [404, 422],
      example: { provider: 'oura', type: 'ring' },
    },
    answer: async (call: ReadCall<'resolveUser'>) => oneRecord(call, await call.find('plan')),
  },
} as const;
const name = PRETEND.inDomain.route.name as unknown as OperationName;
const pattern = 'v2/user/:user_id/care_plan';

const catalogue = await import('@caregate/domain/operations');
jest.unstable_mockModule('@caregate/domain/operations', () => {
  const READ_OPERATIONS = { ...catalogue.READ_OPERATIONS, carePlan: PRETEND.inDomain };
  return { ...catalogue, READ_OPERATIONS, OPERATION_NAMES: Object.keys(READ_OPERATIONS) };
});
const table = await import('./reads.ts');
jest.unstable_mockModule('./reads.ts', () => ({
  READS: { ...table.READS, carePlan: PRETEND.inService },
}));

const { fhirEvents } = await import('../audit/export/fhir-event.ts');
const { testService } = await import('../testing/service.testing.ts');
const { parseNarrowing } = await import('./permission-table.ts');

const { userId } = personas.amara;
let service: TestService;
let clinician: string;

beforeAll(async () => {
  const stored = { body: JSON.stringify(PRETEND.inService.about.example), userId };
  const source: object = { carePlan: () => Promise.resolve(stored) };
  service = await testService(sampleUserEnvelopes(personas.amara.index), { source });
  clinician = await service.key(sampleTeamId);
});
afterAll(async () => {
  await service.close();
});

const ask = async (key: string): Promise<number> =>
  (await service.get(`/v2/user/${userId}/care_plan`, key)).status;

describe('an operation that is added to the two tables', () => {
  it('is asked for where it is, by the client', async () => {
    const ended: AttemptEnd[] = [];
    const connection: Connection = connect({
      baseUrl: `http://127.0.0.1:${service.port}`,
      apiKey: clinician,
      hooks: { onAttemptEnd: (end) => ended.push(end) },
    });
    const answer = await connection(
      PRETEND.inDomain.route as unknown as typeof catalogue.LATEST_INSURANCE,
      () => undefined,
      () => ({ ids: { user_id: userId }, query: { is_primary: true } }),
      undefined,
    );
    expect(answer).toEqual(PRETEND.inService.about.example);
    expect(ended).toMatchObject([
      { operation: name, route: 'GET /v2/user/{user_id}/care_plan', status: 200 },
    ]);
  });

  it('is for whom its row says, can be narrowed, and is opened in an emergency', async () => {
    const desk = await service.access.keys.create({
      ...{ teamId: sampleTeamId, role: 'front_desk', label: 'desk' },
    });
    const scopes = ['insurance:read', 'users:read'] as const;
    const [has, lacks] = await Promise.all(
      scopes.map((scope) =>
        service.access.keys.create({
          ...{ teamId: sampleTeamId, role: 'integration', label: scope, scopes: [scope] },
        }),
      ),
    );
    expect(await Promise.all([clinician, desk.key, has!.key, lacks!.key].map(ask))).toEqual([
      200, 403, 200, 403,
    ]);
    expect(parseNarrowing('clinician.carePlan=no')[name].clinician).toBe('no');
    const why = {
      reasonCode: 'emergency_treatment',
      text: 'Unconscious at the front desk',
    } as const;
    const asker = { teamId: sampleTeamId, keyId: desk.keyId, role: 'front_desk' } as const;
    await service.access.breakGlass.ask(asker, { ...why, userId });
    expect(await ask(desk.key)).toBe(200);
  });

  it('has its name in metrics and in the log', async () => {
    const { body } = await service.metrics();
    expect(body).toContain(`_count{operation="carePlan",status="200"}`);
    const lines = service.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines).toContainEqual(
      expect.objectContaining({ operation: name, route: `/${pattern}`, status: 200 }),
    );
  });

  it('has its name and category in the audit log, and its FHIR kind in an export', async () => {
    await ask(clinician);
    const auditor = await service.key(sampleTeamId, 'auditor');
    const found = await service.get('/audit/events?operation=carePlan&decision=allowed', auditor);
    const { events } = found.json() as { events: { body: Parameters<typeof fhirEvents>[0] }[] };
    const { body: record } = events[0]!;
    expect(record).toMatchObject({
      ...{ operation: name, data_category: 'insurance', patients: [userId] },
    });
    const [event] = fhirEvents({ ...record, seq: 1 });
    expect(event).toMatchObject({ action: 'R', subtype: [{ code: 'read' }, { code: name }] });
    expect(event?.entity).toContainEqual(
      expect.objectContaining({ what: expect.objectContaining({ type: 'Coverage' }) }),
    );
  });

  it('is told by the OpenAPI document', async () => {
    const told = (await service.get('/openapi.json')).json() as { paths: Record<string, unknown> };
    expect(told.paths['/v2/user/{user_id}/care_plan']).toMatchObject({
      get: {
        operationId: name,
        tags: ['Insurance'],
        summary: 'Read a care plan',
        description: expect.stringContaining('Allowed for the roles `clinician`, and for'),
        parameters: [{ name: 'user_id' }, { name: 'is_primary' }],
        responses: {
          200: {
            headers: { 'x-break-glass-id': expect.anything() },
            content: {
              'application/json': { schema: { $ref: '#/components/schemas/TimeseriesSource' } },
            },
          },
          404: expect.anything(),
        },
      },
    });
  });
});
