import { REVIEW_MS, type Grant } from '../repositories/grant.repository.ts';
import { toIso } from '../repositories/repository.ts';
import type { BreakGlassGrant } from '@caregate/domain';

/** @param reviewer the name for `reviewed_by`, if that is an ID */
export function toGrantJson(grant: Grant, reviewer?: string): BreakGlassGrant {
  const { grant_id, team_id, key_id, label, staff_id, staff_name, reviewed_ms: reviewed } = grant;
  const { role, user_id, reason_code, text, overdue, reviewed_by, outcome, note } = grant;
  return {
    ...{ break_glass_id: grant_id, team_id, key_id, key_label: label },
    ...(staff_id !== null && { staff_id, staff_name }),
    ...{ role, user_id, reason_code, text },
    granted_at: toIso(grant.granted_ms),
    expires_at: toIso(grant.expires_ms),
    review_due_at: toIso(grant.granted_ms + REVIEW_MS),
    overdue,
    reviewed_at: reviewed === null ? null : toIso(reviewed),
    reviewed_by,
    ...(reviewer !== undefined && { reviewed_by_name: reviewer }),
    ...{ outcome, note },
  };
}
