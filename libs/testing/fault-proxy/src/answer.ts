import { gzipSync } from 'node:zlib';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** An HTTP answer in its bytes. The head holds its last empty line. */
export interface Answer {
  readonly head: string;
  readonly body: Buffer;
}

/** Where the head in front ends (behind its empty line), or undefined while it is not whole. */
export function endOfHead(bytes: Buffer): number | undefined {
  const at = bytes.indexOf(END_OF_HEAD);
  return at < 0 ? undefined : at + END_OF_HEAD.length;
}

/** @throws where the bytes hold no whole head */
export function answerOf(bytes: Buffer): Answer {
  const end = endOfHead(bytes);
  if (end === undefined) {
    throw new Error('The upstream gave no whole answer.');
  }
  return { head: bytes.toString('latin1', 0, end), body: bytes.subarray(end) };
}

export function bytesOf({ head, body }: Answer): Buffer {
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** The value of a header, the first of its name. */
export function headerOf(head: string, name: string): string | undefined {
  const wanted = `${name.toLowerCase()}:`;
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(wanted));
  return line?.slice(wanted.length).trim();
}

/** The head with this header in place of those of its name. */
export function withHeader(head: string, name: string, value: string): string {
  const wanted = `${name.toLowerCase()}:`;
  const lines = head.split('\r\n').slice(0, -2);
  const others = lines.filter((line) => !line.toLowerCase().startsWith(wanted));
  return `${[...others, `${name}: ${value}`].join('\r\n')}\r\n\r\n`;
}

export function turnedOver(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0xff));
}

/** The same answer, so many bytes long when unpacked: blanks behind JSON change nothing of what it says. */
export function gzipBomb({ head, body }: Answer, bytes: number): Answer {
  const blanks = Buffer.alloc(Math.max(bytes - body.length, 0), ' ');
  const packed = gzipSync(Buffer.concat([body, blanks]));
  const sized = withHeader(head, 'content-length', String(packed.length));
  return { head: withHeader(sized, 'content-encoding', 'gzip'), body: packed };
}

export function tooMany(retryAfterSeconds: number): Answer {
  const body = Buffer.from('{"detail":"Too many requests"}');
  const lines = [
    'HTTP/1.1 429 Too Many Requests',
    'content-type: application/json',
    `content-length: ${body.length}`,
    `retry-after: ${retryAfterSeconds}`,
  ];
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body };
}
