/**
 * Generates src/generated, src/answers.ts and src/validate.ts from the DTO classes' metadata and the operations. Validators and
 * serializers are not in git and always written; the rest is in git for review: written with --write, otherwise checked.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { READ_OPERATIONS } from '../src/operations.ts';
import { dtoFiles } from './dto-classes.ts';
import { serializersSource, serializeSource } from './serializers-source.ts';
import { answersSource, typesSource, validateSource } from './types-source.ts';
import { validatorsSource } from './validators-source.ts';

const folder = fileURLToPath(new URL('../src/generated', import.meta.url));
const header = '// Generated from the DTO classes by `npm run generate`; do not edit.\n';
const untyped = '// @ts-nocheck\n';

const knownValues = fileURLToPath(new URL('../src/validation/known-values.ts', import.meta.url));

const dtoClasses = `${header}${dtoFiles()
  .map((file) => `export * from './${file.replaceAll('\\', '/')}';\n`)
  .join('')}`;
if (process.argv.includes('--write')) {
  writeFileSync(join(folder, '../dto-classes.ts'), dtoClasses);
}
// Imports the file that was just written.
const { buildSchemas } = await import('./build-schemas.ts');
const schemas = buildSchemas();
const files: Record<string, string> = {
  'schemas.ts': `${header}import type { JsonSchema } from '../validation/json-schema.ts';

export const SCHEMAS = ${JSON.stringify(schemas, null, 2)} satisfies Record<string, JsonSchema>;
`,
  'types.ts': header + typesSource(Object.keys(schemas), readFileSync(knownValues, 'utf8')),
  '../dto-classes.ts': dtoClasses,
  '../serialize.ts': header + serializeSource(),
  '../answers.ts': header + answersSource(READ_OPERATIONS),
  '../validate.ts': header + validateSource(Object.keys(schemas)),
  'validators.ts': header + untyped + validatorsSource(schemas),
  'serializers.ts': header + untyped + (await serializersSource(schemas)),
};

const inGit = [
  ...['schemas.ts', 'types.ts', '../answers.ts', '../validate.ts'],
  ...['../dto-classes.ts', '../serialize.ts'],
];
const mayWrite = (name: string): boolean =>
  !inGit.includes(name) || process.argv.includes('--write');

mkdirSync(folder, { recursive: true });
const stale = Object.entries(files).filter(([name, text]) => current(name) !== text);
for (const [name, text] of stale.filter(([each]) => mayWrite(each))) {
  writeFileSync(join(folder, name), text);
  console.log(`wrote ${placeOf(name)}`);
}
const outOfDate = stale.map(([name]) => name).filter((name) => !mayWrite(name));
if (outOfDate.length > 0) {
  const names = outOfDate.map(placeOf).join(', ');
  console.error(`Out of date: ${names}. Run npm run generate and commit what it writes.`);
  process.exitCode = 1;
}

function placeOf(name: string): string {
  return join('src/generated', name).replaceAll('\\', '/');
}

function current(name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return undefined;
  }
}
