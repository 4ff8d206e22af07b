import { build as bundle } from 'esbuild';
import build from 'fast-json-stringify';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { JsonSchema } from '../src/validation/json-schema.ts';
import type { Schemas } from './build-schemas.ts';

/** Types that are serialized: responses and audit records. */
const SERIALIZED = [
  'GroupedMindfulnessMinutes',
  'Insurance',
  'LabOrderResult',
  'ListedUser',
  'MindfulnessMinutesPoint',
  'Order',
  'ProblemDetails',
  'User',
  'UserInfo',
  'UserList',
] as const;

/** Generates src/serialize.ts, which gives the functions of {@link generateSerializersModule} their types. */
export function generateSerializeModule(): string {
  const typed = SERIALIZED.map(
    (name) => `export const serialize${name} = compiled.${name} as Serialize<domain.${name}>;`,
  );
  return `/**
 * Compiled serializers: JSON text of a valid value, faster than JSON.stringify. Undeclared fields are included. The result
 * for an invalid value is undefined behaviour: validate first.
 */
import * as compiled from './generated/serializers.ts';
import type * as domain from './generated/types.ts';

type Serialize<T> = (value: T) => string;

${typed.join('\n')}
`;
}

/** Generates a module with one serializer for each schema, which doesn't need fast-json-stringify at run time. */
export async function generateSerializersModule(schemas: Schemas): Promise<string> {
  const modules = SERIALIZED.map((name) => {
    const schema: unknown = toPlainSchema(schemas, { $ref: `#/$defs/${name}` });
    const code: unknown = build(schema as build.Schema, { mode: 'standalone' });
    return { name, code: String(code) };
  });
  const wrapped = modules.map(
    ({ name, code }) =>
      `export const ${name} = (() => { const module = {}; ${code}; return module.exports; })();`,
  );
  const from = createRequire(import.meta.url).resolve('fast-json-stringify');
  const { outputFiles } = await bundle({
    stdin: { contents: wrapped.join('\n'), resolveDir: dirname(from), loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    legalComments: 'none',
  });
  const code = outputFiles[0]?.text ?? '';
  if (code === '' || /\beval\(|new Function\(/u.test(code)) {
    throw new Error('the compiled serializers need something at run time that they must not');
  }
  return code;
}

/**
 * Converts a schema to the form that fast-json-stringify needs to work without a validator: references inlined, null
 * as `nullable`, no formats, undeclared fields allowed.
 */
function toPlainSchema(schemas: Schemas, schema: JsonSchema): Record<string, unknown> {
  if (schema.$ref !== undefined) {
    const target = schemas[schema.$ref.replace('#/$defs/', '')];
    if (target === undefined) {
      throw new Error(`unknown schema ${schema.$ref}`);
    }
    return toPlainSchema(schemas, target);
  }
  const [entity] = schema.anyOf ?? [];
  if (entity !== undefined) {
    return { ...toPlainSchema(schemas, entity), nullable: true };
  }
  const types = [schema.type ?? 'object'].flat();
  const type = types[0];
  const base = { type, ...(types.includes('null') ? { nullable: true } : {}) };
  if (type === 'array' && schema.items !== undefined) {
    return { ...base, items: toPlainSchema(schemas, schema.items) };
  }
  if (type !== 'object') {
    return base;
  }
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => [
    name,
    toPlainSchema(schemas, property),
  ]);
  return {
    ...base,
    properties: Object.fromEntries(properties) as Record<string, unknown>,
    required: schema.required ?? [],
    additionalProperties:
      typeof schema.additionalProperties === 'object'
        ? toPlainSchema(schemas, schema.additionalProperties)
        : true,
  };
}
