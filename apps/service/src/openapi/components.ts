import { schemas, type JsonSchema, type SchemaName } from '@caregate/domain/schema';
import texts from './document.json' with { type: 'json' };

export interface Json {
  readonly [name: string]: unknown;
}

export type HeaderName = keyof typeof texts.headers;

/** Returns the headers of a response. @param isRecorded whether the response has the ID of its audit record */
export function buildHeaders(isRecorded: boolean, ...more: readonly HeaderName[]): Json {
  const always = ['x-request-id', 'cache-control'] as const;
  const names = [...(isRecorded ? (['x-audit-record-id'] as const) : []), ...always, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** @throws Error if there is no such schema, since names in JSON aren't checked by the compiler */
export function buildSchemaReference(name: SchemaName): Json {
  if (!Object.hasOwn(schemas, name)) {
    throw new Error(`There is no schema ${name}`);
  }
  return { $ref: `#/components/schemas/${name}` };
}

export function buildParameters(
  place: 'path' | 'query',
  schemaName: SchemaName | undefined,
): Json[] {
  const shape: JsonSchema = schemaName === undefined ? {} : schemas[schemaName];
  const { properties = {}, required = [] } = shape;
  const examples: Readonly<Record<string, unknown>> = texts.parameterExamples;
  return Object.entries(properties).map(([name, { description, deprecated, ...schema }]) => ({
    ...{ name, in: place, required: required.includes(name) },
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    schema: relocateReferences(schema),
    ...(examples[name] !== undefined && { example: examples[name] }),
  }));
}

/** Converts references for OpenAPI and removes examples, which are shown at the operations. */
export function relocateReferences({ examples: _examples, ...schema }: JsonSchema): unknown {
  return JSON.parse(
    JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'),
  ) as unknown;
}
