import { describe, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { classVerdict, convertTexts } from './testing/class-verdict.testing.ts';
import { ENTITIES, type FieldType, listFields } from './testing/documented-fields.testing.ts';
import { validValue, wrongValues } from './testing/field-values.testing.ts';
import * as validators from './validate.ts';
import type { Validator } from './validate.ts';

/** Mostly values that fit, sometimes wrong ones, null, nothing, or any JSON at all, at every depth. */
function createValueArbitrary(type: FieldType): fc.Arbitrary<unknown> {
  const right =
    typeof type === 'object' && 'entity' in type
      ? createEntityArbitrary(type.entity)
      : typeof type === 'object' && 'listOf' in type
        ? fc.array(createEntityArbitrary(type.listOf), { maxLength: 2 })
        : type === 'groups'
          ? fc.dictionary(
              fc.string({ maxLength: 5 }).filter((name) => name !== '__proto__'),
              fc.array(createEntityArbitrary('MindfulnessMinutesGroup'), { maxLength: 2 }),
              { maxKeys: 2 },
            )
          : fc.constant(validValue(type));
  return fc.oneof(
    { weight: 30, arbitrary: right },
    { weight: 1, arbitrary: fc.constantFrom(...wrongValues(type)) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  );
}

function createEntityArbitrary(name: string): fc.Arbitrary<Record<string, unknown>> {
  const required = listFields(name).map(([field, { type }]) => [field, createValueArbitrary(type)]);
  const fields = Object.fromEntries(required) as Record<string, fc.Arbitrary<unknown>>;
  const usual = listFields(name)
    .filter((field) => field[1].required)
    .map(([field]) => field);
  return fc.oneof(
    { weight: 20, arbitrary: fc.record(fields, { requiredKeys: usual }) },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  );
}

describe('the compiled validator and class-validator say the same', () => {
  it.each(ENTITIES)('of any %s', (name) => {
    const validate = (validators as unknown as Record<string, Validator<unknown>>)[
      `validate${name}`
    ]!;
    fc.assert(
      fc.property(createEntityArbitrary(name), (value) => {
        // JSON knows neither undefined nor odd prototypes; both must see what a parser gives.
        const parsed = JSON.parse(JSON.stringify(value)) as object;
        return validate(convertTexts(name, parsed)).ok === classVerdict(name, parsed);
      }),
      { numRuns: 60 },
    );
  });
});
