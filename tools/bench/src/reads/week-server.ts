/** What a team builds in a week: NestJS, TypeORM, PostgreSQL, a hashed key, roles, an audit row committed before the answer. */
import 'reflect-metadata';
import {
  ClassSerializerInterceptor,
  Controller,
  Get,
  NotFoundException,
  Param,
  Query,
  Req,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import {
  ForbiddenException,
  UnauthorizedException,
  type CanActivate,
  type ExecutionContext,
} from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Expose, plainToInstance, Type } from 'class-transformer';
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { long } from '../../../setup/install.mjs';

export interface WeekSettings {
  readonly databaseUrl: string;
  /** NDJSON of envelopes. */
  readonly people: string;
  readonly key: string;
}

process.once('message', (settings: WeekSettings) => {
  void serve(settings);
});

type Row = Record<string, unknown>;
interface Entity {
  readonly options: { readonly columns: object };
}
interface Repository {
  find(query: object): Promise<Row[]>;
  findAndCount(query: object): Promise<[Row[], number]>;
  findOne(query: object): Promise<Row | null>;
  findOneBy(where: Row): Promise<Row | null>;
  findOneByOrFail(where: Row): Promise<Row>;
  insert(rows: Row | Row[]): Promise<unknown>;
}
interface Database {
  getRepository(entity: Entity): Repository;
  query(sql: string): Promise<unknown>;
}
/** What is called of TypeORM, which `npm ci` does not install. */
const { DataSource, EntitySchema } = createRequire(join(long, 'package.json'))('typeorm') as {
  DataSource: new (options: object) => { initialize(): Promise<Database> };
  EntitySchema: new (options: object) => Entity;
};
const column = (
  type: 'uuid' | 'text' | 'jsonb' | 'timestamptz' | 'float8' | 'bool',
  more: { readonly primary?: true; readonly unique?: true } = {},
): object => ({ type, nullable: more.primary !== true, ...more });

const users = new EntitySchema({
  name: 'user',
  tableName: 'week_users',
  columns: {
    user_id: column('uuid', { primary: true }),
    team_id: column('uuid'),
    client_user_id: column('text', { unique: true }),
    created_on: column('timestamptz'),
    connected_sources: column('jsonb'),
    fallback_time_zone: column('jsonb'),
    fallback_birth_date: column('jsonb'),
  },
  indices: [{ columns: ['team_id', 'created_on'] }],
});
const insurances = new EntitySchema({
  name: 'insurance',
  tableName: 'week_insurances',
  columns: {
    id: column('uuid', { primary: true }),
    user_id: column('uuid'),
    is_primary: column('bool'),
    recorded_at: column('timestamptz'),
    payor_code: column('text'),
    member_id: column('text'),
    group_id: column('text'),
    relationship: column('text'),
    insured: column('jsonb'),
    guarantor: column('jsonb'),
    company: column('jsonb'),
  },
  indices: [{ columns: ['user_id', 'is_primary', 'recorded_at'] }],
});
const labResults = new EntitySchema({
  name: 'labResult',
  tableName: 'week_lab_results',
  columns: {
    order_id: column('uuid', { primary: true }),
    user_id: column('uuid'),
    metadata: column('jsonb'),
  },
  relations: { results: { type: 'one-to-many', target: 'marker', inverseSide: 'lab' } },
});
const markers = new EntitySchema({
  name: 'marker',
  tableName: 'week_markers',
  columns: {
    id: column('uuid', { primary: true }),
    ...Object.fromEntries(
      [
        'name',
        'slug',
        'loinc',
        'loinc_slug',
        'provider_id',
        'result',
        'type',
        'unit',
        'timestamp',
        'notes',
        'interpretation',
      ].map((name) => [name, column('text')]),
    ),
    value: column('float8'),
    min_range_value: column('float8'),
    max_range_value: column('float8'),
    is_above_max_range: column('bool'),
    is_below_min_range: column('bool'),
    source_markers: column('jsonb'),
  },
  relations: {
    lab: {
      type: 'many-to-one',
      target: 'labResult',
      inverseSide: 'results',
      joinColumn: { name: 'order_id' },
    },
  },
  indices: [{ columns: ['lab'] }],
});
const points = new EntitySchema({
  name: 'point',
  tableName: 'week_points',
  columns: {
    id: column('uuid', { primary: true }),
    user_id: column('uuid'),
    start: column('timestamptz'),
    end: column('timestamptz'),
    unit: column('text'),
    value: column('float8'),
    provider: column('text'),
    source_type: column('text'),
  },
  indices: [{ columns: ['user_id', 'start'] }],
});
const keys = new EntitySchema({
  name: 'key',
  tableName: 'week_keys',
  columns: {
    hash: column('text', { primary: true }),
    team_id: column('uuid'),
    role: column('text'),
  },
});
const audits = new EntitySchema({
  name: 'audit',
  tableName: 'week_audit',
  columns: {
    id: column('uuid', { primary: true }),
    at: column('timestamptz'),
    key_hash: column('text'),
    operation: column('text'),
    user_ids: column('jsonb'),
    status: column('float8'),
  },
});

/** A class whose exposed members are these: decorators as calls, since Node strips types and has no decorators. */
function exposed(
  members: readonly string[],
  typed: Readonly<Record<string, new () => object>> = {},
): new () => object {
  // oxlint-disable-next-line typescript/no-extraneous-class -- its members are its decorators'
  class Exposed {}
  for (const member of members) {
    Expose()(Exposed.prototype, member);
  }
  for (const [member, type] of Object.entries(typed)) {
    Type(() => type)(Exposed.prototype, member);
  }
  return Exposed;
}
const columnsOf = (entity: Entity, ...without: string[]): string[] =>
  Object.keys(entity.options.columns).filter((name) => !without.includes(name));
const UserDto = exposed(columnsOf(users));
const InsuranceDto = exposed(columnsOf(insurances, 'id', 'user_id', 'is_primary', 'recorded_at'));
const MarkerDto = exposed(columnsOf(markers, 'id'));
const LabResultDto = exposed(['metadata', 'results'], { results: MarkerDto });
const PointDto = exposed(['start', 'end', 'unit', 'value']);
const GroupDto = exposed(['source', 'data'], { data: PointDto });

async function serve({ databaseUrl, people, key }: WeekSettings): Promise<void> {
  const entities = [users, insurances, labResults, markers, points, keys, audits];
  const db = await new DataSource({
    type: 'postgres',
    url: databaseUrl,
    entities,
    synchronize: true,
    poolSize: 10,
  }).initialize();
  await fill(db, people);
  const hashed = (text: string): string => createHash('sha256').update(text).digest('hex');
  const first = await db.getRepository(users).findOneByOrFail({});
  await db
    .getRepository(keys)
    .insert({ hash: hashed(key), team_id: first['team_id'], role: 'integration' });

  interface Request {
    headers: Record<string, string>;
    key: Row;
  }
  const reflector = new Reflector();
  const guard: CanActivate = {
    async canActivate(context: ExecutionContext) {
      const request = context.switchToHttp().getRequest<Request>();
      const found = await db
        .getRepository(keys)
        .findOneBy({ hash: hashed(request.headers['x-service-api-key'] ?? '') });
      if (found === null) throw new UnauthorizedException();
      const roles = reflector.get<string[]>('roles', context.getHandler());
      if (!roles.includes(String(found['role']))) throw new ForbiddenException();
      request.key = found;
      return true;
    },
  };
  const recorded = (request: Request, operation: string, ids: unknown[]) =>
    db.getRepository(audits).insert({
      id: randomUUID(),
      at: new Date(),
      key_hash: request.key['hash'],
      operation,
      user_ids: ids,
      status: 200,
    });
  const found = <T>(row: T | null): T => {
    if (row === null) throw new NotFoundException();
    return row;
  };

  class Reads {
    async listUsers(request: Request, limit: string, offset = '0'): Promise<object> {
      const [rows, total] = await db.getRepository(users).findAndCount({
        where: { team_id: request.key['team_id'] },
        order: { created_on: 'ASC' },
        take: Number(limit),
        skip: Number(offset),
      });
      await recorded(
        request,
        'listUsers',
        rows.map((row) => row['user_id']),
      );
      return {
        users: plainToInstance(UserDto, rows, { excludeExtraneousValues: true }),
        total,
        offset: Number(offset),
        limit: Number(limit),
      };
    }
    async resolveUser(request: Request, clientUserId: string): Promise<object> {
      const row = found(
        await db
          .getRepository(users)
          .findOneBy({ team_id: request.key['team_id'], client_user_id: clientUserId }),
      );
      await recorded(request, 'resolveUser', [row['user_id']]);
      return plainToInstance(UserDto, row, { excludeExtraneousValues: true });
    }
    async latestInsurance(request: Request, userId: string): Promise<object> {
      const row = found(
        await db.getRepository(insurances).findOne({
          where: { user_id: userId, is_primary: true },
          order: { recorded_at: 'DESC' },
        }),
      );
      await recorded(request, 'latestInsurance', [userId]);
      return plainToInstance(InsuranceDto, row, { excludeExtraneousValues: true });
    }
    async labOrderResult(request: Request, orderId: string): Promise<object> {
      const row = found(
        await db
          .getRepository(labResults)
          .findOne({ where: { order_id: orderId }, relations: { results: true } }),
      );
      await recorded(request, 'labOrderResult', [row['user_id']]);
      return plainToInstance(LabResultDto, row, { excludeExtraneousValues: true });
    }
    async mindfulnessMinutes(request: Request, userId: string): Promise<object> {
      const rows = await db
        .getRepository(points)
        .find({ where: { user_id: userId }, order: { start: 'ASC' }, take: 1000 });
      await recorded(request, 'mindfulnessMinutes', [userId]);
      const groups = new Map<string, { source: object; data: Row[] }[]>();
      for (const row of rows) {
        const provider = String(row['provider']);
        const type = String(row['source_type']);
        const of = groups.get(provider) ?? [];
        groups.set(provider, of);
        let group = of.find(({ source }) => (source as Row)['type'] === type);
        if (group === undefined) of.push((group = { source: { provider, type }, data: [] }));
        group.data.push(row);
      }
      const shaped = [...groups].map(([provider, of]) => [
        provider,
        plainToInstance(GroupDto, of, { excludeExtraneousValues: true }),
      ]);
      return { groups: Object.fromEntries(shaped) as object, next: null, next_cursor: null };
    }
  }
  const route = (name: keyof Reads, path: string, parameters: ParameterDecorator[]): void => {
    const method = Object.getOwnPropertyDescriptor(Reads.prototype, name) as PropertyDescriptor;
    Get(path)(Reads.prototype, name, method);
    Reflect.defineMetadata('roles', ['clinician', 'integration'], method.value as object);
    [Req(), ...parameters].forEach((decorate, at) => {
      decorate(Reads.prototype, name, at);
    });
  };
  route('listUsers', 'v2/user', [Query('limit'), Query('offset')]);
  route('resolveUser', 'v2/user/resolve/:id', [Param('id')]);
  route('latestInsurance', 'v2/user/:id/insurance/latest', [Param('id')]);
  route('labOrderResult', 'v3/order/:id/result', [Param('id')]);
  route('mindfulnessMinutes', 'v2/timeseries/:id/mindfulness_minutes/grouped', [Param('id')]);
  UseGuards(guard)(Reads);
  UseInterceptors(new ClassSerializerInterceptor(reflector))(Reads);
  Controller()(Reads);
  const app = await NestFactory.create(
    { module: Reads, controllers: [Reads] },
    new FastifyAdapter(),
    { logger: false },
  );
  await app.listen(0, '127.0.0.1');
  process.send?.(await app.getUrl());
}

async function fill(db: Database, people: string): Promise<void> {
  const waiting = new Map<Entity, Row[]>();
  const write = async (entity: Entity): Promise<void> => {
    await db.getRepository(entity).insert(waiting.get(entity) ?? []);
    waiting.delete(entity);
  };
  const add = async (entity: Entity, row: Row): Promise<void> => {
    const rows = waiting.get(entity) ?? [];
    waiting.set(entity, rows);
    if (rows.push(row) >= 1000) await write(entity);
  };
  const labs = new Map<string, Row>();
  for await (const line of createInterface(createReadStream(people))) {
    const { kind, ...envelope } = JSON.parse(line) as Row & { kind: string };
    const one = (member: string): Row => envelope[member] as Row;
    if (kind === 'user') await add(users, one('user'));
    if (kind === 'insurance') {
      await add(insurances, { id: randomUUID(), ...envelope, ...one('insurance') });
    }
    // The newest of an order, which comes last.
    if (kind === 'lab_result') labs.set(String(envelope['order_id']), { ...envelope });
    if (kind === 'mindfulness_minutes') {
      const { provider, type } = one('source');
      for (const point of envelope['data'] as Row[]) {
        await add(points, {
          id: randomUUID(),
          user_id: envelope['user_id'],
          ...point,
          provider,
          source_type: type,
        });
      }
    }
  }
  for (const [order_id, lab] of labs) {
    const { metadata, results } = lab['result'] as { metadata: Row; results: Row[] };
    await db.getRepository(labResults).insert({ order_id, user_id: lab['user_id'], metadata });
    for (const marker of results) {
      await add(markers, { id: randomUUID(), ...marker, lab: { order_id } });
    }
  }
  for (const entity of [...waiting.keys()]) await write(entity);
  await db.query('analyze');
}
