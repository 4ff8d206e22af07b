import type { LabOrderResult } from '@caregate/domain';
import { describe, expect, it } from '@jest/globals';
import { isEarlier } from './header.ts';
import { mergeResult } from './merge-result.ts';
import { readMessage } from './read-message.ts';
import { deriveOrderId } from './results/orders.ts';
import type { LabReport, ReportedOrder } from './report.ts';

interface OrderFields {
  readonly placer?: string;
  readonly filler?: string;
  readonly test?: string;
  /** Date of collection as YYYYMMDD. */
  readonly collected?: string;
  readonly status?: string;
}

const obr = ({ placer = '', filler = '', test = '', collected = '', status = '' }: OrderFields) =>
  `OBR|1|${placer}|${filler}|${test && `PANEL^${test}^L`}|||${collected}${'|'.repeat(18)}${status}`;

/** Returns an OBX segment. */
const result = (local: string, status: string, text = 'a', subId = '', ...flags: string[]) =>
  `OBX|1|ST|${local.includes('^') ? local : `${local}^Name of ${local}`}^L|${subId}|${text}|||${flags.join('~')}|||${status}`;

function readLines(
  lines: readonly string[],
  { laboratory = 'ACME', sent = '20240504101112-0500' } = {},
): LabReport {
  const msh = `MSH|^~\\&|LIS|${laboratory}|EHR||${sent}||ORU^R01|M1|P|2.5.1`;
  const read = readMessage(Buffer.from([msh, ...lines].join('\r')));
  if (!read.ok) {
    throw new Error(read.refusal.message);
  }
  return read.report;
}

function reported(results: readonly string[], order: OrderFields = {}): ReportedOrder {
  return readLines([obr({ placer: 'P-1', ...order }), ...results]).orders[0]!;
}

/** Returns the parts of a text; `-` is an empty one. */
const split = (text: string, separator: string): string[] =>
  text.split(separator).map((part) => (part === '-' ? '' : part));

/**
 * Merges messages, such as `A F x 1, B F; A C y`: results by code, status, text and sub-ID. Returns the status, the
 * results, and the missing results.
 */
function merge(messages: string): string {
  const { metadata, results, missing_results } = split(messages, '; ')
    .map((all) => split(all, ', ').map((one) => result(...(split(one, ' ') as [string, string]))))
    .reduce<LabOrderResult | undefined>(
      (before, results) => mergeResult(before, reported(results)),
      undefined,
    ) as LabOrderResult;
  const found = results.map(({ provider_id, result: text }) => `${provider_id} ${text}`);
  const missing = missing_results?.map(({ provider_id }) => `no ${provider_id}`) ?? [];
  return `${metadata.status}: ${[...found, ...missing].join(', ')}`;
}

describe('the messages of an order', () => {
  it('say the worst interpretation of the results that there are', () => {
    const flagged = (local: string, status: string, ...flags: string[]): string =>
      result(local, status, 'a', '', ...flags);
    const worstAfter = (...messages: readonly (readonly string[])[]): unknown =>
      messages.reduce<LabOrderResult | undefined>(
        (before, results) => mergeResult(before, reported(results)),
        undefined,
      )?.metadata.interpretation;
    const both = [flagged('A', 'F', 'N'), flagged('B', 'F', 'HH')];
    expect(worstAfter([flagged('A', 'F')])).toBeUndefined();
    expect(worstAfter([flagged('A', 'F', 'N')])).toBe('normal');
    expect(worstAfter([flagged('A', 'F', 'N'), flagged('B', 'F', 'L')])).toBe('abnormal');
    expect(worstAfter(both)).toBe('critical');
    expect(worstAfter(both, [flagged('B', 'C', 'N')])).toBe('normal');
    expect(worstAfter(both, [flagged('B', 'D')])).toBe('normal');
    expect(worstAfter([flagged('B', 'F', 'HH')], [flagged('B', 'C')])).toBeUndefined();
    // An imported interpretation stays if the results have none.
    const imported = { metadata: { interpretation: 'abnormal' }, results: [] } as unknown;
    const { metadata } = mergeResult(imported as LabOrderResult, reported([flagged('A', 'F')]));
    expect(metadata.interpretation).toBe('abnormal');
  });

  it.each([
    ['the first one is all there is', 'A F, B F', 'final: A a, B a'],
    ['a later one replaces in place and adds', 'A F, B F; C F, A F b', 'final: A b, B a, C a'],
    ['a preliminary one stays so', 'A P; B F', 'partial: A a, B a'],
    ['a preliminary one becomes final', 'A P; A F', 'final: A a'],
    ['a correction stays so', 'A F; A C b; B F', 'corrected: A b, B a'],
    ['a correction beside a preliminary one', 'A C, B P', 'partial: A a, B a'],
    ['a missing one comes', 'A X; A F', 'final: A a'],
    ['one is missing after all', 'A P; A X', 'final: no A'],
    ['a deleted one goes', 'A F, B F; A D', 'final: B a'],
    ['a wrong one goes', 'A F; A W', 'final: '],
    ['one deleted and sent anew is there', 'A F; A D, A F b', 'final: A b'],
    ['several with the same code are all replaced', 'A F x, A F y; A F z', 'final: A z'],
    ['others leave several with a code', 'A F x, A F y, B X; C F', 'final: A x, A y, C a, no B'],
    ['sub-IDs tell results apart', 'A F x 1, A F y 2; A F z 2', 'final: A x, A z'],
  ])('%s: %s', (_what, messages, expected) => {
    expect(merge(messages)).toBe(expected);
  });

  it('keep what the last does not say, also what no message said', () => {
    const before = {
      metadata: { status: 'final', age: 40, provider: 'Jane Doe' },
      results: [{ name: 'Potassium', slug: 'k', result: '4', loinc: '2823-3', source_markers: [] }],
      sample_information: { tube: 1 },
    };
    const order = reported([result('A', 'F')], { status: 'P', collected: '20240503' });
    expect(mergeResult(before, order)).toMatchObject({
      metadata: { status: 'partial', age: 40, provider: 'Jane Doe', date_collected: '2024-05-03' },
      results: [before.results[0], { provider_id: 'A' }],
      sample_information: { tube: 1 },
    });
  });
});

it('a message is earlier if that is certain: without offset, an hour of the night comes twice in autumn', () => {
  const sentAt = (sent: string): LabReport['sent'] =>
    readLines([obr({ placer: 'P' })], { sent }).sent;
  expect(
    [
      ['20241027025000', '20241027021000'],
      ['20241027025000', '20241027015000'],
      ['20241027125000', '20241027124900'],
      ['20241027125000', '20241027125000'],
      ['20241027025000+0200', '20241027021000+0100'],
      ['20241027025000+0100', '20241027024900+0100'],
      ['20241027125000-0500', '20241027131000'],
    ].map(([before = '', after = '']) => isEarlier(sentAt(after), sentAt(before))),
  ).toEqual([false, true, true, false, false, true, false]);
});

describe('two panels under one placer number', () => {
  const panel = (test: string, filler: string, ...results: string[]) =>
    reported(results, { test, filler });
  const texts = (...messages: readonly ReportedOrder[]): unknown =>
    messages
      .reduce<LabOrderResult | undefined>((before, each) => mergeResult(before, each), undefined)
      ?.results.map(({ result: text }) => text);
  it.each([
    ['both stay', 'P 1 F 92; Q 2 F 141', '92, 141'],
    ['both of one name stay, with numbers of their own', 'P 1 F 92; P 2 F 141', '92, 141'],
    ['a correction replaces its own alone', 'P 1 F 92; Q 2 F 141; P 1 C 93', '93, 141'],
    ['another number or none replaces the only one', 'P 1 F 92; P 9 C 93; - - C 94', '94'],
    ['an ambiguous one replaces neither', 'P 1 F 92; Q 2 F 141; - - C 94', '92, 141, 94'],
    ['the same panel without a number is the same', 'P 1 F 92; P - F 93', '93'],
    ['a status makes the earlier value final', 'P 1 P 92; P 1 U -', '92'],
  ])('%s: %s', (_what, messages, expected) => {
    const all = split(messages, '; ').map((message) => {
      const [test = '', filler = '', status = '', text = ''] = split(message, ' ');
      return panel(test, filler, result('GLU', status, text));
    });
    expect(texts(...all)).toEqual(expected.split(', '));
  });

  it('tests with a full stop or "unknown" as code are told apart by name', () => {
    const sodium = panel('P', '1', result('.^Sodium', 'F', '136'));
    const potassium = panel('P', '1', result('unknown^Potassium', 'F', '4.1'));
    expect(texts(sodium, potassium)).toEqual(['136', '4.1']);
  });

  it.each(['', 'H-1'])(
    'of one name in one message with the filler number %s both stay, also when one is corrected',
    (filler) => {
      // Each value has its own OBR.
      const glucose = (...values: string[]): ReportedOrder => {
        const of = obr({ placer: 'P-1', filler, test: 'Tolerance' });
        const { orders } = readLines(values.flatMap((value) => [of, value]));
        expect(orders).toHaveLength(1);
        return orders[0]!;
      };
      const both = glucose(result('GLU', 'F', '92'), result('GLU', 'F', '150'));
      expect(texts(both, both)).toEqual(['92', '150']);
      expect(texts(both, glucose(result('GLU', 'C', '151')))).toEqual(['92', '150', '151']);
      const corrected = glucose(result('GLU', 'F', '92'), result('GLU', 'C', '151'));
      expect(texts(both, corrected)).toEqual(['92', '151']);
      expect(texts(both, glucose(result('GLU', 'D', '150')))).toEqual(['92', '150']);
      // In a continued panel, other tests are distinguished by their codes.
      const continued = glucose(result('GLU', 'P', '92'), result('K', 'P', '4'));
      expect(texts(continued, glucose(result('K', 'F', '5')))).toEqual(['92', '5']);
    },
  );

  it('ends as final when a status without a value says so', () => {
    const before = mergeResult(undefined, panel('P', '1', result('GLU', 'P', '92')));
    const after = mergeResult(before, panel('P', '1', result('GLU', 'U', '')));
    expect([before.metadata.status, after.metadata.status]).toEqual(['partial', 'final']);
  });
});

describe('the id of an order', () => {
  const team = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const id = (order: OrderFields, laboratory = 'ACME', of = team): string =>
    deriveOrderId(of, readLines([obr(order)], { laboratory }).orders[0]!);

  it('is a placer number that is a UUID, else its own for team, laboratory and number', () => {
    const uuid = '3F2C8A52-1B7E-4C1D-9A64-5D0E8F7B2A10';
    expect(id({ placer: uuid, filler: 'F' })).toBe(uuid.toLowerCase());
    const ids = [
      id({ placer: 'P', filler: 'F' }),
      id({ placer: 'F' }),
      id({ filler: 'F' }),
      id({ filler: uuid }),
      id({ placer: 'P' }, 'Another'),
      id({ placer: 'P' }, 'ACME', uuid),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids[0]).toBe(id({ placer: 'P', filler: 'G' }));
    ids.forEach((each) => {
      expect(each).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u,
      );
    });
  });

  it('is a UUIDv5: that of RFC 9562 for www.example.com', () => {
    const order = { ...reported([]), placer: undefined, key: 'www.example.com' };
    expect(deriveOrderId('6ba7b810-9dad-11d1-80b4-00c04fd430c8', order)).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });
});
