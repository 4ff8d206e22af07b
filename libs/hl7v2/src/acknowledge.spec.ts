import type { Refusal } from './refusal.ts';
import { describe, expect, it } from '@jest/globals';
import { acknowledge } from './acknowledge.ts';
import { readMessage } from './read-message.ts';
import type { Header } from './report.ts';

const refusal: Refusal = {
  ...{ ack: 'AE', error: 'dataType', segment: 'OBX', sequence: 3, field: 5 },
  message: 'The time [& more] must exist.',
};

interface Sent {
  readonly separators?: string;
  readonly controlId?: string;
  readonly version?: string;
  readonly isEnhanced?: boolean;
  readonly charset?: string;
}

function headerOf(sent: Sent): Header | undefined {
  const { separators = '|^~\\&', version = '2.5.1', charset = 'UNICODE UTF-8' } = sent;
  const msh = [
    ...['MSH', separators.slice(1), 'LIS', `Acme${separators[1]}05D1`, 'EHR', '', '20240504', ''],
    ...['ORU^R01', sent.controlId ?? 'MSG1', 'P', version, '', ''],
    ...[sent.isEnhanced === true ? 'AL' : '', '', '', charset],
  ];
  return readMessage(Buffer.from(`${msh.join(separators[0])}\r`)).header;
}

/** Returns the segments of the acknowledgement, without time and ID. */
function answer(sent: Sent, refused?: Refusal): string[] {
  const text = acknowledge(headerOf(sent), refused).toString('latin1');
  return text
    .replace(/\d{14}\+0000/u, 'TIME')
    .replace(/[0-9a-f]{20}/u, 'ID')
    .split('\r');
}

describe('an acknowledgement', () => {
  it.each<[Sent, Refusal | undefined, string[]]>([
    [
      {},
      undefined,
      [
        'MSH|^~\\&|EHR||LIS|Acme^05D1|TIME||ACK^R01^ACK|ID|P|2.5.1||||||UNICODE UTF-8',
        'MSA|AA|MSG1',
        '',
      ],
    ],
    [
      { isEnhanced: true },
      refusal,
      [
        expect.stringContaining('|2.5.1|') as unknown as string,
        'MSA|CE|MSG1',
        'ERR||OBX^3^5|102^Data type error^HL70357|E||||The time [\\T\\ more] must exist.',
        '',
      ],
    ],
    [
      { version: '2.3', charset: '' },
      { ...refusal, ack: 'AR' },
      [
        'MSH|^~\\&|EHR||LIS|Acme^05D1|TIME||ACK^R01|ID|P|2.3||||||',
        'MSA|AR|MSG1|The time [\\T\\ more] must exist.',
        'ERR|OBX^3^5^102&Data type error&HL70357',
        '',
      ],
    ],
    [
      { version: '2.4', separators: '#$*!%', charset: 'ASCII' },
      { ...refusal, segment: undefined, sequence: undefined, field: undefined },
      [
        'MSH#$*!%#EHR##LIS#Acme$05D1#TIME##ACK$R01$ACK#ID#P#2.4######ASCII',
        'MSA#AE#MSG1#The time [& more] must exist.',
        'ERR#$$$102%Data type error%HL70357',
        '',
      ],
    ],
    [
      { version: '2.9', charset: 'UNICODE UTF-16' },
      { ack: 'AR', error: 'version', segment: 'MSH', field: 12, message: 'Wrong.' },
      [
        'MSH|^~\\&|EHR||LIS|Acme^05D1|TIME||ACK^R01^ACK|ID|P|2.5.1||||||',
        'MSA|AR|MSG1',
        'ERR||MSH^1^12|203^Unsupported version id^HL70357|E||||Wrong.',
        '',
      ],
    ],
  ])('of a message with %j', (sent, refused, expected) => {
    expect(answer(sent, refused)).toEqual(expected);
  });

  it('of bytes without header names what is wrong', () => {
    const read = readMessage(Buffer.from('hello'));
    const text = acknowledge(undefined, read.ok ? undefined : read.refusal).toString('latin1');
    expect(text).toMatch(
      /^MSH\|\^~\\&\|\|\|\|\|\d{14}\+0000\|\|ACK\^R01\^ACK\|[0-9a-f]{20}\|P\|2\.5\.1\|{6}\rMSA\|AR\|\rERR\|\|\|100\^/u,
    );
  });

  it('repeats names and IDs byte for byte, and has an ID of its own', () => {
    const header = headerOf({ controlId: 'é\\F\\\\E\\山' });
    const answers = Array.from({ length: 50 }, () => acknowledge(header).toString('utf8'));
    expect(answers[0]).toContain('\rMSA|AA|é\\F\\\\E\\山\r');
    expect(new Set(answers.map((each) => each.split('|')[9])).size).toBe(50);
  });
});
