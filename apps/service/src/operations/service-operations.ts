import type { OperationRow, PermissionRow, PermittedRow } from './operation-row.ts';

const NOBODY = {
  ...{ front_desk: 'no', clinician: 'no', billing: 'no' },
  ...{ auditor: 'no', admin: 'no', integration: 'no' },
} as const satisfies PermissionRow;
const AUDITOR: PermissionRow = { ...NOBODY, auditor: 'yes' };
const CLINIC: PermissionRow = { ...NOBODY, front_desk: 'yes', clinician: 'yes', billing: 'yes' };
const CLINIC_AND_AUDITOR: PermissionRow = { ...CLINIC, auditor: 'yes' };
const ALL_STAFF: PermissionRow = { ...CLINIC_AND_AUDITOR, admin: 'yes' };

const ACCESS = { category: 'access', fhir: { form: 'other' } } as const;
const OPEN_SESSION = { ...ACCESS, session: 'open' } as const;
const ACTIVE_SESSION = { ...ACCESS, session: 'active' } as const;
const AUDIT = { category: 'audit', fhir: { form: 'audit' } } as const;

function row(
  route: `${OperationRow['method']} ${string}`,
  permission: PermissionRow,
  kind: Omit<OperationRow, 'method' | 'path'>,
): PermittedRow {
  const [method, path] = route.split(' ') as [OperationRow['method'], string];
  return { method, path, permission, ...kind };
}

export const SERVICE_OPERATIONS = {
  askBreakGlass: row('POST /access/break-glass', CLINIC, { ...ACCESS, fhir: { form: 'alert' } }),
  listBreakGlass: row('GET /access/break-glass', AUDITOR, ACCESS),
  reviewBreakGlass: row('POST /access/break-glass/{break_glass_id}/review', AUDITOR, ACCESS),
  endBreakGlass: row('DELETE /access/break-glass/{break_glass_id}', CLINIC, ACCESS),
  me: row('GET /access/me', ALL_STAFF, ACCESS),
  renewSession: row('POST /access/sessions/current/renew', ALL_STAFF, ACTIVE_SESSION),
  lockSession: row('POST /access/sessions/current/lock', ALL_STAFF, OPEN_SESSION),
  unlockSession: row('POST /access/sessions/current/unlock', ALL_STAFF, OPEN_SESSION),
  setPin: row('PUT /access/sessions/current/pin', ALL_STAFF, ACTIVE_SESSION),
  endSession: row('DELETE /access/sessions/current', ALL_STAFF, OPEN_SESSION),
  listAuditEvents: row('GET /audit/events', AUDITOR, AUDIT),
  listAuditAlarms: row('GET /audit/alarms', AUDITOR, AUDIT),
  exportAuditEvents: row('GET /audit/export', AUDITOR, AUDIT),
  listDisclosures: row('GET /audit/patients/{user_id}/disclosures', AUDITOR, AUDIT),
  recordDeskEvent: row('POST /audit/desk-events', CLINIC_AND_AUDITOR, {
    ...AUDIT,
    fhir: { form: 'export' },
  }),
  auditLogState: row('GET /audit/log', AUDITOR, AUDIT),
  auditCheckpoint: row('GET /audit/checkpoint', CLINIC_AND_AUDITOR, AUDIT),
  auditProof: row('GET /audit/proof', CLINIC_AND_AUDITOR, AUDIT),
  auditKey: row('GET /audit/key', CLINIC_AND_AUDITOR, AUDIT),
} as const satisfies Readonly<Record<string, PermittedRow>>;
