interface Actor {
  readonly type: string;
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly role?: string | undefined;
}

export interface AuditRow {
  readonly recordId: string;
  readonly occurredAt: string;
  readonly actor: Actor;
  readonly desk?: string | undefined;
  readonly operation: string;
  readonly decision: string;
  readonly reasonCode?: string | undefined;
  readonly emergency: boolean;
  readonly breakGlassId?: string | undefined;
  readonly patients: readonly string[];
  readonly details: readonly { readonly name: string; readonly value: string }[];
}

export interface AuditPage {
  readonly userId?: string | undefined;
  readonly rows: readonly AuditRow[];
  readonly nextCursor?: string | undefined;
}

export interface Grant {
  readonly breakGlassId: string;
  readonly by: string;
  readonly role: string;
  readonly userId: string;
  readonly reasonCode: string;
  readonly text: string;
  readonly grantedAt: string;
  readonly expiresAt: string;
  readonly reviewDueAt: string;
  readonly overdue: boolean;
  readonly reviewedAt?: string | undefined;
  readonly reviewedBy?: string | undefined;
  readonly outcome?: string | undefined;
  readonly note?: string | undefined;
}

export interface Grants {
  readonly grants: readonly Grant[];
  readonly nextCursor?: string | undefined;
}

export interface LogState {
  readonly logId: string;
  readonly size: number;
  /** Base64. */
  readonly rootHash: string;
  readonly checkpoint: string;
  readonly checkedAt: string;
  /** Whether the log only grew since its checkpoint of `from` records. */
  readonly consistent: boolean;
  readonly from: number;
  readonly acceptsRecords: boolean;
  /** Absent before the service verified the whole log. */
  readonly whole?: { readonly at: string; readonly intact: boolean } | undefined;
}

export interface Disclosure {
  readonly occurredAt: string;
  readonly actor: Actor;
  readonly desk?: string | undefined;
  readonly operation: string;
  readonly how: string;
  readonly document?: string | undefined;
  readonly why: string;
  readonly recordId: string;
  readonly outcome: string;
}

export interface Disclosures {
  readonly userId: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly disclosures: readonly Disclosure[];
  readonly nextCursor?: string | undefined;
}

/** An audit number: of a record (`x-audit-record-id`) or of a print. */
export const recordNumber = /^[\da-f]{32}$/iu;
