import type { BreakGlassGrant } from '@caregate/domain';
import type { Grant } from '../grant.ts';

/** @param names of reviewers by id */
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
