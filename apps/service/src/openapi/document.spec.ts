import { describe, expect, it } from '@jest/globals';
import { ANSWER_VALIDATORS } from '@caregate/domain/answers';
import { OPERATION_NAMES as READ_NAMES } from '@caregate/domain/operations';
import { isOperation, OPERATIONS, PERMITTED_NAMES } from '../operations/operations.ts';
import { buildOpenApiDocument } from './document.ts';

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

/** The document as parsed from its JSON. */
const document = JSON.parse(JSON.stringify(buildOpenApiDocument('1.2.3', 'interface'))) as Document;

describe('the OpenAPI document', () => {
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

  // The CapabilityStatement describes the operations of FHIR.
  it('tells every operation of the permission table once, where it is', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([, { operationId }]) => isOperation(operationId))
        .map(([method, { operationId }]) => `${operationId}: ${method.toUpperCase()} ${path}`),
    );
    const table = PERMITTED_NAMES.map(
      (name) => `${name}: ${OPERATIONS[name].method} ${OPERATIONS[name].path}`,
    );
    expect(described.sort()).toEqual(table.sort());
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
    expect(JSON.stringify(document)).not.toMatch(
      /\$defs|undefined|\{[a-z_]+\} (?:minutes|letters|records|misses)/u,
    );
  });

  it('has examples that the domain accepts', () => {
    for (const name of READ_NAMES) {
      const { method, path } = OPERATIONS[name];
      const operation = document.paths[path]?.[method === 'POST' ? 'post' : 'get'];
      const success = operation?.responses['200'] as {
        content: { 'application/json': { example: unknown } };
      };
      const { example } = success.content['application/json'];
      expect([name, ANSWER_VALIDATORS[name](example).ok]).toEqual([name, true]);
    }
  });
});
