import { describe, expect, it } from '@jest/globals';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { build } from 'esbuild';
import { join } from 'node:path';
import type { User } from './index.ts';
import {
  UserDto,
  ConnectedSourceDto,
  GroupedMindfulnessMinutesDto,
  MindfulnessMinutesPointDto,
  toInstance,
} from './dto.ts';
import { bundled, type SchemaName, schemas } from './schema.ts';
import { validEntity } from './testing/field-values.testing.ts';
import { validateImportEnvelope, validateUser } from './validate.ts';

/** The packages outside this one that a program carries with it when it uses these names of an entry point. */
async function carried(
  entry: string,
  code: string,
): Promise<{ packages: string[]; bytes: number }> {
  const { metafile, outputFiles } = await build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'neutral',
    logLevel: 'silent',
    alias: { domain: join(import.meta.dirname, entry) },
    mainFields: ['module', 'main'],
  });
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs: used }) =>
    Object.entries(used),
  );
  const packages = inputs
    .filter(([file, { bytesInOutput }]) => file.includes('node_modules') && bytesInOutput > 0)
    .map(([file]) => /node_modules\/((?:@[^/]+\/)?[^/]+)/u.exec(file)?.[1] ?? file);
  return { packages: [...new Set(packages)], bytes: outputFiles[0]?.contents.length ?? 0 };
}

describe('what an import costs', () => {
  it('is nothing for types', async () => {
    const { bytes } = await carried(
      'index.ts',
      `import type { User } from 'domain'; export type Mine = User;`,
    );
    expect(bytes).toBe(0);
  });

  it.each(['index', 'operations', 'answers', 'validate', 'serialize', 'schema'])(
    'is no other package for %s',
    async (entry) => {
      const { packages, bytes } = await carried(`${entry}.ts`, `export * from 'domain';`);
      expect(packages).toEqual([]);
      expect(bytes).toBeGreaterThan(0);
    },
  );

  it('is one route where one is used', async () => {
    const { bytes } = await carried('operations.ts', `export { LIST_USERS } from 'domain';`);
    expect(bytes).toBeLessThan(100);
  });

  it('is one validator where one is used', async () => {
    const all = await carried('validate.ts', `export * from 'domain';`);
    const one = await carried('validate.ts', `export { validateAddress } from 'domain';`);
    expect(one.bytes).toBeLessThan(all.bytes / 2);
  });
});

describe('schemas', () => {
  it.each(Object.keys(schemas))('%s is a JSON Schema that stands alone', (name) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    ajv.addKeyword('x-extensible-enum');
    const validate = ajv.compile(bundled(name as SchemaName));
    expect(validate([])).toBe(false);
  });

  it('says what every field is for', () => {
    for (const [name, schema] of Object.entries(schemas)) {
      expect([name, schema.description]).toEqual([name, expect.stringMatching(/\w{3,}.*\.$/u)]);
      for (const [field, property] of Object.entries(schema.properties ?? {})) {
        expect([name, field, property.description]).toEqual([
          name,
          field,
          expect.stringMatching(/\w{3,}.*\.$/u),
        ]);
      }
    }
  });
});

describe('Standard Schema', () => {
  it('gives the value or its issues', () => {
    const user = validEntity('User');
    expect(validateUser['~standard'].validate(user)).toEqual({ value: user });
    expect(validateUser['~standard'].validate({ ...user, user_id: 'x' })).toEqual({
      issues: [
        {
          path: ['user_id'],
          message: 'must be a UUID, such as 3f2c8a52-1b7e-4c1d-9a64-5d0e8f7b2a10',
        },
      ],
    });
    expect([validateUser['~standard'].vendor, validateUser['~standard'].version]).toEqual([
      'caregate',
      1,
    ]);
  });

  it('is what the published interface asks for, by its types too', () => {
    const standard: StandardSchemaV1<unknown, User> = validateUser;
    const inferred = (user: StandardSchemaV1.InferOutput<typeof validateUser>): User => user;
    expect([standard, inferred].map((each) => typeof each)).toEqual(['function', 'function']);
  });

  it('carries its JSON Schema', () => {
    expect(validateUser.schema).toEqual(bundled('User'));
    expect(validateImportEnvelope.schema.oneOf).toHaveLength(6);
  });
});

describe('toInstance', () => {
  it('builds instances all the way down and keeps unknown fields', () => {
    const user = toInstance(UserDto, { ...validEntity('User'), extra: { a: 1 } });
    expect(user).toBeInstanceOf(UserDto);
    expect(user.connected_sources[0]).toBeInstanceOf(ConnectedSourceDto);
    expect(user).toHaveProperty('extra', { a: 1 });
    const page = toInstance(GroupedMindfulnessMinutesDto, validEntity('GroupedMindfulnessMinutes'));
    expect(page.groups['oura']?.[0]?.data[0]).toBeInstanceOf(MindfulnessMinutesPointDto);
  });
});
