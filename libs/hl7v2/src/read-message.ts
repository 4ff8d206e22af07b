import { createHash } from 'node:crypto';
import type { Decode } from './charset.ts';
import { checkHeader, type RawHeader, readRawHeader, readSentInfo } from './header.ts';
import { readOrders } from './results/orders.ts';
import { readPatient } from './results/people.ts';
import { type Refusal, RefusedMessage } from './refusal.ts';
import type { Header, LabReport } from './report.ts';
import { Segment, type Syntax } from './segment.ts';

export type ReadMessage =
  | { readonly ok: true; readonly header: Header; readonly report: LabReport }
  /** Without `header` if the message has no readable MSH. */
  | { readonly ok: false; readonly header?: Header; readonly refusal: Refusal };

/** Limits the memory for a message. No laboratory sends this many segments. */
const MOST_SEGMENTS = 100_000;

const NOT_HL7: Refusal = {
  ack: 'AR',
  error: 'segmentSequence',
  message:
    'A message must begin with an MSH segment of at most 4,096 bytes that names its separators.',
};

const BYTE_ORDER_MARK = Buffer.from('\uFEFF').toString('latin1');

/**
 * Reads one message without its MLLP frame. Never throws.
 *
 * @param charset the character set of messages that declare none in MSH-18, or ASCII
 */
export function readMessage(bytes: Uint8Array, charset = 'ASCII'): ReadMessage {
  const { buffer, byteOffset, byteLength } = bytes;
  const raw = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  const message = raw.startsWith(BYTE_ORDER_MARK) ? raw.slice(BYTE_ORDER_MARK.length) : raw;
  const rawHeader = readRawHeader(message);
  if (rawHeader === undefined) {
    return { ok: false, refusal: NOT_HL7 };
  }
  const { header } = rawHeader;
  try {
    return { ok: true, header, report: readReport(message, rawHeader, charset) };
  } catch (error) {
    if (error instanceof RefusedMessage) {
      return { ok: false, header, refusal: error.refusal };
    }
    throw error;
  }
}

function readReport(message: string, rawHeader: RawHeader, charset: string): LabReport {
  const decode = checkHeader(rawHeader, charset);
  const text = decode(Buffer.from(message, 'latin1'));
  if (text === undefined) {
    throw new RefusedMessage(findInvalidBytes(message, rawHeader.header.separators.field, decode));
  }
  const { msh, others } = parseSegments(text, { separators: rawHeader.header.separators, decode });
  const pid = checkPid(msh, others);
  const { controlId, offset, sent } = readSentInfo(msh);
  const patient = readPatient(pid);
  return {
    ...{ controlId, sent, patient },
    sender: JSON.stringify([msh.getComponents(3, 3), msh.getComponents(4, 3)]),
    digest: createHash('sha256').update(splitLines(message).join('\r'), 'latin1').digest('hex'),
    orders: readOrders(others, { msh, offset, patient }),
  };
}

/**
 * Checks that the message is complete and about one patient, and returns its PID. Ignores unknown segments, since HL7
 * versions and laboratories add their own.
 *
 * @throws RefusedMessage
 */
function checkPid(msh: Segment, others: readonly Segment[]): Segment | undefined {
  let pid: Segment | undefined;
  let hasOrders = false;
  for (const segment of others) {
    const { name } = segment;
    if (name === 'MSH') {
      segment.refuse('segmentSequence', undefined, 'A message must not contain another one.');
    }
    if (name === 'PID' && (pid !== undefined || hasOrders)) {
      const problem = 'A message must be about one patient, named before the orders.';
      segment.refuse('segmentSequence', undefined, problem);
    }
    pid = name === 'PID' ? segment : pid;
    hasOrders ||= name === 'ORC' || name === 'OBR';
  }
  const continued = 'Continued messages are not read; each must be whole.';
  if (msh.getText(14) !== undefined) {
    msh.refuse('dataType', 14, continued);
  }
  others.find(({ name }) => name === 'DSC')?.refuse('dataType', 1, continued);
  return pid;
}

function splitLines(message: string): string[] {
  return message.split(/[\r\n]+/u, MOST_SEGMENTS + 1).filter((line) => line.trim() !== '');
}

function parseSegments(text: string, syntax: Syntax): { msh: Segment; others: Segment[] } {
  const [first = '', ...lines] = splitLines(text);
  if (lines.length >= MOST_SEGMENTS) {
    throw createLineError(
      `A message must have at most ${MOST_SEGMENTS.toLocaleString('en')} lines.`,
    );
  }
  const counts = new Map<string, number>([['MSH', 1]]);
  const others = lines.map((line, at) => {
    const name = readName(line, syntax.separators.field);
    if (name === undefined) {
      throw createLineError(
        `Line ${at + 2} must begin with the name of a segment and the field separator.`,
      );
    }
    const sequence = (counts.get(name) ?? 0) + 1;
    counts.set(name, sequence);
    return new Segment(line, sequence, syntax);
  });
  return { msh: new Segment(first, 1, syntax), others };
}

function readName(line: string, separator: string): string | undefined {
  const name = line.slice(0, 3);
  return /^[A-Z][A-Z0-9]{2}$/u.test(name) && [separator, undefined].includes(line[3])
    ? name
    : undefined;
}

function createLineError(message: string): RefusedMessage {
  return new RefusedMessage({ ack: 'AE', error: 'segmentSequence', message });
}

/** Finds the first segment and field with bytes that are invalid in the character set. */
function findInvalidBytes(message: string, separator: string, decode: Decode): Refusal {
  const isUndecodable = (text: string): boolean =>
    decode(Buffer.from(text, 'latin1')) === undefined;
  const lines = splitLines(message);
  const line = lines.find(isUndecodable) ?? '';
  const segment = readName(line, separator);
  const before = lines.slice(0, lines.indexOf(line) + 1);
  const fieldIndex = line.split(separator).findIndex(isUndecodable);
  return {
    ack: 'AE',
    error: 'dataType',
    ...(segment !== undefined && {
      segment,
      sequence: before.filter((each) => readName(each, separator) === segment).length,
      field: fieldIndex + (segment === 'MSH' ? 1 : 0),
    }),
    message:
      'The bytes must be of the character set in MSH-18, or of --charset if it has none, without NUL.',
  };
}
