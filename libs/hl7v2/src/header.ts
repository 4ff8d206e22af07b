import { toInstant } from '@caregate/domain';
import { type Decode, findDecoder } from './charset.ts';
import { requireTime } from './hl7-time.ts';
import { type Refusal, RefusedMessage } from './refusal.ts';
import type { Header, SentAt } from './report.ts';
import type { Segment } from './segment.ts';
import { parseSeparators } from './separators.ts';

/** The versions that can be read. From 2.6 on, ORU^R01 has further segments, which are ignored. */
export const VERSIONS: ReadonlySet<string> = new Set(
  '2.3 2.3.1 2.4 2.5 2.5.1 2.6 2.7 2.7.1 2.8 2.8.1 2.8.2'.split(' '),
);

const LONGEST_MSH = 4096;
const LONGEST_CONTROL_ID = 199;
const LAST_FIELD = 18;
const DAY_MS = 86_400_000;

/** The MSH segment before decoding: each character is one byte. */
export interface RawHeader {
  readonly header: Header;
  readonly fields: readonly string[];
}

/**
 * @param message the message with one character for each byte
 * @returns `undefined` if the message doesn't begin with a readable MSH
 */
export function readRawHeader(message: string): RawHeader | undefined {
  const start = message.slice(0, LONGEST_MSH);
  const [line = ''] = start.split(/[\r\n]/u, 1);
  const field = line[3] ?? '';
  if (
    !line.startsWith('MSH') ||
    field === '' ||
    line.length === LONGEST_MSH ||
    /[\x00-\x1f]/u.test(line)
  ) {
    return undefined;
  }
  const [, encoding = '', ...values] = line.split(field, LAST_FIELD);
  const separators = parseSeparators(field, encoding);
  if (separators === undefined) {
    return undefined;
  }
  const fields = ['MSH', field, encoding, ...values];
  const getField = (number: number): string => fields[number] ?? '';
  const header = {
    separators,
    ...{ sendingApplication: getField(3), sendingFacility: getField(4) },
    ...{ receivingApplication: getField(5), receivingFacility: getField(6) },
    ...{
      controlId: getField(10),
      processingId: getField(11),
      version: getField(12),
      charset: getField(18),
    },
    enhanced: getField(15) !== '' && getField(15) !== '""',
  };
  return { header, fields };
}

/**
 * @param charset the character set of messages that declare none
 * @throws RefusedMessage with `AR` if the message is not an ORU^R01, or if its version or character set is not
 * supported
 */
export function checkHeader({ header, fields }: RawHeader, charset: string): Decode {
  const getComponent = (number: number, part = 0): string =>
    (fields[number] ?? '').split(header.separators.component)[part]?.trim() ?? '';
  const [declared = ''] = header.charset.split(header.separators.repetition);
  const decode = findDecoder(declared, charset);
  if (decode === undefined) {
    reject(
      'tableValue',
      18,
      'The character set must be ASCII, UNICODE UTF-8, WINDOWS-1252, or one from 8859/1 to 8859/16.',
    );
  }
  if (!VERSIONS.has(getComponent(12))) {
    reject('version', 12, 'The version must be one from 2.3 to 2.8.2.');
  }
  if (getComponent(9) !== 'ORU') {
    reject('messageType', 9, 'The message type must be ORU^R01.');
  }
  if (getComponent(9, 1) !== 'R01' || !['', 'ORU_R01'].includes(getComponent(9, 2))) {
    reject('event', 9, 'The message type must be ORU^R01.');
  }
  if (['D', 'T'].includes(getComponent(11))) {
    reject('processingId', 11, 'Messages for debugging or training are not taken.');
  }
  return decode;
}

function reject(error: Refusal['error'], field: number, message: string): never {
  throw new RefusedMessage({ ack: 'AR', error, segment: 'MSH', sequence: 1, field, message });
}

export interface SentInfo {
  readonly controlId: string;
  readonly sent: SentAt;
  /** UTC offset, `+HH:MM`. */
  readonly offset: string | undefined;
}

export function readSentInfo(msh: Segment): SentInfo {
  const controlId = msh.getText(10);
  if (controlId === undefined || controlId.length > LONGEST_CONTROL_ID) {
    msh.refuse(
      'requiredField',
      10,
      `The control id must have 1 to ${LONGEST_CONTROL_ID} characters.`,
    );
  }
  const { dateTime, offset } = requireTime(msh, 7) ?? {};
  const us = dateTime === undefined ? NaN : toInstant(`${dateTime}${offset ?? 'Z'}`);
  if (!Number.isSafeInteger(us)) {
    msh.refuse('requiredField', 7, 'The time of the message must have at least hours and minutes.');
  }
  // A message time in the future would make all later messages look stale.
  if (us > (Date.now() + DAY_MS) * 1000) {
    msh.refuse('dataType', 7, 'The time of the message must not be in the future.');
  }
  const localUs = toInstant(`${dateTime}Z`);
  return { controlId, sent: { us, localUs, hasOffset: offset !== undefined }, offset };
}

const HOUR_US = 3_600_000_000;

/**
 * Returns true only if the first message is certainly earlier. A message that might be newer must not be dropped as
 * stale.
 */
export function isEarlier(one: SentAt, other: SentAt): boolean {
  if (one.hasOffset && other.hasOffset) {
    return one.us < other.us;
  }
  const differenceUs = other.localUs - one.localUs;
  // When daylight saving time ends, one hour occurs twice, somewhere between 23 and 4 o'clock.
  const isNight = [23, 0, 1, 2, 3].includes(new Date(other.localUs / 1000).getUTCHours());
  return isNight ? differenceUs >= HOUR_US : differenceUs > 0;
}
