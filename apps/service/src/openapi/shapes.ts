import { schemas, type JsonSchema, type SchemaName } from '@caregate/domain/schema';
import { PARAMETER_EXAMPLES } from '../operations/answer-examples.ts';
import { recordedHeaders } from './headers.ts';
import type { Json } from './json.ts';

/** Reference to a schema of the domain in `components/schemas`. */
export function componentReference(name: SchemaName): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** Documents each parameter of a schema of the domain. */
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

/** A required request body with a schema of the domain. */
export function requestBody(name: SchemaName): Json {
  return { required: true, content: { 'application/json': { schema: componentReference(name) } } };
}

/** An audited response with a schema of the domain, or one of several. */
export function answer(...names: SchemaName[]): Json {
  const [first, ...others] = names.map(componentReference);
  return {
    description: 'Success',
    headers: recordedHeaders(),
    content: {
      'application/json': { schema: others.length === 0 ? first : { oneOf: [first, ...others] } },
    },
  };
}

/** A schema with its references relocated to `components/schemas`. */
export function relocated(schema: JsonSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as unknown;
}
