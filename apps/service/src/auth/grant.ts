import { REVIEW_HOURS, type BreakGlassGrant } from '@caregate/domain';
import type { Selectable } from 'kysely';
import type { Role } from '../operations/roles.ts';
import type { AccessSchema } from './access-schema.ts';

const REVIEW_WITHIN_MS = REVIEW_HOURS * 3_600_000;

export interface Grant {
  readonly grantId: string;
  readonly teamId: string;
  readonly keyId: string | undefined;
  readonly keyLabel: string | undefined;
  readonly staffId: string | undefined;
  readonly staffName: string | undefined;
  readonly role: Role;
  readonly userId: string;
  readonly reasonCode: string;
  readonly text: string;
  readonly granted: Date;
  readonly expires: Date;
  readonly reviewDue: Date;
  readonly overdue: boolean;
  readonly reviewed: Date | undefined;
  readonly reviewedBy: string | undefined;
  readonly outcome: string | undefined;
  readonly note: string | undefined;
  readonly textSalt: Uint8Array;
  readonly reviewSalt: Uint8Array | undefined;
}

export type GrantRow = Selectable<AccessSchema['break_glass']> & {
  readonly label: string | null;
  readonly staff_name: string | null;
  readonly role: string;
};

export function grantOf(row: GrantRow, now: number): Grant {
  const reviewDueMs = row.granted_ms + REVIEW_WITHIN_MS;
  return {
    grantId: row.grant_id,
    teamId: row.team_id,
    keyId: row.key_id ?? undefined,
    keyLabel: row.label ?? undefined,
    staffId: row.staff_id ?? undefined,
    staffName: row.staff_name ?? undefined,
    role: row.role as Role,
    userId: row.user_id,
    reasonCode: row.reason_code,
    text: row.text,
    granted: new Date(row.granted_ms),
    expires: new Date(row.expires_ms),
    reviewDue: new Date(reviewDueMs),
    overdue: row.reviewed_ms === null && now > reviewDueMs,
    reviewed: row.reviewed_ms === null ? undefined : new Date(row.reviewed_ms),
    reviewedBy: row.reviewed_by ?? undefined,
    outcome: row.outcome ?? undefined,
    note: row.note ?? undefined,
    textSalt: row.text_salt,
    reviewSalt: row.review_salt ?? undefined,
  };
}

export function grantJson(
  grant: Grant,
  names: ReadonlyMap<string, string> = new Map(),
): BreakGlassGrant {
  return {
    break_glass_id: grant.grantId,
    team_id: grant.teamId,
    key_id: grant.keyId ?? null,
    key_label: grant.keyLabel ?? null,
    ...(grant.staffId !== undefined && {
      staff_id: grant.staffId,
      staff_name: grant.staffName ?? null,
    }),
    role: grant.role,
    user_id: grant.userId,
    reason_code: grant.reasonCode,
    text: grant.text,
    granted_at: grant.granted.toISOString(),
    expires_at: grant.expires.toISOString(),
    review_due_at: grant.reviewDue.toISOString(),
    overdue: grant.overdue,
    reviewed_at: grant.reviewed?.toISOString() ?? null,
    reviewed_by: grant.reviewedBy ?? null,
    ...(names.has(grant.reviewedBy ?? '') && {
      reviewed_by_name: names.get(grant.reviewedBy ?? '') ?? null,
    }),
    outcome: grant.outcome ?? null,
    note: grant.note ?? null,
  };
}
