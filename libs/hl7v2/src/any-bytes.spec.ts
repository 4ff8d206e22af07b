import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { share } from '@caregate/seeded/seed';
import { Readable } from 'node:stream';
import { acknowledge } from './acknowledge.ts';
import { allOf, labMessage, sodium } from './lab-message.testing.ts';
import { readMessage } from './read-message.ts';
import { splitFile, splitFrames } from './split-messages.ts';

const parts = ['MSH|^~\\&|', 'OBX|', 'OBR|', '""', ...Array.from('\r\n|^~\\&\x0b\x1c\0éF9')];

const text = labMessage({ controlId: 'M1' }).toString('latin1');
const observations = [sodium('140'), 'OBX|3|FT|A^Text||a\\.br\\b\\X41\\~c|||||F', 'NTE|1||why'];
const messages = [
  text,
  text.replaceAll('\r', '\r\n').replaceAll('|', '#').replace('^~\\&', '^*!%'),
  labMessage({ controlId: 'é', observations }).toString('latin1'),
].map((message) => Buffer.from(message, 'latin1'));

/** A message of which some bytes were replaced, removed or added. */
const damaged = fc
  .tuple(
    fc.constantFrom(...messages),
    fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.constantFrom(...parts)), { maxLength: 4 }),
  )
  .map(([message, changes]) => {
    let bytes: Buffer = message;
    for (const [place, length, part] of changes) {
      const at = place % bytes.length;
      bytes = Buffer.concat([
        bytes.subarray(0, at),
        Buffer.from(part),
        bytes.subarray(at + length),
      ]);
    }
    return bytes;
  });

describe('any bytes', () => {
  it('are read or refused, and acknowledged in one message', () => {
    const bytes = fc.oneof(
      { weight: 4, arbitrary: damaged },
      fc.array(fc.constantFrom(...parts)).map((all) => Buffer.from(`MSH|^~\\&|${all.join('')}`)),
      fc.uint8Array().map((all) => Buffer.from(all)),
    );
    const property = fc.property(bytes, (message) => {
      const read = readMessage(message);
      const answer = acknowledge(read.header, read.ok ? undefined : read.refusal).toString(
        'latin1',
      );
      expect(answer).toMatch(
        /^MSH.{5}[^\x00-\x1f]*\rMSA.[AC][AER][^\x00-\x1f]*\r(?:ERR[^\x00-\x1f]*\r)?$/u,
      );
    });
    fc.assert(property, { numRuns: 250 });
  });

  it('are split in any chunks as in one, and lose nothing that is framed', async () => {
    const bytes = fc
      .array(
        fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...parts, 'MSH', 'BTS|1\r') }, damaged),
      )
      .map((all) => Buffer.concat(all.map((part) => Buffer.from(part))));
    const property = fc.asyncProperty(bytes, fc.array(fc.nat(40)), async (all, sizes) => {
      for (const split of [splitFile, splitFrames]) {
        const atOnce = await allOf(split(chunksOf(all, [])));
        expect(await allOf(split(chunksOf(all, sizes)))).toEqual(atOnce);
      }
    });
    await fc.assert(property, { numRuns: 100 });
  });

  const floods = [
    '|',
    '^',
    '~',
    '&',
    '\\',
    '\\F\\',
    '\\X41\\',
    '\\.br\\',
    '""|',
    ' ',
    'é',
    '0',
    '1-',
    '.1',
  ];
  const lines = ['\r', '\rOBX|', '\rOBX', '\x0b', '\x1c', '\x0b\x1c', '\rMSH|', '\rNTE|||a'];

  const fields = ['OBX||ST|a||', 'OBX||FT|a||', 'OBX||NM|a||', 'OBX||NM|a||1||', 'PID|||', ''];
  // With quadratic time, these would not end.
  it.each(share([...floods, ...lines], 8))(
    'are read in time that grows with their number: %j',
    async (part) => {
      const start =
        'MSH|^~\\&|A|B|C|D|20240101000000||ORU^R01|1|P|2.5.1||||||UNICODE UTF-8\rOBR||1\r';
      const most = 2 ** 20 - 100;
      for (const field of share(fields, 3)) {
        const text = `${start}${field}${part.repeat(most / Buffer.byteLength(part))}||||||F`;
        const bytes = Buffer.from(text);
        readMessage(bytes);
        await allOf(splitFile(chunksOf(bytes, Array<number>(32).fill(2 ** 15))));
        await allOf(splitFrames(chunksOf(bytes, [])));
      }
    },
  );
});

/** Splits bytes into chunks of these sizes, and the rest. */
function chunksOf(bytes: Buffer, sizes: readonly number[]): AsyncIterable<Buffer> {
  let from = 0;
  const chunks = [...sizes, bytes.length].map((size) => bytes.subarray(from, (from += size)));
  return Readable.from(chunks) as AsyncIterable<Buffer>;
}
