import { _, Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { JsonSchema } from '../src/validation/json-schema.ts';
import { FORMAT_CHECKS } from '../src/validation/format-checks.ts';
import type { Schemas } from './build-schemas.ts';

/** Source of a module with a validating function per schema, without eval and Ajv at run time. */
export function validatorsSource(schemas: Schemas): string {
  // Ajv2020 emits top-level statements, which prevent tree shaking.
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    code: { source: true, esm: true, formats: _`formats` },
  });
  for (const [format, check] of Object.entries(FORMAT_CHECKS)) {
    ajv.addFormat(format, check);
  }
  for (const [name, schema] of Object.entries(schemas)) {
    ajv.addSchema({ $id: name, ...bare(schema) });
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

/** The schema without annotations, references by name. */
function bare(schema: JsonSchema): JsonSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      ANNOTATIONS.includes(key)
        ? propertyNamed(key, value)
        : key === '$ref'
          ? String(value).replace('#/$defs/', '')
          : value,
    ),
  ) as JsonSchema;
}

/** Fields may be called `description`, too; as a keyword it is a string or list. */
function propertyNamed(_key: string, value: unknown): unknown {
  return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
}
