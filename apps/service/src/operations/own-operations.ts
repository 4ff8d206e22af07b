import type { OperationRow } from './operation-row.ts';

/** Every role that a person may have. */
const STAFF = {
  front_desk: 'yes',
  clinician: 'yes',
  billing: 'yes',
  auditor: 'yes',
  admin: 'yes',
  integration: 'no',
} as const;

/** The operations of the service besides the reads: emergency access, sessions and the audit log. */
// prettier-ignore
export const OWN_OPERATIONS = {
  askBreakGlass: {
    method: 'POST', path: '/access/break-glass',
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'no', admin: 'no', integration: 'no' },
    category: 'access', fhir: { form: 'alert' }, subject: null,
  },
  listBreakGlass: {
    method: 'GET', path: '/access/break-glass',
    permission: { front_desk: 'no', clinician: 'no', billing: 'no', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'access', fhir: { form: 'other' }, subject: null,
  },
  reviewBreakGlass: {
    method: 'POST', path: '/access/break-glass/{break_glass_id}/review',
    permission: { front_desk: 'no', clinician: 'no', billing: 'no', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'access', fhir: { form: 'other' }, subject: null,
  },
  endBreakGlass: {
    method: 'DELETE', path: '/access/break-glass/{break_glass_id}',
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'no', admin: 'no', integration: 'no' },
    category: 'access', fhir: { form: 'other' }, subject: null,
  },
  me: {
    method: 'GET', path: '/access/me',
    permission: STAFF,
    category: 'access', fhir: { form: 'other' }, subject: null,
  },
  renewSession: {
    method: 'POST', path: '/access/sessions/current/renew',
    permission: STAFF,
    category: 'access', fhir: { form: 'other' }, subject: null, session: 'active',
  },
  lockSession: {
    method: 'POST', path: '/access/sessions/current/lock',
    permission: STAFF,
    category: 'access', fhir: { form: 'other' }, subject: null, session: 'open',
  },
  unlockSession: {
    method: 'POST', path: '/access/sessions/current/unlock',
    permission: STAFF,
    category: 'access', fhir: { form: 'other' }, subject: null, session: 'open',
  },
  setPin: {
    method: 'PUT', path: '/access/sessions/current/pin',
    permission: STAFF,
    category: 'access', fhir: { form: 'other' }, subject: null, session: 'active',
  },
  endSession: {
    method: 'DELETE', path: '/access/sessions/current',
    permission: STAFF,
    category: 'access', fhir: { form: 'other' }, subject: null, session: 'open',
  },
  listAuditEvents: {
    method: 'GET', path: '/audit/events',
    permission: { front_desk: 'no', clinician: 'no', billing: 'no', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  listAuditAlarms: {
    method: 'GET', path: '/audit/alarms',
    permission: { front_desk: 'no', clinician: 'no', billing: 'no', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  exportAuditEvents: {
    method: 'GET', path: '/audit/export',
    permission: { front_desk: 'no', clinician: 'no', billing: 'no', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  // No subject: emergency access to a patient must not open the list of who saw them.
  listDisclosures: {
    method: 'GET', path: '/audit/patients/{user_id}/disclosures',
    permission: { front_desk: 'no', clinician: 'no', billing: 'no', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  recordDeskEvent: {
    method: 'POST', path: '/audit/desk-events',
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'export' }, subject: null,
  },
  auditLogState: {
    method: 'GET', path: '/audit/log',
    permission: { front_desk: 'no', clinician: 'no', billing: 'no', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  auditCheckpoint: {
    method: 'GET', path: '/audit/checkpoint',
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  auditLogCheckpoint: {
    method: 'GET', path: '/audit/log/checkpoint',
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  auditLogTile: {
    method: 'GET', path: '/audit/log/tile/{+tile}',
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  auditProof: {
    method: 'GET', path: '/audit/proof',
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
  auditKey: {
    method: 'GET', path: '/audit/key',
    permission: { front_desk: 'yes', clinician: 'yes', billing: 'yes', auditor: 'yes', admin: 'no', integration: 'no' },
    category: 'audit', fhir: { form: 'audit' }, subject: null,
  },
} as const satisfies Readonly<Record<string, OperationRow>>;
