import type { BreakGlassGrant } from '@caregate/domain';
import type { Grant } from '../grant.ts';

/** A grant as the API and `--json` show it. */
export function grantJson(grant: Grant): BreakGlassGrant {
  return {
    break_glass_id: grant.grantId,
    team_id: grant.teamId,
    key_id: grant.keyId,
    key_label: grant.keyLabel,
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
    outcome: grant.outcome ?? null,
    note: grant.note ?? null,
  };
}
