import { instantOfQueryDate, isDateTime, isCalendarDate, isUuid } from '@caregate/domain';
import type { FastifyRequest } from 'fastify';
import { invalidParameters } from '../../problem/problem-error.ts';
import {
  dateText,
  queryOf,
  text,
  Unread,
  wholeNumber,
  type Reader,
} from '../../http/parameters.ts';
import type { AuditDecision } from '../audit-entry.ts';
import { isRecordId } from '../record-ids.ts';

const DECISIONS: readonly AuditDecision[] = ['allowed', 'denied', 'not_found', 'invalid', 'failed'];

export interface EventsParameters {
  readonly log?: string;
  /** Id of a record. */
  readonly record?: string;
  readonly patient?: string;
  readonly actor?: string;
  readonly operations?: readonly string[];
  readonly decision?: AuditDecision;
  readonly fromUs?: number;
  readonly toUs?: number;
  readonly cursor?: string;
}

const matching =
  (holds: (given: string) => boolean, reason: string): Reader =>
  (given) =>
    holds(given) ? given : new Unread(reason);

const instant: Reader = (given) => {
  const date = dateText(given);
  return typeof date === 'string' && !isDateTime(date) && !isCalendarDate(date)
    ? new Unread('must be a date or date-time')
    : date;
};

const logId = matching((given) => /^[0-9a-f]{12}$/u.test(given), 'must be the id of a log');

const recordId = matching(isRecordId, 'must be the id of a record');

const eventsReaders = {
  log: logId,
  record: recordId,
  patient: matching(isUuid, 'must be a UUID'),
  actor: matching((given) => /^[A-Za-z0-9]{12}$/u.test(given), 'must be the id of a key'),
  operation: matching(
    (given) => /^[A-Za-z]{1,40}$/u.test(given),
    'must be the name of an operation',
  ),
  decision: matching(
    (given) => (DECISIONS as readonly string[]).includes(given),
    `must be one of ${DECISIONS.join(', ')}`,
  ),
  from: instant,
  to: instant,
  cursor: text,
};

/** The texts as they were read. Every reader has checked its own: nothing is left to check. */
function textsOf(
  request: FastifyRequest,
  readers: Readonly<Record<string, Reader>>,
): Readonly<Partial<Record<string, string>>> {
  return queryOf(request, readers, (value) => ({
    ok: true,
    value: value as Readonly<Partial<Record<string, string>>>,
  }));
}

/** @throws ProblemError 422 */
export function eventsQueryOf(request: FastifyRequest): EventsParameters {
  const { log, record, patient, actor, operation, decision, from, to, cursor } = textsOf(
    request,
    eventsReaders,
  );
  const fromUs = from === undefined ? undefined : instantOfQueryDate(from, 'start');
  const toUs = to === undefined ? undefined : instantOfQueryDate(to, 'end');
  if (fromUs !== undefined && toUs !== undefined && toUs < fromUs) {
    throw invalidParameters({ parameter: 'to', reason: 'is before from' });
  }
  return {
    ...(log === undefined ? {} : { log }),
    ...(record === undefined ? {} : { record }),
    ...(patient === undefined ? {} : { patient: patient.toLowerCase() }),
    ...(actor === undefined ? {} : { actor }),
    ...(operation === undefined ? {} : { operations: [operation] }),
    ...(decision === undefined ? {} : { decision: decision as AuditDecision }),
    ...(fromUs === undefined ? {} : { fromUs }),
    ...(toUs === undefined ? {} : { toUs }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** @throws ProblemError 422 */
export function alarmsQueryOf(request: FastifyRequest): { readonly cursor?: string } {
  const { cursor } = textsOf(request, { cursor: text });
  return cursor === undefined ? {} : { cursor };
}

/** The log that is asked for, if any is named. @throws ProblemError 422 */
export function logQueryOf(request: FastifyRequest): string | undefined {
  return textsOf(request, { log: logId })['log'];
}

/** A record by its id, or by its position in a log; or a size of a log. */
export type ProofParameters =
  | { readonly kind: 'record'; readonly record: string; readonly size: number | undefined }
  | LogProofParameters;

export type LogProofParameters = { readonly log: string | undefined } & (
  | { readonly kind: 'inclusion'; readonly seq: number; readonly size: number | undefined }
  | { readonly kind: 'consistency'; readonly from: number; readonly to: number | undefined }
);

const position: Reader = (given) => {
  const value = wholeNumber(given);
  return typeof value === 'number' && value < 0 ? new Unread('must not be negative') : value;
};

/** `record` or `seq` and perhaps `size`, or `from` and perhaps `to`. @throws ProblemError 422 */
export function proofQueryOf(request: FastifyRequest): ProofParameters {
  const readers = {
    log: logId,
    record: recordId,
    seq: position,
    size: position,
    from: position,
    to: position,
  };
  const { log, record, seq, size, from, to } = queryOf(request, readers, (value) => ({
    ok: true,
    value: value as { readonly log?: string; readonly record?: string } & Readonly<
      Partial<Record<Exclude<keyof typeof readers, 'log' | 'record'>, number>>
    >,
  }));
  if (record !== undefined) {
    if ([log, seq, from, to].every((other) => other === undefined)) {
      return { kind: 'record', record, size };
    }
  } else if (seq !== undefined && from === undefined && to === undefined) {
    return { kind: 'inclusion', log, seq, size };
  } else if (from !== undefined && seq === undefined && size === undefined) {
    return { kind: 'consistency', log, from, to };
  }
  throw invalidParameters({
    parameter: 'seq',
    reason: 'send record or seq, with size if you like, or from, with to if you like',
  });
}
