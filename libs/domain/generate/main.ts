/** Writes src/generated from the DTO classes' metadata and the catalogue of operations. With --check it only compares, and fails where a file is stale. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { READ_OPERATIONS } from '../src/operations.ts';
import { answersSource } from './answers-source.ts';
import { buildSchemas } from './build-schemas.ts';
import { serializersSource } from './serializers-source.ts';
import { typesSource } from './types-source.ts';
import { validatorsSource } from './validators-source.ts';

const folder = fileURLToPath(new URL('../src/generated', import.meta.url));
const header = '// Generated from the DTO classes by `npm run generate`; do not edit.\n';
const untyped = '/* eslint-disable */\n// @ts-nocheck\n';

const knownValues = fileURLToPath(new URL('../src/validation/known-values.ts', import.meta.url));

const schemas = buildSchemas();
const files: Record<string, string> = {
  'schemas.ts': `${header}import type { JsonSchema } from '../validation/json-schema.ts';

export const SCHEMAS = ${JSON.stringify(schemas, null, 2)} satisfies Record<string, JsonSchema>;
`,
  'types.ts': header + typesSource(Object.keys(schemas), readFileSync(knownValues, 'utf8')),
  'answers.ts': header + answersSource(READ_OPERATIONS),
  'validators.ts': header + untyped + validatorsSource(schemas),
  'serializers.ts': header + untyped + (await serializersSource(schemas)),
};

const stale = Object.entries(files).filter(([name, text]) => current(name) !== text);
if (!process.argv.includes('--check')) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of stale) {
    writeFileSync(join(folder, name), text);
    console.log(`wrote src/generated/${name}`);
  }
} else if (stale.length > 0) {
  const names = stale.map(([name]) => `src/generated/${name}`).join(', ');
  console.error(`Out of date: ${names}. Run npm run generate and commit what it writes.`);
  process.exitCode = 1;
}

function current(name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}
