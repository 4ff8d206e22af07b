import { AuditLogError } from '../errors.ts';
import type { AuditEntry } from './audit-entry.ts';
import { textAroundSeq } from './body.ts';
import { ACCEPT_BREAK, TORN_GROUP } from './log-operations.ts';

const texts = ['actorType', 'operation', 'decision'] as const;
const textsOrNull = [
  'teamId',
  'actorId',
  'role',
  'keyId',
  'sessionId',
  'dataCategory',
  'reasonCode',
  'purposeOfUse',
  'breakGlassId',
  'orderId',
  'requestId',
  'clientIp',
  'deviceId',
  'policyVersion',
] as const;
const numbersOrNull = ['httpStatus', 'recordCount'] as const;

/** Verification and starts rely on these, so no caller may write them. */
const itsOwn: readonly unknown[] = [ACCEPT_BREAK, TORN_GROUP];

/** A page of 500 patients has 12,000 bytes. */
export const mostBytesOfRecord: number = 2 ** 20;
/** `\u0000` */
const mostBytesOfCharacter = 6;
/** Member names, numbers and what the log adds. */
const besideTexts = 2048;
const besidePatient = 3;

/**
 * Requires an entry that can be written and verified.
 *
 * @throws AuditLogError naming the first wrong field, or the size
 */
export function requireEntry(value: unknown): AuditEntry {
  const entry = objectOf(value) ?? wrong('is not an object');
  let characters = 0;
  for (const name of texts) {
    const value = entry[name];
    if (typeof value !== 'string' || value === '') {
      wrong(`needs a text as ${name}`);
    }
    characters += value.length;
  }
  for (const name of textsOrNull) {
    const value = entry[name] ?? '';
    if (typeof value !== 'string') {
      wrong(`has no text as ${name}`);
    }
    characters += value.length;
  }
  for (const name of numbersOrNull) {
    if (typeof (entry[name] ?? 0) !== 'number') {
      wrong(`has no number as ${name}`);
    }
  }
  const { patients, details = {} } = entry;
  if (!Array.isArray(patients)) {
    wrong('needs a list of patients');
  }
  for (const patient of patients as unknown[]) {
    if (typeof patient !== 'string') {
      wrong('has a patient that is no text');
    }
    characters += patient.length + besidePatient;
  }
  const members = objectOf(details) ?? wrong('has details that are no object');
  for (const name of Object.keys(members)) {
    const value = members[name];
    if (typeof value !== 'string' && typeof value !== 'number') {
      wrong(`has a detail that is neither text nor number: ${JSON.stringify(name).slice(0, 60)}`);
    }
    characters += name.length + String(value).length + besidePatient;
  }
  if (itsOwn.includes(entry['operation'])) {
    wrong(`may not be of the log's own operation ${String(entry['operation'])}`);
  }
  const checked = entry as unknown as AuditEntry;
  if (mostBytesOfCharacter * characters + besideTexts > mostBytesOfRecord) {
    requireSize(checked);
  }
  return checked;
}

function requireSize(entry: AuditEntry): void {
  const { head, tail } = textAroundSeq(entry, { logId: '', recordedAtUs: 0, serverId: '' });
  const bytes = Buffer.byteLength(head) + Buffer.byteLength(tail) + besideTexts;
  if (bytes > mostBytesOfRecord) {
    wrong(`has ${bytes} bytes, of ${mostBytesOfRecord} that a record may have`);
  }
}

function objectOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function wrong(what: string): never {
  throw new AuditLogError(`The audit entry ${what}`);
}
