/** Generates src/generated and three entry points from the DTO classes and the operations. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READ_OPERATIONS } from '../src/operations.ts';
import { buildSchemas } from './build-schemas.ts';
import { generateAnswersModule, generateValidateModule } from './entry-points-source.ts';
import { DTO_FILES, readClasses } from './read-classes.ts';
import { generateSerializersModule, generateSerializeModule } from './serializers-source.ts';
import { generateTypesModule } from './types-source.ts';
import { generateValidatorsModule } from './validators-source.ts';

const folder = join(import.meta.dirname, '../src');
const header = '// Generated from the DTO classes by `npm run generate`; do not edit.\n';
const untyped = '// @ts-nocheck\n';

const classes = readClasses();
const schemas = buildSchemas(classes);
const names = Object.keys(schemas);
const files: Record<string, string> = {
  'generated/schemas.ts': `import type { JsonSchema } from '../validation/json-schema.ts';

export const SCHEMAS = ${JSON.stringify(schemas, null, 2)} satisfies Record<string, JsonSchema>;
`,
  'generated/dto-classes.ts': DTO_FILES.map((file) => `export * from '../${file}';\n`).join(''),
  'generated/types.ts': generateTypesModule(classes),
  'validate.ts': generateValidateModule(names),
  'generated/validators.ts': untyped + generateValidatorsModule(schemas),
  'serialize.ts': generateSerializeModule(),
  'generated/serializers.ts': untyped + (await generateSerializersModule(schemas)),
  'answers.ts': generateAnswersModule(READ_OPERATIONS),
};

mkdirSync(join(folder, 'generated'), { recursive: true });
for (const [name, text] of Object.entries(files)) {
  writeFileSync(join(folder, name), header + text);
}
