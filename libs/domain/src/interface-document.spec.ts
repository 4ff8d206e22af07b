import { describe, expect, it } from '@jest/globals';
import { SCHEMAS } from './generated/schemas.ts';
import { classVerdict, convertTexts } from './testing/class-verdict.testing.ts';
import { ENTITIES, listFields, isClosed } from './testing/documented-fields.testing.ts';
import { validEntity, wrongValues } from './testing/field-values.testing.ts';
import * as validators from './validate.ts';
import type { Validator } from './validate.ts';

function validatorOf(name: string): Validator<unknown> {
  return (validators as unknown as Record<string, Validator<unknown>>)[`validate${name}`]!;
}

/** Both ways of checking must agree; only a class converts texts of a query. */
function accepts(name: string, value: object): boolean {
  const validate = validatorOf(name);
  expect(classVerdict(name, value)).toBe(validate(convertTexts(name, value)).ok);
  return validate(value).ok;
}

describe.each(ENTITIES)('%s, as the interface document has it', (name) => {
  it('is accepted with all its fields, and has no others in its schema', () => {
    expect(accepts(name, validEntity(name))).toBe(true);
    expect(Object.keys(SCHEMAS[name].properties).toSorted()).toEqual(
      listFields(name)
        .map(([field]) => field)
        .toSorted(),
    );
  });

  it(`${isClosed(name) ? 'refuses' : 'keeps'} fields that it does not know`, () => {
    const value = { ...validEntity(name), not_documented: { a: [1] } };
    expect(accepts(name, value)).toBe(!isClosed(name));
    const verdict = validatorOf(name)(value);
    expect(verdict).toEqual(
      isClosed(name)
        ? {
            ok: false,
            issues: [{ path: ['not_documented'], message: 'is not a known field' }],
          }
        : { ok: true, value },
    );
  });
});

const withFields = ENTITIES.filter((name) => listFields(name).length > 0);

describe.each(withFields)('each field of %s', (name) => {
  it.each(listFields(name))(
    'has %s, which may or may not be missing or null',
    (field, { required, nullable = !required }) => {
      const without = Object.fromEntries(
        Object.entries(validEntity(name)).filter(([each]) => each !== field),
      );
      expect(accepts(name, without)).toBe(!required);
      expect(accepts(name, { ...without, [field]: null })).toBe(nullable);
      if (required) {
        const verdict = validatorOf(name)(without);
        expect(verdict).toEqual({ ok: false, issues: [{ path: [field], message: 'is required' }] });
      }
    },
  );

  it.each(listFields(name))('refuses wrong values of %s and names the field', (field, { type }) => {
    for (const wrong of wrongValues(type)) {
      const value = { ...validEntity(name), [field]: wrong };
      expect({ wrong, accepted: accepts(name, value) }).toEqual({ wrong, accepted: false });
      const verdict = validatorOf(name)(value);
      const paths = verdict.ok ? [] : verdict.issues.map(({ path }) => path[0]);
      expect(new Set(paths)).toEqual(new Set([field]));
    }
  });
});

describe('bounds', () => {
  it.each([
    [{ limit: 0 }, false],
    [{ limit: 1 }, true],
    [{ limit: 500 }, true],
    [{ limit: 501 }, false],
    [{ limit: -1 }, false],
    [{ offset: -1 }, false],
    [{ offset: 0 }, true],
  ])('the list query %j is accepted: %s', (query, expected) => {
    expect(accepts('ListUsersQuery', query)).toBe(expected);
  });
});

it('every schema has its validator, and every value in an open enumeration passes', () => {
  const names = Object.keys(SCHEMAS).map((name) => `validate${name}`);
  const exported = Object.keys(validators).filter((name) => name !== 'validateImportEnvelope');
  expect(exported.toSorted()).toEqual(names.toSorted());
  const insurance = { ...validEntity('Insurance'), relationship: 'Grandparent' };
  expect(accepts('Insurance', insurance)).toBe(true);
});
