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

const operationField = '"operation":"';
const logIdField = '"log_id":"';

/**
 * Where the operation stands in the text of a record. The canonical form sorts members, so that nothing in `details` can be
 * mistaken for it.
 */
export function operationAt(body: string): number {
  return body.indexOf(operationField, body.indexOf(logIdField));
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
  const start = at + operationField.length;
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

const dateField = '"recorded_at_us":';

/** The date of a record, in milliseconds since 1970, without parsing the rest of it. */
export function dateOf(body: string, at: number = operationAt(body)): number {
  const start = body.indexOf(dateField, at) + dateField.length;
  return Number.parseInt(body.slice(start, start + 16), 10) / 1000;
}
