import { describe, expect, it } from '@jest/globals';
import { acknowledge } from './acknowledge.ts';
import { PLAN, type MessagePlan } from './message-plan.testing.ts';
import { bytesOf } from './message-text.testing.ts';
import { readMessage } from './read-message.ts';
import type { Refusal } from './report.ts';

const refusal: Refusal = {
  ...{ ack: 'AE', error: 'dataType', segment: 'OBX', sequence: 3, field: 5 },
  message: 'The time [& more] must exist.',
};

/** The segments of the answer, without time and id. */
function answer(plan: Partial<MessagePlan>, refused?: Refusal): string[] {
  const { header } = readMessage(bytesOf({ ...PLAN, ...plan }));
  const text = acknowledge(header, refused).toString('latin1');
  return text
    .replace(/\d{14}\+0000/u, 'TIME')
    .replace(/[0-9a-f]{20}/u, 'ID')
    .split('\r');
}

describe('an acknowledgement', () => {
  it.each<[Partial<MessagePlan>, Refusal | undefined, string[]]>([
    [
      {},
      undefined,
      [
        'MSH|^~\\&|EHR||LIS|Acme Laboratory^05D1234567^CLIA|TIME||ACK^R01^ACK|ID|P|2.5.1||||||UNICODE UTF-8',
        'MSA|AA|MSG00001',
        '',
      ],
    ],
    [
      { isEnhanced: true },
      refusal,
      [
        expect.stringContaining('|2.5.1|') as unknown as string,
        'MSA|CE|MSG00001',
        'ERR||OBX^3^5|102^Data type error^HL70357|E||||The time [\\T\\ more] must exist.',
        '',
      ],
    ],
    [
      { version: '2.3', charset: '' },
      { ...refusal, ack: 'AR' },
      [
        'MSH|^~\\&|EHR||LIS|Acme Laboratory^05D1234567^CLIA|TIME||ACK^R01|ID|P|2.3||||||',
        'MSA|AR|MSG00001|The time [\\T\\ more] must exist.',
        'ERR|OBX^3^5^102&Data type error&HL70357',
        '',
      ],
    ],
    [
      { version: '2.4', separators: '#$*!%', charset: 'ASCII' },
      { ...refusal, segment: undefined, sequence: undefined, field: undefined },
      [
        'MSH#$*!%#EHR##LIS#Acme Laboratory$05D1234567$CLIA#TIME##ACK$R01$ACK#ID#P#2.4######ASCII',
        'MSA#AE#MSG00001#The time [& more] must exist.',
        'ERR#$$$102%Data type error%HL70357',
        '',
      ],
    ],
    [
      { version: '2.9', charset: 'UNICODE UTF-16' as '' },
      { ack: 'AR', error: 'version', segment: 'MSH', field: 12, message: 'Wrong.' },
      [
        'MSH|^~\\&|EHR||LIS|Acme Laboratory^05D1234567^CLIA|TIME||ACK^R01^ACK|ID|P|2.5.1||||||',
        'MSA|AR|MSG00001',
        'ERR||MSH^1^12|203^Unsupported version id^HL70357|E||||Wrong.',
        '',
      ],
    ],
  ])('of a message with %j', (plan, refused, expected) => {
    expect(answer(plan, refused)).toEqual(expected);
  });

  it('of bytes without header names what is wrong', () => {
    const read = readMessage(Buffer.from('hello'));
    const text = acknowledge(undefined, read.ok ? undefined : read.refusal).toString('latin1');
    expect(text).toMatch(
      /^MSH\|\^~\\&\|\|\|\|\|\d{14}\+0000\|\|ACK\^R01\^ACK\|[0-9a-f]{20}\|P\|2\.5\.1\|{6}\rMSA\|AR\|\rERR\|\|\|100\^/u,
    );
  });

  it('repeats names and ids byte for byte, and has an id of its own', () => {
    const plan: MessagePlan = { ...PLAN, controlId: 'é|\\山', charset: 'UNICODE UTF-8' };
    const { header } = readMessage(bytesOf(plan));
    const answers = Array.from({ length: 50 }, () => acknowledge(header).toString('utf8'));
    expect(answers[0]).toContain('\rMSA|AA|é\\F\\\\E\\山\r');
    expect(new Set(answers.map((each) => each.split('|')[9])).size).toBe(50);
  });
});
