import { request } from 'node:http';

/** CUPS's own socket on this computer; undefined where it prints by another computer's. */
export function cupsSocket(
  server = process.env['CUPS_SERVER'],
  platform: string = process.platform,
): string | undefined {
  if (server !== undefined) return server.startsWith('/') ? server : undefined;
  return platform === 'darwin' ? '/private/var/run/cupsd' : '/run/cups/cups.sock';
}

type Attributes = ReadonlyMap<string, readonly (string | number)[]>;

/** The state of a job and why, by Get-Job-Attributes of IPP (RFC 8011, section 4.3.4). */
export async function askJob(
  socketPath: string,
  job: number,
  signal: AbortSignal,
): Promise<Attributes> {
  const body = jobQuestion(job);
  const headers = { 'content-type': 'application/ipp', 'content-length': body.byteLength };
  const answer = await new Promise<Buffer>((resolve, reject) => {
    const asking = request(
      { socketPath, path: `/jobs/${String(job)}`, method: 'POST', headers, signal },
      (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () => {
          resolve(Buffer.concat(parts));
        });
        response.on('error', reject);
      },
    );
    asking.on('error', reject);
    asking.end(body);
  });
  return attributesIn(answer);
}

const tags = { operation: 1, end: 3, integer: 0x21, enum: 0x23, keyword: 0x44 } as const;

function jobQuestion(job: number): Buffer {
  return Buffer.concat([
    // Version 2.0, the operation, a number for the request.
    Buffer.from([2, 0, 0, 9, 0, 0, 0, 1, tags.operation]),
    attribute(0x47, 'attributes-charset', 'utf-8'),
    attribute(0x48, 'attributes-natural-language', 'en'),
    attribute(0x45, 'job-uri', `ipp://localhost/jobs/${String(job)}`),
    attribute(tags.keyword, 'requested-attributes', 'job-state'),
    attribute(tags.keyword, '', 'job-printer-state-reasons'),
    Buffer.from([tags.end]),
  ]);
}

function attribute(tag: number, name: string, value: string): Buffer {
  return Buffer.concat([Buffer.from([tag]), sized(name), sized(value)]);
}

function sized(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
}

/** @throws {RangeError} if the answer is cut off */
export function attributesIn(answer: Buffer): Attributes {
  const found = new Map<string, (string | number)[]>();
  let at = 8;
  let last = '';
  const take = (): Buffer => {
    const size = answer.readUInt16BE(at);
    const start = at + 2;
    at = start + size;
    if (at > answer.length) throw new RangeError('cut off');
    return answer.subarray(start, at);
  };
  for (;;) {
    const tag = answer.readUInt8(at);
    at += 1;
    if (tag === tags.end) return found;
    // Smaller ones begin a group.
    if (tag < 0x10) continue;
    const name = take().toString();
    const value = take();
    // Without a name: one more value of the attribute before.
    last = name === '' ? last : name;
    const isNumber = tag === tags.integer || tag === tags.enum;
    const values = found.get(last) ?? [];
    found.set(last, [...values, isNumber ? value.readInt32BE() : value.toString()]);
  }
}
