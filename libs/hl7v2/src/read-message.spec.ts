import type { Refusal } from './refusal.ts';
import { type BiomarkerResult, readReferenceRange } from '@caregate/domain';
import { validateLabOrderResult } from '@caregate/domain/validate';
import { describe, expect, it } from '@jest/globals';
import { mergeResult } from './merge-result.ts';
import { readMessage } from './read-message.ts';
import type { LabReport } from './report.ts';

const MSH =
  'MSH|^~\\&|LIS|ACME^05D1234567^CLIA|EHR|CLINIC|20240504101112-0500||ORU^R01|M1|P|2.5.1||||||8859/1';
const PID = 'PID|1||MRN-1^^^CLINIC||Example^Amara||19860412';
const OBR = 'OBR|1|P1|F1|CBC^Blood count|||20240503|||||||20240503||||||||20240504|||';
const OBX = 'OBX|1|ST|HGB^Hemoglobin^L||ok||||||F';
const LINES = [MSH, PID, OBR, OBX];

function read(lines: readonly string[], encoding: BufferEncoding = 'latin1'): LabReport {
  const message = readMessage(Buffer.from(lines.join('\r'), encoding));
  if (!message.ok) {
    throw new Error(JSON.stringify(message.refusal));
  }
  for (const order of message.report.orders) {
    expect(validateLabOrderResult(mergeResult(undefined, order))).toMatchObject({ ok: true });
  }
  return message.report;
}

/** Returns the only result of a message with this OBX and these notes. */
function measured(obx: string, ...others: readonly string[]): BiomarkerResult {
  const [observation] = read([MSH, PID, OBR, obx, ...others]).orders[0]!.observations;
  return (observation as { measured: BiomarkerResult }).measured;
}

function refusalOf(bytes: Uint8Array): Refusal | undefined {
  const message = readMessage(bytes);
  return message.ok ? undefined : message.refusal;
}

const LONG =
  'A text came with this report that is too long to be kept here. Ask the laboratory for it.';
const DOCUMENT = 'A document (PDF) came with this report. Ask the laboratory for it.';

describe('a value', () => {
  it.each<[string, string, string, number | undefined, string]>([
    ['NM', '3.90', '3.90', 3.9, 'numeric'],
    ['NM', '+.5', '+.5', 0.5, 'numeric'],
    ['NM', ' -7 ', '-7', -7, 'numeric'],
    ['NM', '5.', '5.', 5, 'numeric'],
    ['NM', '1e3', '1e3', undefined, 'coded_value'],
    ['NM', '0x1F', '0x1F', undefined, 'coded_value'],
    ['NM', '5~6', '5\n6', undefined, 'coded_value'],
    ['NM', '9'.repeat(400), '9'.repeat(400), undefined, 'coded_value'],
    ['SN', '<^3.5', '<3.5', undefined, 'range'],
    ['SN', '^0^-^5', '0-5', undefined, 'range'],
    ['SN', '^1^:^160', '1:160', undefined, 'range'],
    ['SN', '^2^+', '2+', undefined, 'range'],
    ['SN', '^7.0', '7.0', 7, 'numeric'],
    ['SN', '=^7', '7', 7, 'numeric'],
    ['SN', '^high', 'high', undefined, 'coded_value'],
    ['SN', '<^1~>^9', '<1\n>9', undefined, 'range'],
    ['ST', 'a^b', 'a^b', undefined, 'coded_value'],
    ['CE', '1^Detected^L', 'Detected', undefined, 'coded_value'],
    ['CE', '1~2^Two', '1\nTwo', undefined, 'coded_value'],
    ['CE', '1^A & B^L', 'A & B', undefined, 'coded_value'],
    ['CWE', '1^^L^2^Other^L^^^As written', 'As written', undefined, 'coded_value'],
    ['TX', ' one~ two', ' one\n two', undefined, 'comment'],
    ['FT', 'a\\.br\\b', 'a\nb', undefined, 'comment'],
    ['TM', '0740', '0740', undefined, 'coded_value'],
    ['TN', '(555) 555-0100', '(555) 555-0100', undefined, 'coded_value'],
    ['DT', '20261109', '20261109', undefined, 'coded_value'],
    ['CX', '77^^^LAB', '77 LAB', undefined, 'coded_value'],
    ['NA', '1^2^3', '1 2 3', undefined, 'coded_value'],
    ['QQ', 'a^b', 'a^b', undefined, 'coded_value'],
    ['', '7 cm', '7 cm', undefined, 'coded_value'],
    ['ST', 'o'.repeat(2 ** 20 + 1), LONG, undefined, 'comment'],
    ['ST', '~'.repeat(30_000), LONG, undefined, 'comment'],
    ['TX', 'o'.repeat(65_537), LONG, undefined, 'comment'],
    ['ED', 'LAB^Application^PDF^Base64^JVBERi0', DOCUMENT, undefined, 'comment'],
    ['ED', `LAB^Application^PDF^Base64^${'A'.repeat(2 ** 21)}`, DOCUMENT, undefined, 'comment'],
    ['RP', 'https://lab.example/7^LAB^PDF', DOCUMENT, undefined, 'comment'],
  ])('of %s, %s, is %j', (type, sent, result, value, kind) => {
    const of = measured(`OBX|1|${type}|X^Name||${sent}||||||F`);
    expect(of).toMatchObject({ result, type: kind });
    expect(of.value).toBe(value);
  });

  it.each([
    [String.raw`\F\ \S\ \T\ \R\ \E\ `, '| ^ & ~ \\'],
    [String.raw`\E\F\E\ `, String.raw`\F\ `.trimEnd()],
    [String.raw`\H\bold\N\ text`, 'bold text'],
    [String.raw`a\.br\b\.sp\c\.sp2\d\.sp+3\e`, 'a\nb\nc\n\nd\n\n\ne'],
    [String.raw`\XE9\ \X41\ \X4142\ `, 'é A AB'],
    [String.raw`a\X8\c\XZZ\d\X93\e`, String.raw`a\X8\c\XZZ\d`.concat('\u201ce')],
    [String.raw`a\X00\b\X000d\\X0A\c\X0D0A\d\X1B\e`, 'ab\nc\nd e'],
    [String.raw`a\.ce\b\.BR\c\.in+4\d\.sk3\e\.fi\f`, 'a\nb\ncd   ef'],
    [String.raw`C:\Temp\x and 4\5 rooms`, String.raw`C:\Temp\x and 4\5 rooms`],
    [String.raw`\Z7\ \C2842\ \.sp21\ \f\ \\ `, String.raw`\Z7\ \C2842\ \.sp21\ \f\ \\ `.trimEnd()],
    ['a\tb\x1b[31mc', 'a\tb [31mc'],
    [String.raw`\Z7\F\E\ `, String.raw`\Z7\F\ `.trimEnd()],
    [String.raw`5 \ 6`, String.raw`5 \ 6`],
    [String.raw`end\F`, String.raw`end\F`],
  ])('written %s reads %j', (sent, result) => {
    expect(measured(`OBX|1|ST|X^Name||${sent}||||||F`).result).toBe(result);
  });
});

describe('an observation', () => {
  it('joins following texts of the same code, sub-id and status', () => {
    const obx = (code: string, subId: string, text: string, status = 'F'): string =>
      `OBX|1|TX|${code}^Name||${text}||||||${status}`.replace('||', `|${subId}|`);
    const lines = [
      ...[
        obx('A', '1', 'one'),
        'NTE|1||first',
        obx('A', '1', ''),
        obx('A', '1', 'two'),
        'NTE|1||second',
      ],
      ...[
        obx('A', '2', 'three'),
        obx('A', '2', 'four', 'C'),
        obx('B', '2', 'five'),
        obx('A', '1', 'six'),
      ],
    ];
    const { observations } = read([MSH, PID, OBR, ...lines]).orders[0]!;
    const texts = observations.map((each) => ('measured' in each ? each.measured.result : ''));
    expect(texts).toEqual(['one\n\ntwo', 'three', 'four', 'five', 'six']);
    expect(observations[0]).toMatchObject({ measured: { notes: 'first\nsecond' } });
    expect(new Set(observations.map(({ key }) => key)).size).toBe(3);
  });

  it.each<[string, object]>([
    ['2345-7^Glucose^LN', { name: 'Glucose', slug: 'glucose', loinc: '2345-7' }],
    [
      'GLU^Glucose, fasting^L^2345-7^Glucose^LN',
      { name: 'Glucose, fasting', slug: 'glucose-fasting', loinc: '2345-7', provider_id: 'GLU' },
    ],
    [
      '2345-7^^LN^GLU^Zucker^99',
      { name: 'Zucker', slug: 'zucker', loinc: '2345-7', provider_id: 'GLU' },
    ],
    ['X^This & that', { name: 'This & that', slug: 'this-that', provider_id: 'X' }],
    ['GLU', { name: 'GLU', slug: 'glu', provider_id: 'GLU' }],
    ['^Ünïted  Nâme!', { name: 'Ünïted  Nâme!', slug: 'united-name' }],
    ['%', { name: '%', slug: '%', provider_id: '%' }],
  ])('of %s', (code, expected) => {
    const { name, slug, loinc, provider_id } = measured(`OBX|1|ST|${code}||x||||||F`);
    expect({ name, slug, loinc, provider_id }).toEqual(expected);
  });

  it.each<[string, object]>([
    ['3.5-5.1', { low: 3.5, high: 5.1 }],
    ['-5 - -1', { low: -5, high: -1 }],
    ['<200', { high: 200 }],
    ['> 60', { low: 60 }],
    ['5-3', {}],
    ['<=5', {}],
    ['Negative', {}],
    ['9'.repeat(60_000), {}],
  ])('with the range %s', (range, expected) => {
    const {
      min_range_value: low,
      max_range_value: high,
      ...of
    } = measured(`OBX|1|NM|X^Name||4||${range}||||F`);
    expect({ low, high }).toEqual(expected);
    expect(readReferenceRange(of)).toBe(range);
  });

  it.each<[string, string | undefined]>([
    ['10^3/uL', '10^3/uL'],
    ['x10^9/L', 'x10^9/L'],
    ['10^-3/uL', '10^-3/uL'],
    ['m^2', 'm^2'],
    ['mL/min/1.73m^2', 'mL/min/1.73m^2'],
    ['mg/dL^milligram per decilitre^UCUM', 'mg/dL'],
    ['10^3/uL^thousand per microlitre^UCUM', '10^3/uL'],
    ['10*3/uL^10*3/uL^UCUM^k/uL^^L', '10*3/uL'],
    ['mg/dL^^ISO+', 'mg/dL'],
    ['mg/dL^UCUM', 'mg/dL'],
    ['mg/dL^mg^99LAB', 'mg/dL'],
    ['^mg/dL', 'mg/dL'],
    ['%', '%'],
    ['', undefined],
  ])('with the unit %s', (sent, expected) => {
    expect(measured(`OBX|1|NM|X^Name||4|${sent}|||||F`).unit).toBe(expected);
  });

  it.each<[string, string, string, object]>([
    ['', 'F', '4', { status: 'F' }],
    ['', 'C', '4', { status: 'C', measured: { observation_status: 'C' } }],
    ['', 'P', '4', { status: 'P' }],
    ['', 'A', '4', { status: 'P' }],
    ['', '', '4', { status: 'F' }],
    ['V', 'P', '4', { status: 'F' }],
    ['U', 'F', '4', { status: 'F' }],
    ['U', 'F', '', { status: 'U' }],
    ['A', 'F', '4', { status: 'C' }],
    ['B', 'F', '4', { status: 'C' }],
    ['N', 'F', '', { status: 'X', missing: {} }],
    ['O', 'F', 'why', { status: 'X', missing: { note: 'why' } }],
    ['F', 'F', '', { status: 'X', missing: { note: 'The laboratory sent no value.' } }],
    ['F', 'F', '""', { status: 'X', missing: { note: 'The laboratory sent no value.' } }],
    ['Q', 'F', '4', { status: 'P', measured: { notes: 'Status of the laboratory: Q' } }],
  ])('of status %j in an order of status %j with the value %j', (own, order, value, expected) => {
    const obr = `${OBR}${order}`;
    const [observation] = read([MSH, PID, obr, `OBX|1|NM|X^Name||${value}||||||${own}`]).orders[0]!
      .observations;
    expect(observation).toMatchObject(expected);
  });

  it('leaves out a date that does not exist, and says so', () => {
    const [order] = read([
      ...[MSH, PID, OBR.replace('20240503', '20240231')],
      `${OBX}|||2024050499|||||yesterday`,
    ]).orders;
    expect(order?.metadata.date_collected).toBeUndefined();
    expect(order?.order.notes).toBe('OBR-7 has a date that does not exist: 20240231');
    const { notes } = (order?.observations[0] as { measured: BiomarkerResult }).measured;
    expect(notes).toBe(
      'OBX-14 has a date that does not exist: 2024050499\nOBX-19 has a date that does not exist: yesterday',
    );
  });

  it.each<[string, string | undefined, (boolean | undefined)[]]>([
    ['', undefined, [undefined, undefined]],
    ['N', 'normal', [undefined, undefined]],
    ['H', 'abnormal', [true, false]],
    ['L', 'abnormal', [false, true]],
    ['A', 'abnormal', [undefined, undefined]],
    ['HH', 'critical', [true, false]],
    ['LL', 'critical', [false, true]],
    ['AA', 'critical', [undefined, undefined]],
    ['H~AA', 'critical', [true, false]],
    ['S', 'S', [undefined, undefined]],
    ['>', '>', [undefined, undefined]],
    ['N~H', 'normal, abnormal', [true, false]],
    ['HH~POS', 'critical, POS', [true, false]],
  ])('with the flag %s', (flags, interpretation, sides) => {
    const of = measured(`OBX|1|NM|X^Name||4|||${flags}|||F`);
    expect(of.interpretation).toBe(interpretation);
    expect([of.is_above_max_range, of.is_below_min_range]).toEqual(sides);
  });

  const utc = MSH.replace('-0500', '');
  it.each<[string, string, string, string, string | undefined]>([
    [MSH, '20240503', '202405030405', '20240503040506.123', '2024-05-03T04:05:06.123-05:00'],
    [MSH, '20240503', '202405030405+0200', '', '2024-05-03T04:05:00+02:00'],
    [MSH, '202405030708', '', '', '2024-05-03T07:08:00-05:00'],
    [MSH, '202405030708', '', '20240503', undefined],
    [MSH, '', '', '', undefined],
    [utc, '202405030708', '202405030708', '', undefined],
    [utc, '202405030708', '202405030708Z'.replace('Z', '+0000'), '', '2024-05-03T07:08:00+00:00'],
    [MSH, '', '20161231235960+0000', '', '2016-12-31T23:59:60+00:00'],
  ])(
    'takes its time, with MSH %s, OBR-22 %s, OBX-14 %s, OBX-19 %s',
    (msh, reported, observed, analysed, expected) => {
      const obr = OBR.replace('|20240504|', `|${reported}|`);
      const obx = `${OBX}|||${observed}|||||${analysed}`;
      const [observation] = read([msh, PID, obr, obx]).orders[0]!.observations;
      expect((observation as { measured: BiomarkerResult }).measured.timestamp).toBe(expected);
    },
  );

  it.each([
    ['X', '', { missing: { note: 'why' } }],
    ['X', 'QNS', { missing: { note: 'QNS\nwhy' } }],
    ['D', '', {}],
    ['W', 'wrong', {}],
    ['S', 'x', { status: 'P', measured: { observation_status: 'P' } }],
    ['C', 'x', { measured: { observation_status: 'C' } }],
  ])('of status %s', (status, value, expected) => {
    const obx = `OBX|1|ST|X^Name||${value}||||||${status}`;
    const [observation] = read([MSH, PID, OBR, obx, 'NTE|1||why']).orders[0]!.observations;
    const reported = 'SRI'.includes(status) ? 'P' : status;
    expect(observation).toMatchObject({ status: reported, ...expected });
  });

  it('that is pending makes its order partial', () => {
    const [order] = read([MSH, PID, OBR, 'OBX|1|ST|X^Name||||||||I']).orders;
    expect(order).toMatchObject({ observations: [], status: 'partial' });
  });
});

describe('a message', () => {
  it('groups OBRs of one placer number, else of one filler number', () => {
    const obr = (...numbers: readonly string[]): string =>
      `OBR|1|${numbers.join('|')}|T^Test ${numbers.join('')}`;
    const lines = [
      'ORC|RE|P9',
      obr('', ''),
      OBX,
      obr('P9', 'F2'),
      OBX,
      obr('', 'F2'),
      OBX,
      obr('', 'F3'),
    ];
    const { orders } = read([MSH, PID, ...lines]);
    expect(
      orders.map(({ placer, filler, observations }) => [placer, filler, observations.length]),
    ).toEqual([
      ['P9', undefined, 2],
      [undefined, 'F2', 1],
      [undefined, 'F3', 0],
    ]);
    expect(orders[0]?.order.lab_test).toEqual({ name: 'Test, Test P9F2' });
    expect(new Set(orders.map(({ key }) => key)).size).toBe(3);
  });

  it('may know nothing of its patient', () => {
    const { patient, orders } = read([MSH, OBR, OBX]);
    expect(patient).toEqual({ ids: [], birthDate: undefined, name: undefined, names: [] });
    expect(orders[0]?.metadata).toEqual({
      ...{ laboratory: 'ACME', clia_number: '05D1234567' },
      ...{ date_collected: '2024-05-03', date_received: '2024-05-03', date_reported: '2024-05-04' },
    });
  });

  it('takes numbers of OBR before those of ORC, and those of CLIA and NPI that are called so', () => {
    const msh = MSH.replace('^CLIA', '^ISO');
    const obr = OBR.replace('||||||||20240504', '||77^Doe^Jane||||||20240504');
    const [order] = read([msh, 'ORC|RE|P9|F9', obr]).orders;
    expect(order).toMatchObject({ placer: 'P1', filler: 'F1' });
    expect(order?.order.physician).toEqual({ first_name: 'Jane', last_name: 'Doe', npi: null });
    expect(order?.metadata).not.toHaveProperty('clia_number');
  });

  it('has ids by authority, and the legal one of several names', () => {
    const pid =
      'PID|1||1^^^A&1.2&ISO~2^^^&1.2.3&ISO~3~^^^B||Nick^Name^^^^^A~Ex&am^Amara^N^Jr^^^L||198604';
    expect(read([MSH, pid, OBR]).patient).toEqual({
      ids: [
        { id: '1', authority: 'A', field: 'PID-3' },
        { id: '2', authority: '1.2.3', field: 'PID-3' },
        { id: '3', authority: '', field: 'PID-3' },
      ],
      ...{ birthDate: undefined, name: 'Amara N Ex Jr' },
      names: ['Name Nick', 'Amara N Ex Jr'],
    });
  });

  it('keeps notes where they belong', () => {
    const lines = [
      PID,
      'NTE|1||of the patient',
      OBR,
      'NTE|1||of the~order',
      OBX,
      'NTE|1||of the result',
      'SPM|1|S1&EHR^&LIS',
    ];
    const [order] = read([MSH, ...lines]).orders;
    expect(order?.order.notes).toBe('of the patient\nof the\norder');
    expect(order?.observations).toMatchObject([{ measured: { notes: 'of the result' } }]);
    expect(order?.metadata.specimen_number).toBe('S1');
  });

  it('is the same one in any frame, and another with any other content', () => {
    const digest = (text: string): string => read([text]).digest;
    const text = LINES.join('\r');
    for (const same of [`\uFEFF${text}`, LINES.join('\n'), `${LINES.join('\r\n')}\r\n\r\n`]) {
      const read = readMessage(Buffer.from(same, 'utf8'));
      expect(read).toMatchObject({ report: { digest: digest(text) } });
    }
    expect(digest(text.replace('ok', 'OK'))).not.toBe(digest(text));
  });
});

const replaced = (from: string | RegExp, to: string): Buffer =>
  Buffer.from(LINES.join('\r').replace(from, to), 'latin1');
const added = (line: string, at = LINES.length): Buffer =>
  Buffer.from(LINES.toSpliced(at, 0, line).join('\r'), 'latin1');

it.each([
  ['', 'WINDOWS-1252', 'latin1'],
  ['', '8859/1', 'latin1'],
  ['ASCII', '8859/15', 'latin1'],
  ['', 'UTF-8', 'utf8'],
  ['UTF-8', 'ASCII', 'utf8'],
  ['8859/1', 'UTF-8', 'latin1'],
  ['WINDOWS-1252~UNICODE UTF-8', 'ASCII', 'latin1'],
] as const)(
  'reads bytes of MSH-18 %j, with the set %s for those that have none',
  (set, charset, as) => {
    const text = LINES.join('\r').replace('8859/1', set).replace('|ok||', '|92|µmol/L|');
    const message = readMessage(Buffer.from(text, as), charset);
    expect(message).toMatchObject({
      report: { orders: [{ observations: [{ measured: { unit: 'µmol/L' } }] }] },
    });
  },
);

it('leaves out an id, a unit and a flag that are too long, and says so in the note', () => {
  const long = '0'.repeat(1025);
  const { notes, ...result } = measured(
    `OBX|1|NM|${long}^Hemoglobin^L|${long}|7|${long}|1-8|${long}|||F`,
  );
  expect(result).toMatchObject({ name: 'Hemoglobin', value: 7 });
  expect(Object.keys(result)).not.toEqual(expect.arrayContaining(['provider_id']));
  expect(result).not.toHaveProperty('unit');
  expect(notes?.match(/OBX-\d is too long/gu)).toEqual(
    [3, 4, 6, 8].map((field) => `OBX-${field} is too long`),
  );
});

it('names the order after as many of its panels as fit', () => {
  const panels = Array.from(
    { length: 40 },
    (_none, at) => `OBR|1|P1|F${at}|${at}^${'x'.repeat(20)}${at}`,
  );
  const name = read([MSH, PID, ...panels]).orders[0]!.order.lab_test!.name!;
  expect(name.length).toBeLessThanOrEqual(500);
  expect(name).toMatch(/^x+0, x+1, .*, …$/u);
});

it('reads bytes 80 to 9F under 8859/1 as those of Windows-1252, and 8859/2 as itself', () => {
  const unit = (set: string, byte: number): string | null | undefined => {
    const text = LINES.join('\r').replace('8859/1', set).replace('|ok||', '|92|?|');
    const message = readMessage(
      Buffer.from(text.replace('?', String.fromCharCode(byte)), 'latin1'),
    );
    const [of] = message.ok ? message.report.orders[0]!.observations : [];
    return (of as { measured: BiomarkerResult }).measured.unit;
  };
  expect([unit('8859/1', 0x80), unit('8859/2', 0xb3), unit('8859/15', 0xa4)]).toEqual([
    '€',
    'ł',
    '€',
  ]);
});

it('passes over segments that say nothing about results', () => {
  const lines = [MSH.replace('2.5.1', '2.8.2'), PID, 'ARV|1', OBR, 'PRT|1', OBX, 'ZZZ|1', 'DG1|1'];
  expect(read(lines).orders[0]?.observations.length).toBe(1);
});

describe('a refused message', () => {
  it.each<[string, Buffer, string]>([
    ['nothing', Buffer.alloc(0), 'AR'],
    ['a request of HTTP', Buffer.from('GET / HTTP/1.1\r\n\r\n'), 'AR'],
    ['UTF-16', Buffer.from(`\uFEFF${LINES.join('\r')}`, 'utf16le'), 'AR'],
    ['no separators', Buffer.from('MSH'), 'AR'],
    ['equal separators', replaced('^~\\&', '^^\\&'), 'AR'],
    ['letters as separators', replaced('^~\\&', 'a~\\&'), 'AR'],
    ['a control character in MSH', replaced('LIS', 'L\x1cIS'), 'AR'],
    ['an MSH of 5,000 bytes', replaced('LIS', 'L'.repeat(5000)), 'AR'],
    ['an unknown character set', replaced('8859/1', '8859/12'), 'AR MSH-18'],
    ['another version', replaced('2.5.1', '3.0'), 'AR MSH-12'],
    ['an older version', replaced('2.5.1', '2.2'), 'AR MSH-12'],
    ['no version', replaced('2.5.1', ''), 'AR MSH-12'],
    ['ADT', replaced('ORU^R01', 'ADT^A01'), 'AR MSH-9'],
    ['another event', replaced('ORU^R01', 'ORU^R30'), 'AR MSH-9'],
    ['another structure', replaced('ORU^R01', 'ORU^R01^OUL_R22'), 'AR MSH-9'],
    ['training', replaced('|P|2', '|T|2'), 'AR MSH-11'],
    ['bytes that are not ASCII', replaced(/8859.1(.*)F$/su, '$1\xe9'), 'AE OBX-11'],
    [
      'bytes that are not UTF-8',
      replaced(/8859.1(.*)Amara/su, 'UNICODE UTF-8$1Amara\xe9'),
      'AE PID-5',
    ],
    ['a NUL', replaced('ok', 'o\0k'), 'AE OBX-5'],
    [
      'bytes that are not of it in MSH',
      replaced(/CLINIC(.*)8859.1/su, 'CLINIC\x81$1ASCII'),
      'AE MSH-6',
    ],
    ['no control id', replaced('M1', ''), 'AE MSH-10'],
    ['a control id of 200 characters', replaced('M1', 'M'.repeat(200)), 'AE MSH-10'],
    ['no time of the message', replaced('20240504101112-0500', ''), 'AE MSH-7'],
    ['a day as time of the message', replaced('20240504101112-0500', '20240504'), 'AE MSH-7'],
    [
      'a time of the message in the future',
      replaced('20240504101112', '21240504101112'),
      'AE MSH-7',
    ],
    [
      'a time of the message before computers',
      replaced('20240504101112', '15260504101112'),
      'AE MSH-7',
    ],
    ['29 February 2025', replaced('19860412', '20250229'), 'AE PID-7'],
    ['month 13', replaced('19860412', '19861312'), 'AE PID-7'],
    ['a date of ISO 8601', replaced('19860412', '1986-04-12'), 'AE PID-7'],
    ['neither placer nor filler number', replaced('|P1|F1|', '|||'), 'AE OBR-3'],
    ['no OBR', Buffer.from([MSH, PID].join('\r')), 'AE MSH'],
    ['an OBX before the OBR', added(OBX, 2), 'AE OBX'],
    ['two patients', added(PID, 2), 'AE PID[2]'],
    ['a patient after the orders', Buffer.from([MSH, OBR, PID].join('\r')), 'AE PID'],
    ['another message in it', added(MSH), 'AE MSH[2]'],
    ['the second line of a text', added('of a text|||'), 'AE'],
    ['a line like a segment', added('HIV positive'), 'AE'],
    ['a continued message', added('DSC|2'), 'AE DSC-1'],
    ['a continuation', replaced('|2.5.1||', '|2.5.1||9'), 'AE MSH-14'],
    ['too many repetitions', replaced('Example^Amara', '~'.repeat(30_000)), 'AE PID-5'],
    ['too long a field', replaced('Amara', 'A'.repeat(2 ** 20 + 1)), 'AE PID-5'],
    ['an id of 1,025 characters', replaced('MRN-1', '0'.repeat(1025)), 'AE PID-3'],
    ['a name of 501 characters', replaced('Amara', 'A'.repeat(493)), 'AE PID-5'],
    ['too many segments', replaced(/$/u, `\r${'NTE|\r'.repeat(100_000)}`), 'AE'],
  ])('of %s', (_what, bytes, expected) => {
    const { ack, segment = '', sequence = 1, field, message } = refusalOf(bytes) ?? {};
    const place = `${segment}${sequence === 1 ? '' : `[${sequence}]`}${field === undefined ? '' : `-${field}`}`;
    expect(`${ack} ${place}`.trim()).toBe(expected);
    expect(message).toMatch(/^[ -~]{20,160}\.$/u);
  });
});
