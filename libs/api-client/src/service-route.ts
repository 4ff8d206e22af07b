import type { HttpMethod } from './transport/transport.ts';

/** An operation of the service besides the reads of the interface document: access and audit. */
export interface ServiceRoute {
  readonly name: string;
  readonly method: HttpMethod;
  readonly path: string;
}

/** Every operation of access and audit that a desk needs. The service has the same ones. */
export const SERVICE_ROUTES = {
  signInInfo: { name: 'signInInfo', method: 'GET', path: '/access/sign-in' },
  enrolDesk: { name: 'enrolDesk', method: 'POST', path: '/access/desks' },
  offerDeskKey: { name: 'offerDeskKey', method: 'POST', path: '/access/desks/key' },
  beginSession: { name: 'beginSession', method: 'POST', path: '/access/sessions' },
  readBadge: { name: 'readBadge', method: 'POST', path: '/access/badges' },
  renewSession: { name: 'renewSession', method: 'POST', path: '/access/sessions/current/renew' },
  lockSession: { name: 'lockSession', method: 'POST', path: '/access/sessions/current/lock' },
  unlockSession: { name: 'unlockSession', method: 'POST', path: '/access/sessions/current/unlock' },
  setPin: { name: 'setPin', method: 'PUT', path: '/access/sessions/current/pin' },
  endSession: { name: 'endSession', method: 'DELETE', path: '/access/sessions/current' },
  me: { name: 'me', method: 'GET', path: '/access/me' },
  askBreakGlass: { name: 'askBreakGlass', method: 'POST', path: '/access/break-glass' },
  listBreakGlass: { name: 'listBreakGlass', method: 'GET', path: '/access/break-glass' },
  reviewBreakGlass: {
    name: 'reviewBreakGlass',
    method: 'POST',
    path: '/access/break-glass/{break_glass_id}/review',
  },
  endBreakGlass: {
    name: 'endBreakGlass',
    method: 'DELETE',
    path: '/access/break-glass/{break_glass_id}',
  },
  listAuditEvents: { name: 'listAuditEvents', method: 'GET', path: '/audit/events' },
  listAuditAlarms: { name: 'listAuditAlarms', method: 'GET', path: '/audit/alarms' },
  listDisclosures: {
    name: 'listDisclosures',
    method: 'GET',
    path: '/audit/patients/{user_id}/disclosures',
  },
  recordDeskEvent: { name: 'recordDeskEvent', method: 'POST', path: '/audit/desk-events' },
  exportAuditEvents: { name: 'exportAuditEvents', method: 'GET', path: '/audit/export' },
  auditLogState: { name: 'auditLogState', method: 'GET', path: '/audit/log' },
  auditCheckpoint: { name: 'auditCheckpoint', method: 'GET', path: '/audit/checkpoint' },
  auditKey: { name: 'auditKey', method: 'GET', path: '/audit/key' },
} as const satisfies Readonly<Record<string, ServiceRoute>>;

/** `request` is any other. */
export type ServiceOperationName = keyof typeof SERVICE_ROUTES | 'request';
