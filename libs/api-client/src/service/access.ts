import type {
  BadgeHolder,
  BadgeRead,
  BreakGlassGrant,
  BreakGlassGranted,
  BreakGlassGrantList,
  BreakGlassRequest,
  BreakGlassReview,
  DeskEnrolment,
  EnrolledDesk,
  Me,
  ReviewState,
  Session,
  SessionRequest,
  SignInInfo,
} from '@caregate/domain';
import type { ApiPromise } from '../api-promise.ts';
import { objectWith } from '../shape.ts';
import type { CallOptions, Connection } from '../call.ts';
import type { Expected } from '../read-response.ts';
import { SERVICE_ROUTES } from '../service-route.ts';

const json = (fields: Parameters<typeof objectWith>[0]): Expected => ({
  form: 'json',
  fault: objectWith(fields),
});
const nothing: Expected = { form: 'nothing' };
const session = json({ session_id: 'string', staff: 'object', desk: 'object' });

/** `GET /access/sign-in`: what a desk needs to know before anybody has signed in. */
export function signInInfo(connection: Connection, options?: CallOptions): ApiPromise<SignInInfo> {
  return connection(SERVICE_ROUTES.signInInfo, json({ pin: 'object' }), () => ({}), options);
}

/** `POST /access/desks`: enrols the desk whose key proves the request. */
export function enrolDesk(
  connection: Connection,
  enrolment: DeskEnrolment,
  options?: CallOptions,
): ApiPromise<EnrolledDesk> {
  const expected = json({ desk_id: 'string' });
  return connection(SERVICE_ROUTES.enrolDesk, expected, () => ({ body: enrolment }), options);
}

/** `POST /access/sessions`: begins a session with an ID token, or with the key of a person. */
export function beginSession(
  connection: Connection,
  request: SessionRequest,
  options?: CallOptions,
): ApiPromise<Session> {
  return connection(SERVICE_ROUTES.beginSession, session, () => ({ body: request }), options);
}

/** `POST /access/badges`: whose badge it is, of those who have a session at this desk. */
export function readBadge(
  connection: Connection,
  badge: BadgeRead,
  options?: CallOptions,
): ApiPromise<BadgeHolder> {
  const expected = json({ staff_id: 'string' });
  return connection(SERVICE_ROUTES.readBadge, expected, () => ({ body: badge }), options);
}

/** `POST /access/sessions/current/renew` */
export function renewSession(connection: Connection, options?: CallOptions): ApiPromise<Session> {
  return connection(SERVICE_ROUTES.renewSession, session, () => ({}), options);
}

/** `POST /access/sessions/current/lock` */
export function lockSession(connection: Connection, options?: CallOptions): ApiPromise<void> {
  return connection(SERVICE_ROUTES.lockSession, nothing, () => ({}), options);
}

/** `POST /access/sessions/current/unlock` */
export function unlockSession(
  connection: Connection,
  pin: string,
  options?: CallOptions,
): ApiPromise<Session> {
  return connection(SERVICE_ROUTES.unlockSession, session, () => ({ body: { pin } }), options);
}

/** `PUT /access/sessions/current/pin` */
export function setPin(
  connection: Connection,
  pin: string,
  options?: CallOptions,
): ApiPromise<void> {
  return connection(SERVICE_ROUTES.setPin, nothing, () => ({ body: { pin } }), options);
}

/** `DELETE /access/sessions/current`: signs out. */
export function endSession(connection: Connection, options?: CallOptions): ApiPromise<void> {
  return connection(SERVICE_ROUTES.endSession, nothing, () => ({}), options);
}

/** `GET /access/me`: who is asking, and what the role may do. */
export function me(connection: Connection, options?: CallOptions): ApiPromise<Me> {
  const expected = json({ role: 'string', permissions: 'object' });
  return connection(SERVICE_ROUTES.me, expected, () => ({}), options);
}

/** `POST /access/break-glass`: asks for emergency access to one user. */
export function askBreakGlass(
  connection: Connection,
  request: BreakGlassRequest,
  options?: CallOptions,
): ApiPromise<BreakGlassGranted> {
  const expected = json({ break_glass_id: 'string' });
  return connection(SERVICE_ROUTES.askBreakGlass, expected, () => ({ body: request }), options);
}

/** `GET /access/break-glass`: a page of the review queue, oldest first, or of all grants of emergency access, newest first. */
export function listBreakGlass(
  connection: Connection,
  query: { readonly state?: ReviewState | undefined; readonly cursor?: string | undefined } = {},
  options?: CallOptions,
): ApiPromise<BreakGlassGrantList> {
  const { state, cursor } = query;
  const expected = json({ grants: 'array' });
  const parts = { query: { state, cursor } };
  return connection(SERVICE_ROUTES.listBreakGlass, expected, () => parts, options);
}

/** `POST /access/break-glass/{break_glass_id}/review` */
export function reviewBreakGlass(
  connection: Connection,
  breakGlassId: string,
  review: BreakGlassReview,
  options?: CallOptions,
): ApiPromise<BreakGlassGrant> {
  const parts = { ids: { break_glass_id: breakGlassId }, body: review };
  const expected = json({ break_glass_id: 'string' });
  return connection(SERVICE_ROUTES.reviewBreakGlass, expected, () => parts, options);
}

/** `DELETE /access/break-glass/{break_glass_id}`: ends emergency access at once. */
export function endBreakGlass(
  connection: Connection,
  breakGlassId: string,
  options?: CallOptions,
): ApiPromise<void> {
  const parts = { ids: { break_glass_id: breakGlassId } };
  return connection(SERVICE_ROUTES.endBreakGlass, nothing, () => parts, options);
}
