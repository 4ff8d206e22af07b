import fc from '@caregate/seeded';

/** What a message says, in the words of the domain; `message-text.testing.ts` writes it, `expected-report.testing.ts` says what is read. */
export interface MessagePlan {
  readonly version: string;
  readonly charset: '' | 'ASCII' | '8859/1' | 'UNICODE UTF-8';
  /** MSH-1 and MSH-2. */
  readonly separators: string;
  readonly lineEnd: '\r' | '\n' | '\r\n';
  readonly controlId: string;
  readonly isEnhanced: boolean;
  readonly sent: Time;
  readonly laboratory: { readonly name: string; readonly clia?: string | undefined };
  readonly person: PersonPlan;
  readonly orders: readonly OrderPlan[];
}

/** YYYY-MM-DDTHH:MM:SS, and `+HH:MM` if it is known. */
export interface Time {
  readonly local: string;
  readonly offset?: string | undefined;
}

export interface PersonPlan {
  readonly id: string;
  readonly authority: string;
  readonly birthDate: string;
  readonly given: string;
  readonly family: string;
}

export interface OrderPlan {
  readonly placer?: string | undefined;
  readonly filler?: string | undefined;
  readonly areNumbersInOrc?: boolean;
  readonly test?: string | undefined;
  readonly provider?: {
    readonly given: string;
    readonly family: string;
    readonly npi?: string | undefined;
  };
  /** YYYY-MM-DD. */
  readonly collected?: string | undefined;
  readonly received?: string | undefined;
  readonly reported?: Time | undefined;
  /** Written from 2.5 on. */
  readonly specimen?: string | undefined;
  readonly notes?: readonly string[];
  /** OBR-25. */
  readonly status?: string | undefined;
  /** How many results are under the first of two OBRs; all of them if it is absent. */
  readonly firstPanel?: number | undefined;
  readonly results: readonly ResultPlan[];
}

export interface ResultPlan {
  readonly name: string;
  readonly loinc?: string | undefined;
  readonly local?: string | undefined;
  readonly subId?: string | undefined;
  readonly status: string;
  readonly value: ValuePlan;
  readonly unit?: string | undefined;
  readonly range?: RangePlan | undefined;
  readonly flags?: readonly string[];
  readonly notes?: readonly string[];
  readonly analysed?: Time | undefined;
  readonly observed?: Time | undefined;
}

export type ValuePlan =
  | { readonly as: 'NM' | 'ST' | 'CE' | 'CWE'; readonly text: string }
  | { readonly as: 'SN'; readonly parts: readonly string[] }
  | {
      readonly as: 'TX' | 'FT';
      readonly lines: readonly string[];
      readonly by: 'OBX' | 'repetition' | 'escape';
    };

export type RangePlan =
  | { readonly low?: string | undefined; readonly high?: string | undefined }
  | { readonly text: string };

/** A message with one result, to change what a test is about. */
export const PLAN: MessagePlan = {
  ...{ version: '2.5.1', charset: 'UNICODE UTF-8', separators: '|^~\\&', lineEnd: '\r' },
  ...{ controlId: 'MSG00001', isEnhanced: false },
  sent: { local: '2024-05-04T10:11:12', offset: '-05:00' },
  laboratory: { name: 'Acme Laboratory', clia: '05D1234567' },
  person: {
    ...{ id: 'MRN-000101', authority: 'CLINIC', birthDate: '1986-04-12' },
    ...{ given: 'Amara', family: 'Example' },
  },
  orders: [
    {
      ...{ placer: 'P-1', filler: 'F-1', test: 'Basic metabolic panel', collected: '2024-05-03' },
      results: [
        {
          ...{ name: 'Potassium', loinc: '2823-3', local: 'K', status: 'F', unit: 'mmol/L' },
          ...{
            value: { as: 'NM', text: '3.90' },
            range: { low: '3.5', high: '5.1' },
            flags: ['N'],
          },
        },
      ],
    },
  ],
};

const SIGNS: Readonly<Record<MessagePlan['charset'], string>> = {
  '': 'aZ09 |^~\\&.-<#$*',
  ASCII: 'aZ09 |^~\\&.-<#$*"',
  '8859/1': 'aZ09 |^~\\&.-éÅß÷',
  'UNICODE UTF-8': 'aZ09 |^~\\&.-éŁ山🙂א',
};

const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(of, { nil: undefined });

const day = fc
  .tuple(
    fc.integer({ min: 1990, max: 2025 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, date]) => `${year}-${two(month)}-${two(date)}`);
const clock = fc
  .tuple(fc.nat(23), fc.nat(59), fc.nat(59))
  .map((parts) => `T${parts.map(two).join(':')}`);
const time: fc.Arbitrary<Time> = fc.record({
  local: fc.tuple(day, clock).map((parts) => parts.join('')),
  offset: fc.constantFrom(undefined, '-05:00', '+05:30', '+00:00'),
});
const digits = fc
  .tuple(fc.constantFrom('', '', '-'), fc.nat(9999), fc.constantFrom('', '.0', '.50', '.123'))
  .map((parts) => parts.join(''));

function two(number: number): string {
  return String(number).padStart(2, '0');
}

/** Trimmed, and not what HL7 takes for nothing. */
function words(signs: string): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...Array.from(signs)), { minLength: 1, maxLength: 12 })
    .map((parts) => parts.join('').trim())
    .filter((text) => text !== '' && text !== '""');
}

function values(signs: string): fc.Arbitrary<ValuePlan> {
  const text = words(signs);
  const lines = fc.array(text, { minLength: 1, maxLength: 4 });
  return fc.oneof(
    fc.record({
      as: fc.constant('NM'),
      text: fc.oneof({ weight: 4, arbitrary: digits }, fc.constant('TNTC')),
    }),
    fc.record({
      as: fc.constant('SN'),
      parts: fc.oneof(
        fc.tuple(fc.constantFrom('<', '>', '<=', '>='), digits),
        fc.tuple(fc.constantFrom('', '='), digits),
        fc.tuple(fc.constant(''), digits, fc.constantFrom('-', ':', '/'), digits),
        fc.tuple(fc.constant(''), digits, fc.constant('+')),
      ),
    }),
    fc.record({ as: fc.constantFrom('ST', 'CE', 'CWE'), text }),
    fc.record({
      ...{ as: fc.constantFrom('TX', 'FT'), lines },
      by: fc.constantFrom('OBX', 'repetition', 'escape'),
    }),
  );
}

const range: fc.Arbitrary<RangePlan> = fc.oneof(
  fc
    .tuple(fc.nat(90), fc.nat(90))
    .map(([low, more]) => ({ low: String(low), high: `${low + more}.50` })),
  fc.record({ low: fc.nat(90).map(String) }),
  fc.record({ high: fc.nat(90).map((bound) => `${bound}.5`) }),
  fc.record({ text: fc.constantFrom('Negative', '<1:40', '5 - 1', '<=5', '3.5-5.1 mmol/L') }),
);

function results(signs: string): fc.Arbitrary<ResultPlan[]> {
  const result: fc.Arbitrary<ResultPlan> = fc.record({
    name: words(signs),
    loinc: maybe(fc.constantFrom('2823-3', '718-7', '2345-7')),
    // Signs alone are no code.
    local: maybe(words(signs).filter((text) => /[\p{L}\p{N}]/u.test(text))),
    subId: maybe(fc.constantFrom('1', '2', '1.1')),
    status: fc.constantFrom('F', 'F', 'F', 'C', 'P', 'X', 'D', 'W', 'R'),
    value: values(signs),
    unit: maybe(fc.constantFrom('mg/dL', 'x10E3/uL', '%', 'm^2', '10^3/uL')),
    range: maybe(range),
    flags: fc.constantFrom(
      [],
      ['N'],
      ['H'],
      ['L'],
      ['A'],
      ['HH'],
      ['LL'],
      ['AA'],
      ['POS'],
      ['HH', 'A'],
    ),
    notes: fc.array(words(signs), { maxLength: 2 }),
    ...{ analysed: maybe(time), observed: maybe(time) },
  });
  return fc.uniqueArray(result, {
    maxLength: 6,
    selector: ({ local, loinc, name, subId }) => `${local ?? loinc ?? name} ${subId ?? ''}`,
  });
}

function orders(signs: string): fc.Arbitrary<OrderPlan[]> {
  const text = words(signs);
  const order: fc.Arbitrary<OrderPlan> = fc.record({
    placer: maybe(fc.oneof(text, fc.uuid())),
    filler: text,
    areNumbersInOrc: fc.boolean(),
    test: maybe(text),
    provider: fc.record({ given: text, family: text, npi: maybe(fc.constant('1234567893')) }),
    ...{ collected: maybe(day), received: maybe(day), reported: maybe(time) },
    specimen: maybe(text),
    notes: fc.array(text, { maxLength: 2 }),
    status: maybe(fc.constantFrom('F', 'C', 'P', 'A', 'X')),
    firstPanel: maybe(fc.nat(3)),
    results: results(signs),
  });
  return fc.uniqueArray(order, {
    ...{ minLength: 1, maxLength: 3 },
    selector: ({ placer, filler }) => placer ?? filler,
  });
}

/** @param people who the messages are about; drawn if there are none */
export function messagePlans(people: readonly PersonPlan[] = []): fc.Arbitrary<MessagePlan> {
  return fc
    .constantFrom('' as const, 'ASCII' as const, '8859/1' as const, 'UNICODE UTF-8' as const)
    .chain((charset) => {
      const text = words(SIGNS[charset]);
      const person = fc.record({
        ...{ id: text, authority: text, birthDate: day },
        ...{ given: text, family: text },
      });
      return fc.record({
        version: fc.constantFrom('2.3', '2.3.1', '2.4', '2.5', '2.5.1', '2.6', '2.8.2'),
        charset: fc.constant(charset),
        separators: fc.constantFrom('|^~\\&', '|^~\\&', '#$*!%'),
        lineEnd: fc.constantFrom('\r', '\n', '\r\n'),
        controlId: text,
        isEnhanced: fc.boolean(),
        sent: time,
        laboratory: fc.record({ name: text, clia: maybe(fc.constant('05D1234567')) }),
        person: people.length === 0 ? person : fc.constantFrom(...people),
        orders: orders(SIGNS[charset]),
      });
    });
}
