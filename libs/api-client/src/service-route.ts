import type { HttpMethod } from './transport/transport.ts';

/** An operation of the service beside the reads of the interface document: access and audit. */
export interface ServiceRoute {
  readonly method: HttpMethod;
  readonly path: string;
}

/** All operations of access and audit that a desk needs. The service's own routes must match. */
export const SERVICE_ROUTES = {
  signInInfo: { method: 'GET', path: '/access/sign-in' },
  enrolDesk: { method: 'POST', path: '/access/desks' },
  offerDeskKey: { method: 'POST', path: '/access/desks/key' },
  beginSession: { method: 'POST', path: '/access/sessions' },
  readBadge: { method: 'POST', path: '/access/badges' },
  renewSession: { method: 'POST', path: '/access/sessions/current/renew' },
  lockSession: { method: 'POST', path: '/access/sessions/current/lock' },
  unlockSession: { method: 'POST', path: '/access/sessions/current/unlock' },
  setPin: { method: 'PUT', path: '/access/sessions/current/pin' },
  endSession: { method: 'DELETE', path: '/access/sessions/current' },
  me: { method: 'GET', path: '/access/me' },
  askBreakGlass: { method: 'POST', path: '/access/break-glass' },
  listBreakGlass: { method: 'GET', path: '/access/break-glass' },
  reviewBreakGlass: {
    method: 'POST',
    path: '/access/break-glass/{break_glass_id}/review',
  },
  endBreakGlass: {
    method: 'DELETE',
    path: '/access/break-glass/{break_glass_id}',
  },
  listAuditEvents: { method: 'GET', path: '/audit/events' },
  listAuditAlarms: { method: 'GET', path: '/audit/alarms' },
  listDisclosures: {
    method: 'GET',
    path: '/audit/patients/{user_id}/disclosures',
  },
  recordDeskEvent: { method: 'POST', path: '/audit/desk-events' },
  exportAuditEvents: { method: 'GET', path: '/audit/export' },
  auditLogState: { method: 'GET', path: '/audit/log' },
  auditCheckpoint: { method: 'GET', path: '/audit/checkpoint' },
  auditKey: { method: 'GET', path: '/audit/key' },
} as const satisfies Readonly<Record<string, ServiceRoute>>;

/** Name of an operation; `request` stands for any other request. */
export type ServiceOperationName = keyof typeof SERVICE_ROUTES | 'request';
