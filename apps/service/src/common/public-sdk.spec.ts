import { describe, expect, it } from '@jest/globals';
import { personas, sampleEnvelopes, sampleTeamId } from '@caregate/sample-data';
import { OPERATION_NAMES, READ_OPERATIONS, type OperationName } from '@caregate/domain/operations';
import fc from '@caregate/seeded';
import fastify from 'fastify';
import { startSpecService } from '../testing/service.testing.ts';
import { toPublicSdkBody } from './public-sdk.ts';

const parsed = (operation: OperationName, body: object): unknown =>
  JSON.parse(toPublicSdkBody(READ_OPERATIONS[operation].answer, JSON.stringify(body)));

describe('a body of the profile public-sdk', () => {
  it('says a source again as its provider, in a user and in a list', () => {
    const user = { connected_sources: [{ source: { slug: 'oura' } }] };
    const twice = { connected_sources: [{ source: { slug: 'oura' }, provider: { slug: 'oura' } }] };
    expect(parsed('resolveUser', user)).toEqual(twice);
    expect(parsed('listUsers', { users: [user], total: 1 })).toEqual({ users: [twice], total: 1 });
  });

  it('says zip, clia_# and timestamp again', () => {
    const insured = { address: { zip_code: '02139' } };
    expect(parsed('latestInsurance', { insured })).toEqual({
      insured: { address: { zip_code: '02139', zip: '02139' } },
    });
    expect(parsed('labOrderResult', { metadata: { clia_number: 'C1', age: 41 } })).toEqual({
      metadata: { clia_number: 'C1', 'clia_#': 'C1', age: '41' },
    });
    const point = { start: '2025-01-01T00:00:00Z', value: 3 };
    expect(parsed('mindfulnessMinutes', { groups: { oura: [{ data: [point] }] } })).toEqual({
      groups: { oura: [{ data: [{ ...point, timestamp: point.start }] }] },
    });
  });

  it('of any form of body only has more than it had', () => {
    const names = [
      'users',
      'connected_sources',
      'insured',
      'address',
      'metadata',
      'groups',
      'data',
    ];
    const { object } = fc.letrec<{ any: unknown; object: object }>((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.jsonValue({ maxDepth: 0 }),
        fc.array(tie('any'), { maxLength: 3 }),
        tie('object'),
      ),
      object: fc.dictionary(fc.constantFrom(...names, 'source', 'start'), tie('any'), {
        noNullPrototype: true,
      }),
    }));
    fc.assert(
      fc.property(fc.constantFrom(...OPERATION_NAMES), object, (operation, body) => {
        expect(parsed(operation, body)).toMatchObject(JSON.parse(JSON.stringify(body)) as object);
      }),
    );
  });
});

/** Creates a function that validates JSON against a schema of the document. It returns `fits` or the errors. */
async function judgeOf(
  document: object,
): Promise<(schema: string, json: string) => Promise<string>> {
  const customOptions = {
    strict: false,
    coerceTypes: false,
    removeAdditional: false,
    validateFormats: false,
  } as const;
  const server = fastify({ ajv: { customOptions } });
  server.addSchema({ $id: 'document', ...document });
  server.post<{ Params: { schema: string } }>('/:schema', (request, reply) => {
    const $ref = `document#/components/schemas/${request.params.schema}`;
    const fits = request.compileValidationSchema({ $ref });
    return reply.send(fits(request.body) ? 'fits' : JSON.stringify(fits.errors));
  });
  await server.ready();
  return async (schema, payload) => {
    const headers = { 'content-type': 'application/json' };
    return (await server.inject({ method: 'POST', url: `/${schema}`, headers, payload })).body;
  };
}

// Enough people that their list is sent as bytes.
const envelopes = [...sampleEnvelopes({ users: 60 })];
const service = await startSpecService(envelopes, { config: { profile: 'public-sdk' } });
const plain = await startSpecService(envelopes);

describe('the service with the profile', () => {
  it('says in its /openapi.json what its answers hold; those without the profile are not of that form', async () => {
    const document = (await service.get('/openapi.json')).json() as object;
    const judge = await judgeOf(document);
    const key = await service.key(sampleTeamId);
    const plainKey = await plain.key(sampleTeamId);
    const users = (await service.get('/v2/user/', key)).json() as {
      users: { user_id: string; client_user_id: string }[];
    };
    const { user_id: id, client_user_id: ownId } = users.users.find(
      (user) => user.client_user_id === personas.amara.clientUserId,
    )!;
    const read: [schema: string, path: string][] = [
      ['UserList', '/v2/user/'],
      ['User', `/v2/user/resolve/${encodeURIComponent(ownId)}`],
      ['Insurance', `/v2/user/${id}/insurance/latest`],
      ['LabOrderResult', `/v3/order/${personas.amara.orderIds[0]!}/result`],
      [
        'GroupedMindfulnessMinutes',
        `/v2/timeseries/${id}/mindfulness_minutes/grouped?start_date=2000-01-01`,
      ],
    ];
    for (const [schema, path] of read) {
      const answer = await service.get(path, key);
      expect([schema, answer.status]).toEqual([schema, 200]);
      expect([schema, await judge(schema, answer.body)]).toEqual([schema, 'fits']);
      const without = await plain.get(path, plainKey);
      expect([schema, await judge(schema, without.body)]).not.toEqual([schema, 'fits']);
    }
  });
});
