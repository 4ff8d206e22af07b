import { hostname } from 'node:os';
import { packSortedUuids, type RecordText } from '@caregate/audit-log';
import type { AuditEntry } from './audit-entry.ts';

export interface Origin {
  /** Who writes the record. Default: the name of this machine. */
  readonly serverId?: string | undefined;
}

const machine = hostname();

/**
 * RFC 8785; sorting the keys was most of the cost. NUL and lone surrogates, which PostgreSQL refuses or SQLite
 * changes in columns, become U+FFFD; a missing field becomes null: no record fails.
 */
export function recordText(entry: AuditEntry, { serverId = machine }: Origin = {}): RecordText {
  return [
    `{"actor_id":${text(entry.actorId)},"actor_type":${text(entry.actorType)}` +
      `,"break_glass_id":${text(entry.breakGlassId)},"client_ip":${text(entry.clientIp)}` +
      `,"data_category":${text(entry.dataCategory)},"decision":${text(entry.decision)}` +
      `,"details":${detailsText(entry.details)},"device_id":${text(entry.deviceId)}` +
      `,"http_status":${number(entry.httpStatus)},"key_id":${text(entry.keyId)}` +
      `,"operation":${text(entry.operation)},"order_id":${text(entry.orderId)}` +
      `,"patients":${patientsText(entry.patients)},"policy_version":${text(entry.policyVersion)}` +
      `,"purpose_of_use":${text(entry.purposeOfUse)},"reason_code":${text(entry.reasonCode)}` +
      `,"record_count":${number(entry.recordCount)},"recorded_at_us":`,
    `,"request_id":${text(entry.requestId)},"role":${text(entry.role)}` +
      `,"server_id":${text(serverId)},"session_id":${text(entry.sessionId)}` +
      `,"team_id":${text(entry.teamId)}}`,
  ];
}

// Printable ASCII that JSON does not escape.
const plain = /^[ !#-[\]-~]*$/u;

function text(value: string | null | undefined): string {
  if (typeof value !== 'string') {
    return 'null';
  }
  return plain.test(value) ? `"${value}"` : JSON.stringify(wellFormed(value));
}

function number(value: number | null | undefined): string {
  return Number.isFinite(value) ? String(value) : 'null';
}

/** Packed if there are several, and all are UUIDs. */
function patientsText(patients: readonly string[]): string {
  const packed = patients.length < 2 ? undefined : packSortedUuids(patients);
  const sorted = (): string[] => [...new Set(patients.map(wellFormed))].sort();
  return packed === undefined ? `[${sorted().map(text).join()}]` : `"${packed}"`;
}

function detailsText(details: AuditEntry['details'] = {}): string {
  const members = new Map(
    Object.entries(details).map(([name, value]) => [wellFormed(name), value] as const),
  );
  const texts = [...members.keys()].sort().map((name) => {
    const value = members.get(name);
    return `${text(name)}:${typeof value === 'string' ? text(value) : number(value)}`;
  });
  return `{${texts.join()}}`;
}

function wellFormed(value: string): string {
  return value.replace(/[\0\p{Surrogate}]/gu, '\uFFFD');
}
