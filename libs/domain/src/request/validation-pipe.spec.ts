/** A NestJS program that uses the classes, asked over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Module,
  Param,
  Query,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { share } from '@caregate/seeded/seed';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import * as dto from '../dto.ts';
import { schemas } from '../schema.ts';
import { listFields, type FieldType } from '../testing/documented-fields.testing.ts';
import { validValue, wrongValues } from '../testing/field-values.testing.ts';

const classes = dto as unknown as Readonly<Record<string, dto.DtoClass>>;
const QUERIES = Object.keys(schemas).filter((name) => name.endsWith('Query'));
const PARAMS = Object.keys(schemas).filter((name) => name.endsWith('Params'));

/** One route for each class, as a Nest program declares it: `list(@Query() query: ListUsersQueryDto)`. */
@Controller()
class Requests {}
const shapes = [
  ...QUERIES.map((name) => ({ name, route: name, from: Query() })),
  ...PARAMS.map((name) => ({
    name,
    route: [name, ...Object.keys(classNamed(name).fields)].join('/:'),
    from: Param(),
  })),
];
for (const { name, route, from } of shapes) {
  Object.defineProperty(Requests.prototype, name, {
    value: (received: object) => ({
      isInstance: received instanceof classNamed(name).type,
      received,
    }),
  });
  const descriptor = Object.getOwnPropertyDescriptor(Requests.prototype, name)!;
  from(Requests.prototype, name, 0);
  Reflect.defineMetadata('design:paramtypes', [classNamed(name).type], Requests.prototype, name);
  Get(route)(Requests.prototype, name, descriptor);
}
@Module({ controllers: [Requests] })
class App {}

function classNamed(name: string): {
  readonly type: dto.DtoClass;
  readonly fields: Readonly<Record<string, FieldType>>;
} {
  const fields = listFields(name).map(([field, { type }]) => [field, type]);
  return {
    type: classes[`${name}Dto`]!,
    fields: Object.fromEntries(fields) as Record<string, FieldType>,
  };
}

/** The fields that a request can't leave out. */
function requiredFields(name: string): Record<string, unknown> {
  const required = listFields(name).filter(([, { required: isRequired }]) => isRequired);
  return Object.fromEntries(required.map(([field, { type }]) => [field, validValue(type)]));
}

const allFields = (names: readonly string[]): (readonly [string, string, FieldType])[] =>
  names.flatMap((name) =>
    Object.entries(classNamed(name).fields).map(([field, type]) => [name, field, type] as const),
  );

/** Texts of a query that are no value of the type. */
const WRONG_TEXTS: Readonly<Record<string, readonly string[]>> = {
  integer: ['', 'abc', '5.5', ' 5', '1e3', '0x1F', 'true', 'NaN', '9'.repeat(16)],
  count: ['', 'abc', '5.5', ' 5', '1e3', '0x1F', 'true', '0', '-1', '1000000'],
  boolean: ['', 'maybe', '1', '0', 'TRUE', 'yes'],
};

/** The settings of Nest programs, and whether a handler gets converted values. A run tests half of them. */
const SETTINGS: readonly (readonly [string, ValidationPipeOptions, boolean])[] = [
  ['no options', {}, false],
  ['transform', { transform: true }, true],
  [
    'implicit conversion',
    { transform: true, transformOptions: { enableImplicitConversion: true } },
    true,
  ],
  ['a whitelist', { transform: true, whitelist: true, forbidNonWhitelisted: true }, true],
];

describe.each(share(SETTINGS, 2))('the ValidationPipe of Nest: %s', (_, options, converts) => {
  let app: NestFastifyApplication;
  let address: string;
  beforeAll(async () => {
    app = await NestFactory.create<NestFastifyApplication>(App, new FastifyAdapter(), {
      logger: false,
    });
    app.useGlobalPipes(new ValidationPipe(options));
    await app.listen(0, '127.0.0.1');
    address = await app.getUrl();
  });
  afterAll(() => app.close());

  async function get(path: string, query: object = {}) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
      for (const text of Array.isArray(value) ? (value as unknown[]) : [value])
        search.append(name, String(text));
    }
    const response = await fetch(`${address}/${path}?${search.toString()}`);
    return { ...((await response.json()) as object), status: response.status };
  }

  /** What the handler gets: the class with converted values, or an object with the texts as they came. */
  function handled(sent: Readonly<Record<string, unknown>>) {
    if (converts) return { status: 200, isInstance: true, received: sent };
    const texts = Object.entries(sent).map(([field, value]) => [
      field,
      Array.isArray(value) ? value.map(String) : String(value),
    ]);
    return { status: 200, isInstance: false, received: Object.fromEntries(texts) as object };
  }

  it.each(allFields(QUERIES))('reads %s.%s as its type', async (name, field, type) => {
    const query = { ...requiredFields(name), [field]: validValue(type) };
    expect(await get(name, query)).toMatchObject(handled(query));
  });

  it.each(allFields(QUERIES))(
    'refuses wrong texts of %s.%s by its name',
    async (name, field, type) => {
      const texts =
        typeof type === 'string' && type in WRONG_TEXTS
          ? WRONG_TEXTS[type]!
          : wrongValues(type).filter((value) => typeof value === 'string' && type !== 'strings');
      for (const text of texts) {
        const answer = await get(name, { ...requiredFields(name), [field]: text });
        expect({ text, ...answer }).toMatchObject({
          text,
          status: 400,
          message: expect.arrayContaining([expect.stringMatching(`^${field} `)]),
        });
      }
    },
  );

  it.each(PARAMS)('reads the path of %s and refuses wrong ids by name', async (name) => {
    const { fields } = classNamed(name);
    const received = requiredFields(name);
    expect(await get([name, ...Object.values(received)].join('/'))).toMatchObject(
      handled(received),
    );
    for (const [field] of Object.entries(fields).filter(([, type]) => type === 'uuid')) {
      expect(await get(`${name}/17`)).toMatchObject({
        status: 400,
        message: [expect.stringMatching(`^${field} `)],
      });
    }
  });

  it('reads false, negative numbers and one value of a list, and refuses repeated numbers', async () => {
    const primary = { is_primary: false };
    expect(await get('LatestInsuranceQuery', primary)).toMatchObject(handled(primary));
    expect(await get('ListUsersQuery', { offset: -1 })).toMatchObject({
      message: ['offset must not be less than 0'],
    });
    expect(await get('ListOrdersQuery', { status: 'completed' })).toMatchObject({
      status: 200,
      received: { status: converts ? ['completed'] : 'completed' },
    });
    expect(await get('ListUsersQuery', { limit: [5, 6] })).toMatchObject({ status: 400 });
  });
});
