import { describe, expect, it } from '@jest/globals';
import fc from '@caregate/seeded';
import { splitLines, type Line } from './line-splitter.ts';

async function split(chunks: readonly Uint8Array[], maxBytes = 1000): Promise<Line[]> {
  const lines: Line[] = [];
  const source = async function* (): AsyncGenerator<Uint8Array> {
    yield* await Promise.resolve(chunks);
  };
  for await (const batch of splitLines(source(), maxBytes)) {
    lines.push(...batch);
  }
  return lines;
}

describe('splitLines', () => {
  it('gives the same lines however the bytes are cut into chunks', async () => {
    const lineText = fc.string({ unit: fc.constantFrom('a', 'é', '🙂', '\r', ' '), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(lineText), fc.array(fc.nat(30)), async (texts, cuts) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        const chunks: Buffer[] = [];
        let begin = 0;
        for (const cut of cuts) {
          chunks.push(bytes.subarray(begin, begin + cut));
          begin += cut;
        }
        chunks.push(bytes.subarray(begin));
        const lines = await split(chunks);
        expect(lines.map((line) => line.bytes?.toString())).toEqual(texts);
        expect(lines.map((line) => line.number)).toEqual(texts.map((_, index) => index + 1));
      }),
    );
  });
});
