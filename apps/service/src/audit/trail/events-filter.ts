import type { AuditDecision } from '@caregate/domain';
import type { AuditReceipt } from '@caregate/audit-log';

/** Filter of events; all conditions must match. */
export interface EventsFilter {
  readonly teamId: string;
  /** Of this log alone. */
  readonly log?: string | undefined;
  /** These alone. */
  readonly records?: readonly AuditReceipt[] | undefined;
  readonly patient?: string | undefined;
  readonly actor?: string | undefined;
  readonly operations?: readonly string[] | undefined;
  readonly decision?: AuditDecision | undefined;
  /** Microseconds since 1970, inclusive both. */
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
}
