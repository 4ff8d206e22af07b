import { schemas, type JsonSchema, type SchemaName } from '@caregate/domain/schema';
import { EXAMPLE_ORDER_ID, EXAMPLE_USER_ID } from '../operations/read.ts';
import type { Json } from './headers.ts';

/** @throws for a name that is none, as JSON may have it */
export function componentReference(name: SchemaName): Json {
  if (!Object.hasOwn(schemas, name)) {
    throw new Error(`There is no schema ${name}`);
  }
  return { $ref: `#/components/schemas/${name}` };
}

export function parameters(place: 'path' | 'query', schemaName: SchemaName | undefined): Json[] {
  if (schemaName === undefined) {
    return [];
  }
  const shape: JsonSchema = schemas[schemaName];
  const { properties = {}, required = [] } = shape;
  return Object.entries(properties).map(([name, property]) => {
    const { description, deprecated, ...schema } = property;
    const example = PARAMETER_EXAMPLES[name];
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
      ...(deprecated === true ? { deprecated } : {}),
      schema: relocated(schema),
      ...(example === undefined ? {} : { example }),
    };
  });
}

export function requestBody(name: SchemaName): Json {
  return { required: true, content: { 'application/json': { schema: componentReference(name) } } };
}

/** A schema with its references relocated to `components/schemas`. */
export function relocated(schema: JsonSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as unknown;
}

const PARAMETER_EXAMPLES: Readonly<Record<string, string | number | boolean>> = {
  user_id: EXAMPLE_USER_ID,
  order_id: EXAMPLE_ORDER_ID,
  client_user_id: 'MRN-000101',
  start_date: '2026-11-01',
  end_date: '2026-11-20T18:00:00Z',
  provider: 'oura',
  is_primary: true,
  offset: 0,
  limit: 100,
  patient_name: 'amara ex',
  search_input: '1986-04-12',
  updated_start_date: '2026-11-01',
  updated_end_date: '2026-11-20T18:00:00Z',
  interpretation: 'abnormal',
  order_key: 'created_at',
  order_direction: 'desc',
  page: 1,
  size: 50,
};
