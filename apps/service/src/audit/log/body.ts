import type { AuditEntry } from '../audit-entry.ts';
import { canonicalJson, type CanonicalValue } from './canonical-json.ts';

/** Version of the body format. */
const bodyVersion = 1;

/** Fields that the log adds to an entry. */
export interface Place {
  readonly logId: string;
  readonly seq: number;
  readonly recordedAtUs: number;
  readonly serverId: string;
}

/** The text of an entry in the log (RFC 8785): all columns of `audit_event`, the patients, and the version. */
export function auditBody(entry: AuditEntry, place: Place): { body: string; patients: string[] } {
  const fields = bodyFields(entry, place);
  try {
    return { body: canonicalJson(fields), patients: fields.patients };
  } catch {
    // A caller's mistake (a lone surrogate, a missing field) must not fail the record or its batch.
    const cleaned = bodyFields(clean(entry) as AuditEntry, place);
    return { body: canonicalJson(cleaned), patients: cleaned.patients };
  }
}

function bodyFields(
  entry: AuditEntry,
  place: Place,
): Record<string, CanonicalValue> & { patients: string[] } {
  return {
    version: bodyVersion,
    log_id: place.logId,
    seq: place.seq,
    recorded_at_us: place.recordedAtUs,
    server_id: place.serverId,
    team_id: entry.teamId,
    actor_type: entry.actorType,
    actor_id: entry.actorId,
    role: entry.role,
    key_id: entry.keyId,
    session_id: entry.sessionId,
    operation: entry.operation,
    data_category: entry.dataCategory,
    decision: entry.decision,
    reason_code: entry.reasonCode,
    http_status: entry.httpStatus,
    purpose_of_use: entry.purposeOfUse,
    break_glass_id: entry.breakGlassId,
    order_id: entry.orderId,
    record_count: entry.recordCount,
    request_id: entry.requestId,
    client_ip: entry.clientIp,
    device_id: entry.deviceId,
    policy_version: entry.policyVersion,
    details: entry.details ?? {},
    patients: [...new Set(entry.patients)].sort(),
  };
}

/** Replaces lone surrogates with U+FFFD, and values without a JSON form with null. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.replace(/\p{Surrogate}/gu, '\uFFFD');
  }
  if (typeof value === 'number') {
    return Number.isFinite(value) ? value : null;
  }
  if (Array.isArray(value)) {
    return value.map(clean);
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => [clean(key), clean(member)]);
    return Object.fromEntries(members) as unknown;
  }
  return typeof value === 'boolean' ? value : null;
}
