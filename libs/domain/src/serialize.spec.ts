import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import * as serializers from './serialize.ts';
import { validEntity } from './testing/field-values.testing.ts';

const NAMES = Object.keys(serializers).map((name) => name.replace('serialize', ''));

function serialize(name: string, value: unknown): string {
  return (serializers as unknown as Record<string, (value: unknown) => string>)[
    `serialize${name}`
  ]!(value);
}

describe.each(NAMES)('serialize%s', (name) => {
  it('writes what JSON.stringify writes, with fields that are not declared', () => {
    const extra = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 });
    fc.assert(
      fc.property(extra, fc.string({ unit: 'binary' }), (unknown, text) => {
        const value = { ...unknown, ...withText(validEntity(name), text) };
        expect(JSON.parse(serialize(name, value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 50 },
    );
  });

  it('writes null where a field is null, and nothing where it is missing', () => {
    const nulls = nullsWherePossible(name);
    expect(JSON.parse(serialize(name, nulls))).toEqual(nulls);
  });
});

function withText(value: unknown, text: string): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(value, (_key, each: unknown) => (each === 'text' ? text : each)),
  ) as Record<string, unknown>;
}

function nullsWherePossible(name: string): Record<string, unknown> {
  const value = validEntity(name);
  const optional: Readonly<Record<string, readonly [nulls: string[], without: string[]]>> = {
    User: [['ingestion_end', 'fallback_birth_date'], []],
    Insurance: [['group_id'], []],
    LabOrderResult: [['missing_results', 'order_transaction'], ['sample_information']],
    GroupedMindfulnessMinutes: [['next_cursor'], ['next']],
  };
  const [nulls, without] = optional[name] ?? [[], []];
  for (const field of nulls) value[field] = null;
  for (const field of without) Reflect.deleteProperty(value, field);
  return value;
}
