import type {
  AuditActor,
  AuditEvent,
  AuditEventsPage,
  AuditLogState,
  BreakGlassGrantList,
  DisclosureList,
} from '@caregate/domain';
import { withoutNullish } from '../without-nullish.ts';
import type {
  AuditPage,
  AuditRow,
  Disclosures,
  Grant,
  Grants,
  LogState,
} from '../../shared/audit.ts';

function readActor({ type, id, name, role }: AuditActor): AuditRow['actor'] {
  return withoutNullish({ type, id, name, role });
}

export function readPage({ user_id: userId, events, next_cursor }: AuditEventsPage): AuditPage {
  return withoutNullish({ userId, rows: events.map(toRow), nextCursor: next_cursor });
}

function toRow(event: AuditEvent): AuditRow {
  const {
    operation,
    decision,
    reason_code: reasonCode,
    break_glass_id: grantId,
    details,
  } = event.body;
  return withoutNullish({
    recordId: event.record_id,
    occurredAt: event.occurred_at,
    actor: readActor(event.actor),
    desk: event.device?.name ?? event.device?.id,
    operation: (operation ?? '') as string,
    decision: (decision ?? '') as string,
    reasonCode: reasonCode as string | null,
    emergency: reasonCode === 'break_glass' || operation === 'breakGlass',
    breakGlassId: grantId as string | null,
    patients: event.patients,
    details: Object.entries(details ?? {}).map(([name, value]) => ({
      name,
      value: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  });
}

export function readGrants({ grants, next_cursor: nextCursor }: BreakGlassGrantList): Grants {
  return withoutNullish({
    grants: grants.map((grant) =>
      withoutNullish<Grant>({
        breakGlassId: grant.break_glass_id,
        by: grant.staff_name ?? grant.key_label ?? grant.staff_id ?? grant.key_id ?? '',
        role: grant.role,
        userId: grant.user_id,
        reasonCode: grant.reason_code,
        text: grant.text,
        grantedAt: grant.granted_at,
        expiresAt: grant.expires_at,
        reviewDueAt: grant.review_due_at,
        overdue: grant.overdue,
        reviewedAt: grant.reviewed_at,
        reviewedBy: grant.reviewed_by_name ?? grant.reviewed_by,
        outcome: grant.outcome,
        note: grant.note,
      }),
    ),
    nextCursor,
  });
}

export function readLogState({ checkpoint, verified, ...state }: AuditLogState): LogState {
  return withoutNullish({
    logId: state.log_id,
    size: checkpoint.size,
    rootHash: checkpoint.root,
    checkpoint: checkpoint.note,
    checkedAt: verified.at,
    consistent: verified.consistent,
    from: verified.from,
    acceptsRecords: state.accepts_records,
    whole: state.verified_whole,
  });
}

export function readDisclosures({
  user_id: userId,
  from,
  to,
  ...page
}: DisclosureList): Disclosures {
  return withoutNullish({
    userId,
    from,
    to,
    disclosures: page.disclosures.map(({ occurred_at: occurredAt, actor, desk, ...one }) =>
      withoutNullish<Disclosures['disclosures'][number]>({
        occurredAt,
        actor: readActor(actor),
        desk: desk?.name ?? desk?.desk_id,
        operation: one.operation,
        how: one.how,
        document: one.document,
        why: one.why ?? '',
        recordId: one.record_id,
        outcome: one.outcome,
      }),
    ),
    nextCursor: page.next_cursor,
  });
}
