import { describe, expect, it } from '@jest/globals';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { Ajv2020 } from 'ajv/dist/2020.js';
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
import { validateUser } from './validate.ts';

describe('schemas', () => {
  it.each(Object.keys(schemas))('%s is a JSON Schema that stands alone', (name) => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    ajv.addKeyword('x-extensible-enum');
    const validate = ajv.compile(bundled(name as SchemaName));
    expect(validate([])).toBe(false);
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
