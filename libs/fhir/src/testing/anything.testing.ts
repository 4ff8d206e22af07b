import type { ImportEnvelope } from '@caregate/domain';
import fc from '@caregate/seeded';

/** Generates people with any values that the domain's types and formats allow. */

const word = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', ' ', '\u00a0', '\u2028x', '\t', 'a\u0000b', '\u200f1', '<0.01', '>1', '1,5'),
);
const maybe = <T>(of: fc.Arbitrary<T>) => fc.option(of, { nil: null });
const enumeration = (...values: string[]) => maybe(fc.oneof(fc.constantFrom(...values), word));
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer());
const numberText = fc.oneof(number.map(String), fc.constantFrom('.5', '007', '-0.0', '5.', '+1'));
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());
const date = day.map((text) => text.slice(0, 10));
const instant = fc
  .tuple(day, fc.constantFrom('Z', 'z', '+00:00', '-23:59', '+14:00', '+05:45'))
  .map(([text, offset]) => text.replace('Z', offset));
const uuid = fc.uuid().chain((id) => fc.constantFrom(id, id.toUpperCase()));

const marker = {
  ...{ name: word, slug: word },
  ...{ loinc: maybe(fc.constantFrom('2823-3', '2823-4', 'x')), provider_id: maybe(word) },
};
const measured = fc.record({
  ...marker,
  ...{ value: maybe(number), result: fc.oneof(numberText, word), unit: enumeration('K/uL', '%') },
  type: enumeration('numeric', 'range', 'comment', 'coded_value'),
  ...{ timestamp: maybe(instant), notes: maybe(word) },
  ...{ min_range_value: maybe(number), max_range_value: maybe(number) },
  ...{ is_above_max_range: maybe(fc.boolean()), is_below_min_range: maybe(fc.boolean()) },
  interpretation: enumeration('normal', 'abnormal', 'critical'),
});
const missing = fc.record({
  ...marker,
  ...{ inferred_failure_type: enumeration('unknown_failure'), note: maybe(word) },
});
const metadata = fc.record({
  ...{ clia_number: maybe(word), laboratory: maybe(word), specimen_number: maybe(word) },
  ...{ date_reported: maybe(date), date_collected: maybe(date) },
  status: enumeration('final', 'partial', 'amended', 'corrected'),
});
const address = fc.record({
  ...{ first_line: word, second_line: maybe(word), city: word, state: word, zip: maybe(word) },
  ...{ zip_code: word, country: maybe(word) },
});
const person = {
  ...{ first_name: word, last_name: word, email: maybe(word), dob: maybe(date) },
  ...{ gender: enumeration('female', 'male'), address: maybe(address) },
  phone_number: maybe(fc.constantFrom('+1 202 555 0147')),
};

const people = fc
  .record({
    ...{ user_id: uuid, team_id: uuid, client_user_id: word, order_id: uuid, transaction: uuid },
    ...{
      info: fc.record(person),
      birthDate: maybe(date),
      lab_test: maybe(fc.record({ name: word, slug: word })),
    },
    ...{ status: enumeration('received', 'failed'), created_at: maybe(instant) },
    physician: maybe(
      fc.record({ first_name: maybe(word), last_name: maybe(word), npi: maybe(word) }),
    ),
    ...{ metadata, results: fc.array(measured, { maxLength: 4 }) },
    missing_results: maybe(fc.array(missing, { maxLength: 2 })),
    insurance: fc.record({
      ...{ payor_code: word, member_id: word, group_id: maybe(word), insured: fc.record(person) },
      relationship: fc.oneof(fc.constantFrom('Self', 'Spouse', 'Other', 'Child', 'Parent'), word),
    }),
    ...{ start: instant, end: instant, value: number, provider: word, type: word },
  })
  .map((all): ImportEnvelope[] => {
    const { user_id, team_id, order_id, transaction } = all;
    const ids = { user_id, team_id };
    const at = '2026-01-01T00:00:00Z';
    const order_transaction = { id: transaction, status: 'active', orders: [] };
    const fallback = { source_slug: 'oura', updated_at: at };
    const user = {
      ...{ ...ids, client_user_id: all.client_user_id, created_on: at, connected_sources: [] },
      fallback_time_zone: { id: 'UTC', ...fallback },
      fallback_birth_date: all.birthDate === null ? null : { value: all.birthDate, ...fallback },
    };
    const { lab_test, status, created_at, physician } = all;
    const order = {
      id: order_id,
      ...ids,
      lab_test,
      status,
      created_at,
      physician,
      order_transaction,
    };
    const { metadata, results, missing_results } = all;
    const result = { metadata, results, missing_results, order_transaction };
    const point = { start: all.start, end: all.end, unit: 'min' as const, value: all.value };
    const source = { provider: all.provider, type: all.type };
    return [
      { kind: 'user', user },
      { kind: 'user_info', ...ids, recorded_at: at, info: all.info },
      { kind: 'order', order },
      { kind: 'lab_result', ...ids, order_id, result },
      { kind: 'insurance', ...ids, recorded_at: at, insurance: all.insurance },
      { kind: 'mindfulness_minutes', ...ids, source, data: [point] },
    ];
  });

export function anything(count: number): ImportEnvelope[] {
  return fc.sample(people, count).flat();
}
