import { schemas, type JsonSchema, type SchemaName } from '@caregate/domain/schema';
import texts from './document.json' with { type: 'json' };
import type { Json } from './headers.ts';

const examples: Readonly<Record<string, unknown>> = texts.parameterExamples;

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
    const example = examples[name];
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

export function relocated(schema: JsonSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as unknown;
}
