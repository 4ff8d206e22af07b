import type { OperationRow } from './operation-row.ts';

/** The operations of the service besides the reads that require an API key: emergency access and the audit log. */
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
