import { gzipSync } from 'node:zlib';

const END_OF_HEAD = Buffer.from('\r\n\r\n');

/** An HTTP response as bytes. The head includes the empty line. */
export interface RawResponse {
  readonly head: string;
  readonly body: Buffer;
}

/** End of the head (after its empty line), or undefined if it is incomplete. */
export function endOfHead(bytes: Buffer): number | undefined {
  const at = bytes.indexOf(END_OF_HEAD);
  return at < 0 ? undefined : at + END_OF_HEAD.length;
}

/** @throws if the head is incomplete */
export function parseResponse(bytes: Buffer): RawResponse {
  const end = endOfHead(bytes);
  if (end === undefined) {
    throw new Error('The upstream did not return a complete response.');
  }
  return { head: bytes.toString('latin1', 0, end), body: bytes.subarray(end) };
}

export function serializeResponse({ head, body }: RawResponse): Buffer {
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** Value of the first header with this name. */
export function headerOf(head: string, name: string): string | undefined {
  const wanted = `${name.toLowerCase()}:`;
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(wanted));
  return line?.slice(wanted.length).trim();
}

/** The head with this header replaced. */
export function withHeader(head: string, name: string, value: string): string {
  const wanted = `${name.toLowerCase()}:`;
  const lines = head.split('\r\n').slice(0, -2);
  const others = lines.filter((line) => !line.toLowerCase().startsWith(wanted));
  return `${[...others, `${name}: ${value}`].join('\r\n')}\r\n\r\n`;
}

export function invertedBits(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0xff));
}

/** The same response, gzipped, padded with spaces to this size when unpacked. */
export function gzipBomb({ head, body }: RawResponse, bytes: number): RawResponse {
  const blanks = Buffer.alloc(Math.max(bytes - body.length, 0), ' ');
  const packed = gzipSync(Buffer.concat([body, blanks]));
  const sized = withHeader(head, 'content-length', String(packed.length));
  return { head: withHeader(sized, 'content-encoding', 'gzip'), body: packed };
}

export function tooManyRequests(retryAfterSeconds: number): RawResponse {
  const body = Buffer.from('{"detail":"Too many requests"}');
  const lines = [
    'HTTP/1.1 429 Too Many Requests',
    'content-type: application/json',
    `content-length: ${body.length}`,
    `retry-after: ${retryAfterSeconds}`,
  ];
  return { head: `${lines.join('\r\n')}\r\n\r\n`, body };
}
