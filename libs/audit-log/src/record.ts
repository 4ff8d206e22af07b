import { hash } from 'node:crypto';
import { hostname } from 'node:os';
import { AuditLogError } from './errors.ts';

export const saltLength = 16;
const maxBytes = 2 ** 20;

/** Prefix of the records that the log writes about itself. Callers can't write such records. */
const ownStart = '{"_log":1,';

export const NEW_LOG = 'newAuditLog';
export const OPEN_LOG = 'openAuditLog';
export const SEE_LOGS = 'seeAuditLogs';
export const CLOCK_STEP = 'clockStep';
export const ROTATE_KEY = 'rotateAuditKey';
export const USE_KEY = 'useAuditKey';

/** Members of a record's body that are copied to columns of the same names, for searching. */
export interface Members {
  /** Name of the record's time in microseconds since 1970, which the log sets. */
  readonly time: string;
  readonly texts: readonly string[];
  /**
   * IDs of the patients that the record is about. `many` is the name of the body's member, and of the column with
   * several IDs; `one` is the column with a single ID.
   */
  readonly ids: { readonly one: string; readonly many: string };
}

/** Text of a record before and after its time. The log inserts the time when it commits the record. */
export type RecordText = readonly [before: string, after: string];

export interface StoredRecord {
  readonly seq: number;
  readonly salt: Buffer;
  readonly body: string;
}

/** The values that are copied from a body to columns; null if the body doesn't have them. */
export interface Copies {
  readonly time: number | null;
  readonly texts: readonly (string | null)[];
  readonly one: Uint8Array | null;
  readonly many: Uint8Array | null;
}

export function copyMembers(body: string, { time, texts, ids }: Members): Copies {
  const record = parseMembers(body);
  const at = record[time];
  const bytes = packIds(record[ids.many]);
  return {
    time: Number.isSafeInteger(at) ? (at as number) : null,
    texts: texts.map((name) => {
      const value = record[name];
      return typeof value === 'string' ? value : null;
    }),
    one: bytes.length === idLength ? bytes : null,
    many: bytes.length > idLength ? bytes : null,
  };
}

/** Returns 0 if the body has no time. */
export function readTime({ body }: StoredRecord, { time }: Members): number {
  const at = parseMembers(body)[time];
  return Number.isSafeInteger(at) ? (at as number) : 0;
}

function parseMembers(body: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(body)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

const idLength = 16;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;

/** Returns the 16 bytes of a lower-case UUID, or of the hash of any other ID. */
export function toIdBytes(id: string): Buffer {
  return uuid.test(id)
    ? Buffer.from(id.replaceAll('-', ''), 'hex')
    : hash('sha256', id, 'buffer').subarray(0, idLength);
}

/**
 * Sorts lower-case UUIDs, removes duplicates, and packs them as 22 base64url characters each. Returns undefined for
 * fewer than two IDs, or if one is not a UUID.
 */
export function packSortedUuids(ids: readonly string[]): string | undefined {
  const sorted = [...new Set(ids)].sort();
  return sorted.length < 2 || !sorted.every((id) => uuid.test(id))
    ? undefined
    : Buffer.from(sorted.join('').replaceAll('-', ''), 'hex').toString('base64url');
}

/** Returns the IDs of a list, packed or not. Returns none for any other value. */
export function readIds(list: unknown): readonly string[] {
  if (typeof list !== 'string') {
    return Array.isArray(list) ? (list as unknown[]).filter((id) => typeof id === 'string') : [];
  }
  const hex = packIds(list).toString('hex');
  return Array.from({ length: hex.length / 32 }, (_, at) =>
    hex.slice(32 * at, 32 * (at + 1)).replace(/^(.{8})(.{4})(.{4})(.{4})/u, '$1-$2-$3-$4-'),
  );
}

function packIds(list: unknown): Buffer {
  if (typeof list !== 'string') {
    const all = readIds(list).map(toIdBytes);
    return all.length === 1 ? (all[0] as Buffer) : Buffer.concat(all);
  }
  const bytes = Buffer.from(list, 'base64url');
  const isPacked = bytes.length % idLength === 0 && bytes.toString('base64url') === list;
  return isPacked ? bytes : Buffer.alloc(0);
}

export interface OwnRecord {
  readonly operation: string;
  readonly details: Readonly<Record<string, string | number>>;
  readonly actor_id?: string;
  readonly reason_code?: string;
}

/** Formats a record of the log about itself, with its members in order (RFC 8785). */
export function formatOwnRecord({ details, ...record }: OwnRecord, { time }: Members): RecordText {
  const text = JSON.stringify(
    sortMembers({
      _log: 1,
      actor_type: 'system',
      data_category: 'audit',
      decision: 'allowed',
      details: sortMembers(details),
      server_id: hostname(),
      [time]: 0,
      ...record,
    }),
  );
  const at = text.lastIndexOf(`"${time}":0`) + time.length + 3;
  return [text.slice(0, at), text.slice(at + 1)];
}

function sortMembers(members: object): object {
  return Object.fromEntries(
    Object.entries(members).sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** Returns undefined for a caller's record. */
export function parseOwnRecord(body: string): OwnRecord | undefined {
  if (!body.startsWith(ownStart)) {
    return undefined;
  }
  const { operation, details } = parseMembers(body);
  return { operation: String(operation), details: Object(details) as OwnRecord['details'] };
}

export function requireText(text: RecordText): void {
  const [before] = text;
  const isLine = !text.some((part) => /[\n\0\p{Surrogate}]/u.test(part));
  if (before === '' || !isLine) {
    throw new AuditLogError(
      'A record must be one line of text without NUL and lone surrogates, such as JSON',
    );
  }
  if (before.startsWith(ownStart)) {
    throw new AuditLogError(`Only the log itself writes records that begin with ${ownStart}`);
  }
  const isLong = 3 * (before.length + text[1].length) > maxBytes;
  const bytes = isLong ? 1 + Buffer.byteLength(before) + Buffer.byteLength(text[1]) : 0;
  if (bytes > maxBytes) {
    throw new AuditLogError(`The record has ${bytes} bytes, but at most ${maxBytes} are allowed`);
  }
}
