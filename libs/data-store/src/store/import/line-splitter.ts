/** A line without its line feed. `bytes` is undefined if it was too long and was dropped. */
export interface Line {
  readonly number: number;
  readonly bytes: Buffer | undefined;
}

const lineFeed = 0x0a;

/**
 * Yields the lines of each chunk as a batch. Drops lines longer than `maxBytes`. Text after the last line feed is a
 * line unless it is empty.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<Line[]> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;

  const add = (part: Buffer): void => {
    length += part.length;
    if (length > maxBytes) {
      parts = [];
    } else if (part.length > 0) {
      parts.push(part);
    }
  };
  const finish = (): Line => {
    const [only] = parts;
    const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
    const line = { number, bytes: length > maxBytes ? undefined : bytes };
    number += 1;
    parts = [];
    length = 0;
    return line;
  };

  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const lines: Line[] = [];
    let begin = 0;
    for (let end; (end = bytes.indexOf(lineFeed, begin)) !== -1; begin = end + 1) {
      add(bytes.subarray(begin, end));
      lines.push(finish());
    }
    add(bytes.subarray(begin));
    if (lines.length > 0) {
      yield lines;
    }
  }
  if (length > 0) {
    yield [finish()];
  }
}
