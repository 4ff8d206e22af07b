import type { AuditEntry } from '../entry/audit-entry.ts';
import { ACCEPT_BREAK, TORN_GROUP } from '../entry/log-operations.ts';
import { AuditLogError } from '../errors.ts';

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

/** What the log writes by itself, and what verification believes where it stands: nobody else has it written. */
const itsOwn: readonly string[] = [ACCEPT_BREAK, TORN_GROUP];

/** An entry as another process sent it. @throws AuditLogError if it is none, or one that only the log itself writes */
export function checkedEntry(sent: unknown): AuditEntry {
  const entry = (typeof sent === 'object' && sent !== null ? sent : {}) as Record<string, unknown>;
  const { patients, details = {} } = entry;
  const isEntry =
    texts.every((name) => typeof entry[name] === 'string') &&
    textsOrNull.every((name) => entry[name] === null || typeof entry[name] === 'string') &&
    numbersOrNull.every((name) => entry[name] === null || Number.isFinite(entry[name])) &&
    Array.isArray(patients) &&
    patients.every((one) => typeof one === 'string') &&
    typeof details === 'object' &&
    details !== null &&
    Object.values(details).every((one) => typeof one === 'string' || Number.isFinite(one));
  if (!isEntry || itsOwn.includes(entry['operation'] as string)) {
    throw new AuditLogError('The act is not one that a command may record');
  }
  return entry as unknown as AuditEntry;
}
