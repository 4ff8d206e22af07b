import type { AuditActor } from '@caregate/domain';

export interface AuditRow {
  readonly recordId: string;
  readonly occurredAt: string;
  readonly actor: AuditActor;
  readonly desk?: string | undefined;
  readonly operation: string;
  readonly decision: string;
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
