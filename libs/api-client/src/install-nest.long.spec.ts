import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { schemas } from '@caregate/domain/schema';
import type { JsonSchema } from '@caregate/domain/schema';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installer, link } from '../testing/installed.ts';
import type { Installer } from '../testing/installed.ts';
import { typescript } from '../testing/packed.ts';
import { TestServer } from '../testing/test-server.ts';

const NEEDED = [
  ...['@nestjs/common', '@nestjs/core', '@nestjs/platform-fastify', '@nestjs/swagger', 'rxjs'],
  ...['class-validator', 'class-transformer', 'reflect-metadata', '@types/node'],
];

/** A program that uses the DTO classes in its controllers with `@nestjs/swagger`, and prints the OpenAPI documents. */
const PROGRAM = `
import 'reflect-metadata';
import { HealthDataClient } from '@caregate/api-client';
import * as dto from '@caregate/domain/dto';
import { Body, Controller, Get, Module, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiProperty, DocumentBuilder, PickType, SwaggerModule } from '@nestjs/swagger';

class OwnUserDto extends dto.UserDto {
  @ApiProperty({ description: 'Where the patient lies.' })
  ward!: string;

  @ApiProperty({ description: 'Our own words.' })
  declare client_user_id: string;
}
class UserNameDto extends PickType(dto.UserDto, ['client_user_id']) {}

@Controller()
class Patients {
  constructor(readonly client: HealthDataClient) {}

  @Get('users')
  @ApiOkResponse({ type: dto.UserListDto })
  list(@Query() _query: dto.ListUsersQueryDto): void {}

  @Post('users')
  create(@Body() _user: dto.UserDto): void {}

  @Post('own')
  @ApiOkResponse({ type: UserNameDto })
  own(@Body() _user: OwnUserDto): void {}
}
const client = new HealthDataClient({ baseUrl: String(process.env.SERVICE), apiKey: 'k' });
@Module({ controllers: [Patients], providers: [{ provide: HealthDataClient, useValue: client }] })
class App {}

const app = await NestFactory.create(App, new FastifyAdapter(), { logger: ['warn', 'error'] });
const extraModels = Object.values(dto).filter((each) => each.name.endsWith('Dto'));
const documents = (['3.0.0', '3.1.0'] as const).map((version) =>
  SwaggerModule.createDocument(app, new DocumentBuilder().setOpenAPIVersion(version).build(), { extraModels }),
);
const { users } = app.get(Patients).client;
const user = await users.resolve('patient-17');
console.log(JSON.stringify({ documents, user }));
`;

interface Parameter {
  readonly name: string;
  readonly required?: boolean;
  readonly schema: JsonSchema;
}

interface Document {
  readonly paths: Readonly<Record<string, { get?: { parameters: readonly Parameter[] } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, OpenApiSchema>> };
}

interface OpenApiSchema extends Omit<JsonSchema, 'properties'> {
  readonly nullable?: boolean;
  readonly allOf?: readonly OpenApiSchema[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
}

let npm: Installer;
let documents: readonly Document[];
let user: unknown;

beforeAll(async () => {
  npm = await installer();
  const project = await npm.project();
  await link(project, ...NEEDED);
  await writeFile(join(project, 'program.mts'), PROGRAM);
  const decorators = ['--experimentalDecorators', '--emitDecoratorMetadata', '--skipLibCheck'];
  const target = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node', '--strict'];
  await typescript(project, ...target, ...decorators, 'program.mts');
  const service = await TestServer.start();
  service.json({ user_id: 'u1' });
  const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], {
    cwd: project,
    env: { ...process.env, SERVICE: service.url },
  });
  await service.stop();
  ({ documents, user } = JSON.parse(stdout) as { documents: Document[]; user: unknown });
});
afterAll(() => npm.remove());

/** Normalizes a schema of JSON Schema 2020-12, OpenAPI 3.0 or 3.1, so that they can be compared. */
function meaning(schema: OpenApiSchema): Record<string, unknown> {
  const { type, nullable, $ref, allOf, anyOf, items, additionalProperties, ...rest } = schema;
  const parts = [...(allOf ?? []), ...(anyOf ?? []), ...($ref === undefined ? [] : [{ $ref }])];
  const types = [type ?? []].flat();
  const within = parts.filter((part) => part.type !== 'null').map(refOf);
  return {
    ...rest,
    of: within.length > 0 ? within : types.filter((each) => each !== 'null'),
    orNull:
      nullable === true || types.includes('null') || parts.some((part) => part.type === 'null'),
    ...(items === undefined ? {} : { items: meaning(items) }),
    ...(typeof additionalProperties === 'object' ? { map: meaning(additionalProperties) } : {}),
  };
}

function refOf(schema: OpenApiSchema): string {
  const inner = schema.$ref ?? schema.allOf?.[0]?.$ref ?? 'no reference';
  return inner.replace(/^#\/(?:\$defs|components\/schemas)\//, '').replace(/Dto$/, '');
}

function meanings(schema: OpenApiSchema | undefined): unknown {
  const properties = Object.entries(schema?.properties ?? {}).map(([name, property]) => [
    name,
    meaning(property),
  ]);
  return {
    description: schema?.description,
    closed: schema?.additionalProperties === false,
    required: [...(schema?.required ?? [])].sort(),
    properties: Object.fromEntries(properties) as unknown,
  };
}

describe.each([
  ['3.0', 0],
  ['3.1', 1],
])('the OpenAPI %s document that @nestjs/swagger makes of the classes', (_version, index) => {
  it.each(Object.entries(schemas))('shows %s as its JSON Schema has it', (name, schema) => {
    const shown = documents[index]?.components.schemas[`${name}Dto`];
    expect(shown).toBeDefined();
    expect(Object.keys(shown?.properties ?? {})).toEqual(Object.keys(schema.properties ?? {}));
    expect(meanings(shown)).toEqual(meanings(schema));
  });
});

describe('in a program of another team', () => {
  it('the client is a provider as any other, and reads', () => {
    expect(user).toEqual({ user_id: 'u1' });
  });

  it('a query is its parameters', () => {
    const { parameters = [] } = documents[0]?.paths['/users']?.get ?? {};
    expect(parameters.map(({ name, required, schema }) => [name, required, schema])).toEqual([
      ['offset', false, { type: 'integer', minimum: 0, nullable: true }],
      ['limit', false, { type: 'integer', minimum: 1, maximum: 500, nullable: true }],
    ]);
  });

  it('a class that extends ours has our properties and its own, in its own words', () => {
    const own = documents[0]?.components.schemas['OwnUserDto'];
    const ours = documents[0]?.components.schemas['UserDto'];
    expect(own?.properties).toEqual({
      ...ours?.properties,
      ward: { type: 'string', description: 'Where the patient lies.' },
      client_user_id: { type: 'string', description: 'Our own words.' },
    });
    expect(documents[0]?.components.schemas['UserNameDto']).toEqual({
      type: 'object',
      properties: { client_user_id: ours?.properties?.['client_user_id'] },
      required: ['client_user_id'],
    });
  });
});
