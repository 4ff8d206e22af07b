import { buildGrantDetails, buildReviewDetails } from '../auth/break-glass/grant-record.ts';
import type { Grant } from '../auth/repositories/grant.repository.ts';
import type { AuditRecord } from '../audit/audit-record.ts';

export const GRANT_OPERATIONS: readonly string[] = [
  'breakGlass',
  'breakGlassEnded',
  'breakGlassReview',
];

export function findGrantProblems(
  grants: readonly Grant[],
  records: readonly AuditRecord[],
): readonly string[] {
  const failedActs = new Set(
    records.filter(({ decision }) => decision === 'failed').map(describeAct),
  );
  const byGrant = Map.groupBy(
    records.filter(({ decision }) => decision !== 'failed'),
    ({ break_glass_id: id }) => id ?? '',
  );
  const problems: string[] = [];
  for (const grant of grants) {
    const own = byGrant.get(grant.grant_id) ?? [];
    byGrant.delete(grant.grant_id);
    const [granted] = own.filter(({ operation }) => operation === 'breakGlass');
    if (granted === undefined) {
      problems.push(`Grant ${grant.grant_id} is not in the audit log.`);
      continue;
    }
    const reviews = own.filter(({ operation }) => operation === 'breakGlassReview');
    const differs = [
      ...compareGrant(grant, granted),
      ...compareEnd(grant, records),
      ...compareReview(grant, reviews, failedActs),
    ];
    if (differs.length > 0) {
      problems.push(`Grant ${grant.grant_id} differs from the audit log: ${differs.join(', ')}.`);
    }
  }
  for (const [id, [record]] of byGrant) {
    if (record?.operation === 'breakGlass' && !failedActs.has(describeAct(record))) {
      problems.push(`Grant ${id} is in the audit log, but missing here.`);
    }
  }
  return problems;
}

function compareGrant(grant: Grant, { details, ...record }: AuditRecord): string[] {
  const stored = buildGrantDetails(grant);
  return [
    ...(record.team_id === grant.team_id ? [] : ['team']),
    ...(record.key_id === grant.key_id ? [] : ['key']),
    ...(grant.staff_id === null || record.actor_id === grant.staff_id ? [] : ['person']),
    ...(record.patients.join() === grant.user_id ? [] : ['patient']),
    ...(details['reason'] === stored.reason ? [] : ['reason code']),
    ...(details['text_sha256'] === stored.text_sha256 ? [] : ['reason text']),
    ...(details['granted'] === stored.granted ? [] : ['time of the grant']),
    ...(details['expires'] === stored.expires ? [] : ['expiry']),
  ];
}

/** Without its end, a grant would give access again until it expires. */
function compareEnd(grant: Grant, records: readonly AuditRecord[]): string[] {
  const ends = records.filter(
    ({ operation, break_glass_id: id }) => operation === 'breakGlassEnded' && id === grant.grant_id,
  );
  // Each attempt has a record, and each that failed has one more.
  const failed = ends.filter(({ decision }) => decision === 'failed').length;
  const isRecorded = ends.length > 2 * failed;
  if (isRecorded === (grant.ended_ms !== null)) {
    return [];
  }
  return [isRecorded ? 'its end is missing here' : 'its end is not in the audit log'];
}

function describeAct({ operation, break_glass_id: id, details }: AuditRecord): string {
  return JSON.stringify([operation, id, details]);
}

function compareReview(
  grant: Grant,
  reviews: readonly AuditRecord[],
  failedActs: ReadonlySet<string>,
): string[] {
  if (grant.reviewed_ms === null || grant.outcome === null || grant.reviewed_by === null) {
    const isMissing = reviews.some((review) => !failedActs.has(describeAct(review)));
    return isMissing ? ['its review is missing here'] : [];
  }
  if (reviews.length === 0) {
    return ['its review is not in the audit log'];
  }
  const stored = buildReviewDetails(grant);
  const isRecorded = reviews.some(
    ({ details }) =>
      details['outcome'] === stored.outcome && details['review_sha256'] === stored.review_sha256,
  );
  return isRecorded ? [] : ['review'];
}
