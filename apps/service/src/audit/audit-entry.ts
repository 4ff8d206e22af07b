import type { AuditDecision } from '@caregate/domain';
export type AuditActorType = 'key' | 'person' | 'system' | 'anonymous';

/** One thing that happened: who did, saw or was refused what. Never a value of a response, never a `client_user_id`. */
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
  /** User ids of every patient seen; sorted and made unique when written. */
  readonly patients: readonly string[];
  /** Query parameters from an allow-list; no free text. */
  readonly details?: Readonly<Record<string, string | number>>;
}

/** Where a record rests: leaf `seq` (from 0) of the tree of log `logId`. */
export interface AuditReceipt {
  readonly logId: string;
  readonly seq: number;
}

export interface AuditRecorder {
  /**
   * Resolves once the record is durable on disk.
   *
   * @throws AuditUnavailableError where the queue is full, the log is latched or closed, or the commit failed: nothing
   * may be answered but 503. The record of a failed commit may still turn up in the log.
   */
  record(entry: AuditEntry): Promise<AuditReceipt>;
  /** Writes what is queued, signs a last checkpoint and lets go of the file. */
  close(): Promise<void>;
}

/** Nothing can be recorded right now, so nothing may be shown: answer 503 with this `Retry-After`. */
export class AuditUnavailableError extends Error {
  override readonly name = 'AuditUnavailableError';
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number, options?: ErrorOptions) {
    super(message, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
