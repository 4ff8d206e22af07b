import { _, Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { JsonSchema } from '../src/validation/json-schema.ts';
import { FORMAT_CHECKS } from '../src/validation/format-checks.ts';
import type { Schemas } from './build-schemas.ts';

/** Generates a module with one validating function for each schema, which needs neither eval nor Ajv at run time. */
export function generateValidatorsModule(schemas: Schemas): string {
  // Ajv2020 generates top-level statements, which would prevent tree shaking.
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    code: { source: true, esm: true, formats: _`formats` },
  });
  for (const [format, check] of Object.entries(FORMAT_CHECKS)) {
    ajv.addFormat(format, check);
  }
  for (const [name, schema] of Object.entries(schemas)) {
    ajv.addSchema({ $id: name, ...stripAnnotations(schema) });
  }
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]));
  const code = standalone.default(ajv, names);
  if (/\brequire\(|\beval\(|new Function\(/u.test(code)) {
    throw new Error('the compiled validators need something at run time that they must not');
  }
  return `import { FORMAT_CHECKS as formats } from '../validation/format-checks.ts';\n${code}\n`;
}

const ANNOTATIONS: readonly string[] = [
  'description',
  'deprecated',
  'examples',
  'x-extensible-enum',
];

/** Removes annotations from a schema and turns its references into names. */
function stripAnnotations(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      ANNOTATIONS.includes(key)
        ? keepIfProperty(key, value)
        : key === '$ref'
          ? String(value).replace('#/$defs/', '')
          : value,
    ),
  ) as JsonSchema;
}

/** Keeps `description` and the like if they are names of fields. As keywords they are strings or lists. */
function keepIfProperty(_key: string, value: unknown): unknown {
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
}
