import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import { AuditLogError } from './errors.ts';
import { idsOf } from './packed-ids.ts';

export const saltLength = 16;
const mostBytes = 2 ** 20;

/** Records of the log itself begin so, and no caller may write one. */
const ownStart = '{"_log":';

export const NEW_LOG = 'newAuditLog';
export const OPEN_LOG = 'openAuditLog';
export const SEE_LOGS = 'seeAuditLogs';
export const CLOCK_STEP = 'clockStep';
export const ROTATE_KEY = 'rotateAuditKey';
export const USE_KEY = 'useAuditKey';

/** Members of a record's body that are copied to columns of the same names, to search by. */
export interface Members {
  /** The time of the record in microseconds since 1970, which the log writes. */
  readonly time: string;
  readonly texts: readonly string[];
  /** The IDs of those whom the record is about: `many` is the member, and the column of several IDs; `one` is the column of a single one. */
  readonly ids: { readonly one: string; readonly many: string };
}

/** The text of a record before and behind its time: the log writes the time when it commits the record. */
export type RecordText = readonly [before: string, after: string];

export interface StoredRecord {
  readonly seq: number;
  readonly salt: Buffer;
  readonly body: string;
}

/** The copies of a body's members: null for what it does not have. */
export interface Copies {
  readonly time: number | null;
  readonly texts: readonly (string | null)[];
  readonly one: Buffer | null;
  readonly many: Buffer | null;
}

export function copyMembers(body: string, { time, texts, ids }: Members): Copies {
  const record = parseMembers(body);
  const at = record[time];
  const about = idsOf(record[ids.many]);
  const [first] = about;
  const bytes =
    first === undefined
      ? null
      : about.length === 1
        ? idBytes(first)
        : Buffer.concat(about.map(idBytes));
  return {
    time: Number.isSafeInteger(at) ? (at as number) : null,
    texts: texts.map((name) => {
      const value = record[name];
      return typeof value === 'string' ? value : null;
    }),
    one: about.length === 1 ? bytes : null,
    many: about.length > 1 ? bytes : null,
  };
}

/** The 16 bytes of a UUID in lower case, or of the hash of another ID. */
export function idBytes(id: string): Buffer {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id)
    ? Buffer.from(id.replaceAll('-', ''), 'hex')
    : hash('sha256', id, 'buffer').subarray(0, 16);
}

export function parseMembers(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

export interface OwnRecord {
  readonly operation: string;
  readonly details: Readonly<Record<string, string | number>>;
  readonly actor_id?: string;
  readonly reason_code?: string;
}

/** The text of a record of the log itself, with its members in order (RFC 8785). */
export function ownText({ details, ...record }: OwnRecord, { time }: Members): RecordText {
  const text = JSON.stringify(
    inOrder({
      _log: 1,
      actor_type: 'system',
      data_category: 'audit',
      decision: 'allowed',
      details: inOrder(details),
      server_id: hostname(),
      [time]: 0,
      ...record,
    }),
  );
  const at = text.lastIndexOf(`"${time}":0`) + time.length + 3;
  return [text.slice(0, at), text.slice(at + 1)];
}

function inOrder(members: object): object {
  return Object.fromEntries(
    Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Undefined for a record of a caller. */
export function ownRecord(body: string): OwnRecord | undefined {
  if (!body.startsWith(ownStart)) {
    return undefined;
  }
  const { operation, details } = parseMembers(body);
  return { operation: String(operation), details: Object(details) as OwnRecord['details'] };
}

/** @throws AuditLogError unless a caller may record it */
export function requireText(text: RecordText): void {
  const [before, after] = text;
  // The time comes between them.
  const whole = `${before}0${after}`;
  if (before === '' || /[\n\0\p{Surrogate}]/u.test(whole)) {
    throw new AuditLogError(
      'A record is one line of text without NUL and lone surrogates, such as JSON',
    );
  }
  if (before.startsWith(ownStart)) {
    throw new AuditLogError(`Only the log itself writes records that begin with ${ownStart}`);
  }
  const bytes = 3 * whole.length > mostBytes ? Buffer.byteLength(whole) : 0;
  if (bytes > mostBytes) {
    throw new AuditLogError(`The record has ${bytes} bytes, of ${mostBytes} that it may have`);
  }
}
