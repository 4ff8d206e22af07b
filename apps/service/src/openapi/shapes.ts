import { schemas, type JsonSchema, type SchemaName } from '@caregate/domain/schema';
import { PARAMETER_EXAMPLES } from '../operations/answer-examples.ts';
import { recordedHeaders } from './headers.ts';
import type { Json } from './json.ts';

/** A shape of the domain, where OpenAPI keeps it. */
export function componentReference(name: SchemaName): Json {
  return { $ref: `#/components/schemas/${name}` };
}

/** The parameters that a shape of the domain names, each spelled out. */
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

/** A body that is asked for, of a shape of the domain. */
export function requestBody(name: SchemaName): Json {
  return { required: true, content: { 'application/json': { schema: componentReference(name) } } };
}

/** A recorded answer, of a shape of the domain or of one of several. */
export function answer(...names: SchemaName[]): Json {
  const [first, ...others] = names.map(componentReference);
  return {
    description: 'Done',
    headers: recordedHeaders(),
    content: {
      'application/json': { schema: others.length === 0 ? first : { oneOf: [first, ...others] } },
    },
  };
}

/** A schema with its references where OpenAPI keeps schemas. */
export function relocated(schema: JsonSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as unknown;
}
