import type { AuditReceipt } from '@caregate/audit-log';
import type { Actor } from '../../auth/principal.ts';

export type AuditDecision = 'allowed' | 'denied' | 'not_found' | 'invalid' | 'failed';
export type AuditActorType = 'key' | 'staff' | 'person' | 'system' | 'anonymous';

/** An audit event: who did, read or was denied what. Never contains response data or a `client_user_id`. */
export interface AuditEntry {
  readonly teamId: string | null;
  readonly actorType: AuditActorType;
  readonly actorId: string | null;
  readonly role: string | null;
  readonly keyId: string | null;
  readonly sessionId: string | null;
  readonly operation: string;
  readonly dataCategory: string | null;
  readonly decision: AuditDecision;
  readonly reasonCode: string | null;
  readonly httpStatus: number | null;
  readonly purposeOfUse: string | null;
  readonly breakGlassId: string | null;
  readonly orderId: string | null;
  readonly recordCount: number | null;
  readonly requestId: string | null;
  readonly clientIp: string | null;
  readonly deviceId: string | null;
  readonly policyVersion: string | null;
  /** User ids of all patients whose data was returned; sorted and deduplicated when written. */
  readonly patients: readonly string[];
  /** Query parameters from an allow-list; no free text. */
  readonly details?: Readonly<Record<string, string | number>>;
}

export interface AuditRecorder {
  /**
   * Resolves once the record is durable. @throws AuditLogError for more than 1 MiB; AuditUnavailableError if the log cannot
   * take it: the response MUST be a 503. The record of a failed commit may still appear in the log.
   */
  record(entry: AuditEntry): Promise<AuditReceipt>;
  close(): Promise<void>;
}

export function systemRecord(
  fields: Pick<AuditEntry, 'operation'> & Partial<AuditEntry>,
): AuditEntry {
  return {
    teamId: null,
    actorType: 'system',
    actorId: null,
    role: null,
    keyId: null,
    sessionId: null,
    dataCategory: null,
    decision: 'allowed',
    reasonCode: null,
    httpStatus: null,
    purposeOfUse: null,
    breakGlassId: null,
    orderId: null,
    recordCount: null,
    requestId: null,
    clientIp: null,
    deviceId: null,
    policyVersion: null,
    patients: [],
    ...fields,
  };
}

export function actorFields(
  actor: Actor | { readonly deskId: string },
): Pick<AuditEntry, 'actorType' | 'actorId' | 'keyId' | 'role' | 'sessionId' | 'deviceId'> {
  if ('keyId' in actor) {
    const { keyId, role } = actor;
    return { actorType: 'key', actorId: keyId, keyId, role, sessionId: null, deviceId: null };
  }
  if ('staffId' in actor) {
    const { staffId: actorId, role, sessionId, deskId: deviceId } = actor;
    return { actorType: 'staff', actorId, keyId: null, role, sessionId, deviceId };
  }
  const nobody = { actorId: null, keyId: null, role: null, sessionId: null };
  return { actorType: 'anonymous', ...nobody, deviceId: actor.deskId };
}
