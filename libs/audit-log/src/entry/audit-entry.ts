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

export interface AuditReceipt {
  readonly logId: string;
  readonly seq: number;
}

export interface AuditRecorder {
  /**
   * Resolves once the record is durable on disk.
   *
   * @throws AuditLogError naming what is wrong with the entry: a field, or more than 1 MiB; nothing is recorded
   * @throws AuditUnavailableError if the queue is full, the log is latched or closed, or the commit failed: the response MUST
   *   be a 503. The record of a failed commit may still appear in the log.
   */
  record(entry: AuditEntry): Promise<AuditReceipt>;
  close(): Promise<void>;
}
