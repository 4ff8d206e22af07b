import {
  APPROVER_OPERATIONS,
  APPROVE_CUT,
  CUT,
  HOLD_OPERATIONS,
  PROPOSE_CUT,
  UPGRADE_LOG,
} from '../entry/log-operations.ts';
import { parseBody, type RecordBody } from '../entry/record-body.ts';

/** A record that decides what may be erased. */
export interface CutRecord {
  readonly seq: number;
  /** Milliseconds since 1970, by the clock of the server that wrote it. */
  readonly atMs: number;
  readonly operation: string;
  readonly details: Readonly<Record<string, string | number>>;
}

const operations: ReadonlySet<string> = new Set([
  PROPOSE_CUT,
  APPROVE_CUT,
  CUT,
  UPGRADE_LOG,
  ...Object.values(HOLD_OPERATIONS),
  ...Object.values(APPROVER_OPERATIONS),
]);

// With the comma before: there are fewer to look at than quotes.
const operationField = ',"operation":"';
const logIdField = ',"log_id":"';

const detailsField = ',"details":{';

/**
 * Where the name of the log stands in the text of a record; -1 if nowhere. A quote in a text is escaped, so that only a member
 * has this form. `details` may have one of this name, stands before it, and nothing behind it has members.
 */
export function logIdAt(body: string): number {
  const details = body.indexOf(detailsField);
  const at =
    details >= 0 && body.startsWith('}', details + detailsField.length)
      ? body.indexOf(logIdField, details)
      : body.lastIndexOf(logIdField);
  return at < 0 ? -1 : at + 1;
}

/** Where the operation stands in the text of a record: behind the name of its log, since members are sorted. */
export function operationAt(body: string, at: number = logIdAt(body)): number {
  const comma = body.indexOf(operationField, at);
  return comma < 0 ? -1 : comma + 1;
}

/**
 * A record that decides what may be erased; undefined for every other one, which costs one look at its text.
 *
 * @param body the UTF-8 bytes of the record, one character per byte (latin1)
 * @param at from `operationAt`
 */
export function cutRecordOf(
  seq: number,
  body: string,
  at: number = operationAt(body),
): CutRecord | undefined {
  const start = at + operationField.length - 1;
  if (at < 0 || !operations.has(body.slice(start, body.indexOf('"', start)))) {
    return undefined;
  }
  const record = parsed(Buffer.from(body, 'latin1').toString());
  return record?.decision === 'allowed' && operations.has(record.operation)
    ? {
        seq,
        atMs: record.recorded_at_us / 1000,
        operation: record.operation,
        details: record.details,
      }
    : undefined;
}

/** Undefined for what no log writes: that it was altered is for its hash to tell. */
function parsed(body: string): RecordBody | undefined {
  try {
    return parseBody(body);
  } catch {
    return undefined;
  }
}

const dateField = ',"recorded_at_us":';
const dateDigits = 16;
const zero = 48;

/** The date of a record, in milliseconds since 1970, without parsing the rest of it. */
export function dateOf(body: string, at: number = operationAt(body)): number {
  const start = body.indexOf(dateField, at) + dateField.length;
  let us = 0;
  for (let place = start; place < start + dateDigits; place += 1) {
    const digit = body.charCodeAt(place) - zero;
    if (!(digit >= 0 && digit <= 9)) {
      return place === start ? Number.NaN : us / 1000;
    }
    us = 10 * us + digit;
  }
  return us / 1000;
}
