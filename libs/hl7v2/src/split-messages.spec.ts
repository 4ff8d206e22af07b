import { describe, expect, it } from '@jest/globals';
import { Readable } from 'node:stream';
import { allOf, labMessage } from './lab-message.testing.ts';
import { splitFile, splitFrames, type Piece } from './split-messages.ts';

const [one, two] = [labMessage({ controlId: '1' }), labMessage({ controlId: '2' })];
const lines = (end: '\r' | '\n' | '\r\n'): Buffer[] =>
  [one, two, one].map((message) => Buffer.from(message.toString().replaceAll('\r', end)));
/** Wraps a message in an MLLP frame. */
const framed = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(0x0b), bytes, Buffer.of(0x1c, 0x0d)]);
const text = (bytes: string | Buffer): Buffer => Buffer.from(bytes);

const inChunks = (...chunks: readonly Buffer[]): AsyncIterable<Buffer> =>
  Readable.from(chunks) as AsyncIterable<Buffer>;

/** Returns the bytes of messages, and the faults of others. */
async function split(
  by: (chunks: AsyncIterable<Uint8Array>) => AsyncGenerator<Piece>,
  ...parts: readonly (Buffer | string)[]
): Promise<(string | Buffer)[]> {
  const pieces = await allOf(by(inChunks(Buffer.concat(parts.map(text)))));
  return pieces.map((piece) => ('bytes' in piece ? piece.bytes : piece.fault));
}

describe('a file', () => {
  it.each(['\r', '\n', '\r\n'] as const)('has messages whose lines end in %j', async (end) => {
    const all = lines(end);
    const found = await split(splitFile, '\uFEFF', end, ...all);
    expect(found).toEqual(all);
  });

  it.each<[string, readonly (Buffer | string)[], readonly (Buffer | string)[]]>([
    ['nothing', [], []],
    ['blank lines', ['\uFEFF\r\n \r\n'], []],
    ['frames', ['\uFEFF', framed(one), '\r\n', framed(two)], [one, two]],
    ['frames without returns', ['\x0b', one, '\x1c\x0b', two, '\x1c'], [one, two]],
    ['no message', ['{"kind":"user"}\nMSHA|'], ['no-frame']],
    ['text before the first message', ['a\nb\n', one], ['no-frame', one]],
    [
      'text between frames',
      [framed(one), 'a\nb', framed(two), 'c'],
      [one, 'no-frame', two, 'no-frame'],
    ],
    ['a frame without end', [framed(one), '\x0b', two], [one, 'no-end']],
    ['a frame that begins twice', ['\x0b', framed(one)], [one]],
    ['a frame that begins again', ['\x0b', one.subarray(0, 30), framed(two)], ['no-end', two]],
    ['a batch', ['FHS|^~\\&\rBHS|^~\\&|MSH|\r', one, two, 'BTS|2\rFTS|1\r'], [one, two]],
    ['MSH within a line', [one, 'NTE|1||MSH|\r'], [Buffer.concat([one, text('NTE|1||MSH|\r')])]],
  ])('of %s', async (_what, parts, expected) => {
    expect(await split(splitFile, ...parts)).toEqual(expected);
  });
});

describe('a connection', () => {
  it('gives a message as soon as its frame ends', async () => {
    const taken: string[] = [];
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for await (const chunk of inChunks(framed(one), framed(two))) {
        yield chunk;
        taken.push('asked for more');
      }
    }
    for await (const piece of splitFrames(chunks())) {
      taken.push('bytes' in piece ? 'message' : piece.fault);
    }
    expect(taken).toEqual(['message', 'asked for more', 'message', 'asked for more']);
  });
});

describe('a message of more than 16 MiB', () => {
  it.each([
    ['in a frame', splitFrames, '\x0b', '\x1c\r'],
    ['in a file of frames', splitFile, '\x0b', '\x1c\r'],
    ['in a file', splitFile, 'MSH|', '\r'],
  ])('%s is refused once, and the next is read', async (_where, by, begin, end) => {
    const chunk = Buffer.alloc(2 ** 20, 'A');
    const longest = Buffer.alloc(
      2 ** 20 - begin.replace('\x0b', '').length - end.replace('\x1c\r', '').length,
      'A',
    );
    const parts = (count: number): Buffer[] => [
      ...[text(begin), ...Array<Buffer>(count - 1).fill(chunk), longest, text(end)],
    ];
    const all = inChunks(...parts(16), ...parts(18), ...parts(1));
    const pieces = await allOf(by(all));
    expect(
      pieces.map((piece) => ('bytes' in piece ? piece.bytes.length / 2 ** 20 : piece.fault)),
    ).toEqual([16, 'too-long', 1]);
  });
});
