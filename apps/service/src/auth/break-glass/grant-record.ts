import type { AuditAct } from '../../audit/audit-entries.ts';
import { hashWithSalt } from '../access-acts.ts';
import type { Actor } from '../caller.ts';
import type { GrantRow } from '../repositories/grant.repository.ts';
import { toIso } from '../repositories/repository.ts';

export function buildGrantAct(
  operation: string,
  by: Actor | undefined,
  { grant_id, team_id, user_id }: Pick<GrantRow, 'grant_id' | 'team_id' | 'user_id'>,
  details: NonNullable<AuditAct['details']>,
): AuditAct {
  return { operation, team_id, break_glass_id: grant_id, by, patients: [user_id], details };
}

export function buildGrantDetails(
  row: Pick<GrantRow, 'reason_code' | 'text' | 'text_salt' | 'granted_ms' | 'expires_ms'>,
): Readonly<Record<'reason' | 'granted' | 'expires' | 'text_sha256', string>> {
  return {
    reason: row.reason_code,
    granted: toIso(row.granted_ms),
    expires: toIso(row.expires_ms),
    text_sha256: hashWithSalt(row.text_salt, row.text),
  };
}

/** `review_sha256` is the hash of the JSON array `[outcome, reviewed by, note or null]`. */
export function buildReviewDetails({
  outcome,
  reviewed_by: reviewedBy,
  note,
  review_salt: salt,
}: Pick<GrantRow, 'outcome' | 'reviewed_by' | 'note' | 'review_salt'>): Readonly<
  Record<'outcome' | 'review_sha256', string>
> {
  const text = JSON.stringify([outcome, reviewedBy, note]);
  return {
    outcome: outcome ?? '',
    review_sha256: hashWithSalt(salt ?? new Uint8Array(), text),
  };
}
