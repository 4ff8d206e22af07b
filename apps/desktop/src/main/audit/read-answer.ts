import type { AuditPage, AuditRow, Disclosures, Grant, LogState } from '../../bridge/audit.ts';

/** A JSON object of unknown origin, read field by field: what isn't there, or of another kind, is undefined. */
type Fields = Readonly<Record<string, unknown>>;

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

/** Without the members that are undefined: the bridge takes none. */
function known<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}

function actorOf(value: unknown): AuditRow['actor'] {
  const { type, id, name, role } = fieldsOf(value);
  return known({
    type: textOf(type) ?? 'anonymous',
    id: textOf(id),
    name: textOf(name),
    role: textOf(role),
  });
}

/** A page of `/audit/events` or `/audit/alarms`. Throws where it is none. */
export function pageOf(value: unknown): AuditPage {
  const { user_id: userId, events, next_cursor: nextCursor } = fieldsOf(value);
  if (!Array.isArray(events)) throw new TypeError('a page of the audit log has events');
  return known({
    userId: textOf(userId),
    rows: events.map(rowOf),
    nextCursor: textOf(nextCursor),
  });
}

function rowOf(value: unknown): AuditRow {
  const event = fieldsOf(value);
  const body = fieldsOf(event['body']);
  const reasonCode = textOf(body['reason_code']);
  return known({
    recordId: textOf(event['record_id']) ?? '',
    occurredAt: textOf(event['occurred_at']) ?? '',
    actor: actorOf(event['actor']),
    desk: textOf(fieldsOf(event['device'])['name']) ?? textOf(fieldsOf(event['device'])['id']),
    operation: textOf(body['operation']) ?? '',
    decision: textOf(body['decision']) ?? '',
    reasonCode,
    emergency: reasonCode === 'break_glass' || textOf(body['operation']) === 'breakGlass',
    patients: listOf(event['patients']).flatMap((one) => textOf(one) ?? []),
    details: Object.entries(fieldsOf(body['details'])).map(([name, detail]) => ({
      name,
      value: typeof detail === 'string' ? detail : JSON.stringify(detail),
    })),
  });
}

/** The answer of `/access/break-glass`. Throws where it is none. */
export function grantsOf(value: unknown): { grants: Grant[]; nextCursor?: string | undefined } {
  const { grants, next_cursor: nextCursor } = fieldsOf(value);
  if (!Array.isArray(grants)) throw new TypeError('the emergency accesses are a list');
  return known({ grants: grants.map(grantOf), nextCursor: textOf(nextCursor) });
}

function grantOf(value: unknown): Grant {
  const grant = fieldsOf(value);
  const read = (name: string): string => textOf(grant[name]) ?? '';
  const by = ['staff_name', 'key_label', 'staff_id', 'key_id'].map(read).find((one) => one !== '');
  return known({
    breakGlassId: read('break_glass_id'),
    by: by ?? '',
    role: read('role'),
    userId: read('user_id'),
    reasonCode: read('reason_code'),
    text: read('text'),
    grantedAt: read('granted_at'),
    expiresAt: read('expires_at'),
    reviewDueAt: read('review_due_at'),
    overdue: grant['overdue'] === true,
    reviewedAt: textOf(grant['reviewed_at']),
    reviewedBy: textOf(grant['reviewed_by_name']) ?? textOf(grant['reviewed_by']),
    outcome: textOf(grant['outcome']),
    note: textOf(grant['note']),
  });
}

/** The answer of `/audit/log`. */
export function logStateOf(value: unknown): LogState {
  const state = fieldsOf(value);
  const checkpoint = fieldsOf(state['checkpoint']);
  const verified = fieldsOf(state['verified']);
  const witnessing = fieldsOf(state['witnessing']);
  return known({
    logId: textOf(state['log_id']) ?? '',
    size: Number(checkpoint['size']),
    rootHash: textOf(checkpoint['root']) ?? '',
    checkpoint: textOf(checkpoint['note']) ?? '',
    checkedAt: textOf(verified['at']) ?? '',
    consistent: verified['consistent'] === true,
    from: Number(verified['from']),
    acceptsRecords: state['accepts_records'] === true,
    witnessing:
      state['witnessing'] === undefined || state['witnessing'] === null
        ? undefined
        : {
            quorumMet: witnessing['quorum_met'] === true,
            lag: Number(witnessing['lag']),
            witnesses: listOf(witnessing['witnesses']).map((one) => {
              const witness = fieldsOf(one);
              return known({
                name: textOf(witness['name']) ?? '',
                cosignedAt: textOf(witness['cosigned_at']),
                conflict: witness['conflict'] === true,
              });
            }),
          },
  });
}

/** A page of `/audit/patients/{user_id}/disclosures`. Throws where it is none. */
export function disclosuresOf(value: unknown): Disclosures {
  const page = fieldsOf(value);
  const list = page['disclosures'];
  if (!Array.isArray(list)) throw new TypeError('disclosures are a list');
  return known({
    userId: textOf(page['user_id']) ?? '',
    from: textOf(page['from']),
    to: textOf(page['to']),
    disclosures: list.map((one) => {
      const { occurred_at: at, actor, desk, operation, what, why, ...rest } = fieldsOf(one);
      return known({
        occurredAt: textOf(at) ?? '',
        actor: actorOf(actor),
        desk: textOf(fieldsOf(desk)['name']) ?? textOf(fieldsOf(desk)['desk_id']),
        operation: textOf(operation) ?? '',
        what: textOf(what) ?? '',
        why: textOf(why) ?? '',
        recordId: textOf(rest['record_id']) ?? '',
        outcome: textOf(rest['outcome']) ?? '',
      });
    }),
    nextCursor: textOf(page['next_cursor']),
  });
}
