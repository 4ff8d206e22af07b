import { describe, expect, it } from '@jest/globals';
import { ANSWER_VALIDATORS } from '@caregate/domain/answers';
import { OPERATION_NAMES as READ_NAMES } from '@caregate/domain/operations';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { isOperation, OPERATION_NAMES, OPERATIONS } from '../operations/operations.ts';
import { PROFILES } from '../config/service-config.ts';
import { openApiDocument } from './document.ts';
import { READS } from '../operations/reads.ts';

interface Told {
  readonly operationId: string;
  readonly description: string;
  readonly security?: unknown;
  readonly parameters: readonly {
    name: string;
    in: string;
    required: boolean;
    deprecated?: boolean;
    schema: Record<string, unknown>;
  }[];
  readonly responses: Record<string, unknown>;
}

interface Document {
  readonly security: unknown;
  readonly paths: Record<string, { get?: Told; post?: Told }>;
  readonly components: { schemas: Record<string, unknown>; securitySchemes: unknown };
}

/** As others read it: from its JSON. */
const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3', 'interface'))) as Document;

describe('the OpenAPI document', () => {
  it.each(PROFILES)('is valid OpenAPI 3.1 with the profile %s', async (profile) => {
    const validator = new Validator();
    const verdict = await validator.validate(
      JSON.parse(JSON.stringify(openApiDocument('1.2.3', profile))) as Record<string, unknown>,
    );
    expect(verdict.errors ?? []).toEqual([]);
    expect(verdict.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it.each(PROFILES)(
    'has nothing that Redocly’s recommended rules find, not even to warn of, with the profile %s',
    async (profile) => {
      const config = await createConfig({ extends: ['recommended'] });
      const source = JSON.stringify(openApiDocument('1.2.3', profile));
      const found = await lintFromString({ source, absoluteRef: '/openapi.json', config });
      expect(
        found.map(({ severity, ruleId, message, location }) => ({
          severity,
          ruleId,
          message,
          at: location.map(({ pointer }) => pointer),
        })),
      ).toEqual([]);
      // The rules do look.
      const wrong = source.replace('"operationId":"resolveUser"', '"operationId":"listUsers"');
      const problems = await lintFromString({
        source: wrong,
        absoluteRef: '/openapi.json',
        config,
      });
      expect(problems.map(({ ruleId }) => ruleId)).toContain('operation-operationId-unique');
    },
  );

  it('names no other dialect than OpenAPI’s own, which is all that Swagger UI takes', () => {
    expect(Object.keys(document)).not.toContain('jsonSchemaDialect');
  });

  it('has each parameter with its place, requiredness and type', () => {
    const path = '/v2/timeseries/{user_id}/mindfulness_minutes/grouped';
    const parameters = document.paths[path]?.get?.parameters.map((parameter) =>
      [
        parameter.in,
        parameter.name,
        parameter.required ? 'required' : 'optional',
        ...([parameter.schema['type']].flat().includes('null') ? ['null'] : []),
        ...(parameter.schema['format'] === 'uuid' ? ['uuid'] : []),
        ...(parameter.deprecated === true ? ['deprecated'] : []),
      ].join(' '),
    );
    expect(parameters).toEqual([
      'path user_id required uuid',
      'query start_date required',
      'query end_date optional null',
      'query provider optional null',
      'query cursor optional null deprecated',
      'query next_cursor optional null',
    ]);
  });

  it('bounds the limit of a list page by 500', () => {
    const limit = document.paths['/v2/user']?.get?.parameters.find(({ name }) => name === 'limit');
    expect(limit?.schema).toMatchObject({ minimum: 1, maximum: 500 });
  });

  it('asks for the team key or a session everywhere but where nothing is told about anyone', () => {
    expect(document.security).toEqual([{ teamApiKey: [] }, { staffSession: [], deskProof: [] }]);
    expect(document.components.securitySchemes).toMatchObject({
      teamApiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
    });
    const open = Object.entries(document.paths)
      .filter(([, { get }]) => get?.security !== undefined)
      .map(([path]) => path);
    expect(open).toEqual(['/access/sign-in', ...['/', '/healthz', '/readyz', '/problems/{type}']]);
  });

  it('says which roles see the list masked, and what is left', () => {
    const { description } = document.paths['/v2/user']!.get!;
    expect(description).toContain('Masked for the roles `front_desk`, `billing`');
    expect(description).not.toContain('`fallback_birth_date`');
  });

  it('tells every operation of the table once, where it is', () => {
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => isOperation(operationId))
        .map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
    );
    const table = OPERATION_NAMES.map(
      // OpenAPI has no way to say that a parameter takes slashes.
      (name) => `${name}: ${OPERATIONS[name].method} ${OPERATIONS[name].path.replace('{+', '{')}`,
    );
    expect(told.sort()).toEqual(table.sort());
  });

  it('refers to nothing that it does not hold', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/gu);
    for (const [, pointer = ''] of references) {
      let found: unknown = document;
      for (const part of pointer.split('/')) {
        found = (found as Record<string, unknown> | undefined)?.[part];
      }
      expect([pointer, typeof found]).toEqual([pointer, 'object']);
    }
    expect(JSON.stringify(document)).not.toContain('$defs');
  });

  it('has examples that the domain accepts', () => {
    for (const name of READ_NAMES) {
      expect([name, ANSWER_VALIDATORS[name](READS[name].about.example).ok]).toEqual([name, true]);
    }
  });
});
