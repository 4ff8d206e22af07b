import type {
  BadgeHolder,
  BadgeRead,
  BreakGlassGrant,
  BreakGlassGranted,
  BreakGlassGrantList,
  BreakGlassRequest,
  BreakGlassReview,
  DeskEnrolment,
  DeskKeyOffer,
  EnrolledDesk,
  Me,
  ReviewState,
  Session,
  SessionRequest,
  SignInInfo,
} from '@caregate/domain';
import { call, noContent, type Call } from './calls.ts';

const session = { session_id: 'string', staff: 'object', desk: 'object' } as const;
const grant = { break_glass_id: 'string' } as const;

/**
 * `GET /access/sign-in`: what a desk needs to know before a user signs in.
 *
 * @example
 * const { clinic_name, provider } = await signInInfo(connection);
 */
export const signInInfo: Call<SignInInfo> = /* @__PURE__ */ call('signInInfo', { pin: 'object' });

/**
 * `POST /access/desks`: enrolls the desk whose key signed the request's proof.
 *
 * @example
 * const { desk_id } = await enrolDesk(connection, { code: 'K7QM-4XR2TD', name: 'Front desk 2' });
 */
export const enrolDesk: Call<EnrolledDesk, [enrolment: DeskEnrolment]> = /* @__PURE__ */ call(
  'enrolDesk',
  { desk_id: 'string' },
  (body) => ({ body }),
);

/**
 * `POST /access/desks/key`: offers the desk's next key, whose proof is in the body.
 *
 * @example
 * await offerDeskKey(connection, { desk_id: deskId, proof });
 */
export const offerDeskKey: Call<void, [offer: DeskKeyOffer]> = /* @__PURE__ */ call(
  'offerDeskKey',
  noContent,
  (body) => ({ body }),
);

/**
 * `POST /access/sessions`: starts a session with an ID token.
 *
 * @example
 * const proved = { id_token: idToken, nonce_random: random };
 * const { session, ends_at } = await beginSession(connection, { desk_id: deskId, ...proved });
 */
export const beginSession: Call<Session, [request: SessionRequest]> = /* @__PURE__ */ call(
  'beginSession',
  session,
  (body) => ({ body }),
);

/**
 * `POST /access/badges`: identifies the holder of a badge among the staff who have a session at this desk.
 *
 * @example
 * const { name } = await readBadge(connection, { desk_id: deskId, badge });
 */
export const readBadge: Call<BadgeHolder, [badge: BadgeRead]> = /* @__PURE__ */ call(
  'readBadge',
  { staff_id: 'string' },
  (body) => ({ body }),
);

/**
 * `POST /access/sessions/current/renew`: extends the session.
 *
 * @example
 * const { expires_at } = await renewSession(connection);
 */
export const renewSession: Call<Session> = /* @__PURE__ */ call('renewSession', session);

/**
 * `POST /access/sessions/current/lock`: locks the session.
 *
 * @example
 * await lockSession(connection);
 */
export const lockSession: Call<void> = /* @__PURE__ */ call('lockSession', noContent);

/**
 * `POST /access/sessions/current/unlock`: unlocks the session with the PIN.
 *
 * @example
 * const { staff } = await unlockSession(connection, pin);
 */
export const unlockSession: Call<Session, [pin: string]> = /* @__PURE__ */ call(
  'unlockSession',
  session,
  (pin) => ({ body: { pin } }),
);

/**
 * `PUT /access/sessions/current/pin`: sets the PIN.
 *
 * @example
 * await setPin(connection, pin);
 */
export const setPin: Call<void, [pin: string]> = /* @__PURE__ */ call(
  'setPin',
  noContent,
  (pin) => ({
    body: { pin },
  }),
);

/**
 * `DELETE /access/sessions/current`: signs out.
 *
 * @example
 * await endSession(connection);
 */
export const endSession: Call<void> = /* @__PURE__ */ call('endSession', noContent);

/**
 * `GET /access/me`: the caller, and what the caller's role may do.
 *
 * @example
 * const { name, role } = await me(connection);
 */
export const me: Call<Me> = /* @__PURE__ */ call('me', { role: 'string', permissions: 'object' });

/**
 * `POST /access/break-glass`: requests emergency access to the data of one user.
 *
 * @example
 * const { expires_at } = await askBreakGlass(connection, {
 * user_id: userId,
 * reason_code: 'emergency_treatment',
 * text: 'Unconscious at the front desk',
 * });
 */
export const askBreakGlass: Call<BreakGlassGranted, [request: BreakGlassRequest]> =
  /* @__PURE__ */ call('askBreakGlass', grant, (body) => ({ body }));

interface GrantsQuery {
  readonly state?: ReviewState | undefined;
  readonly cursor?: string | undefined;
}

/**
 * `GET /access/break-glass`: a page of the emergency accesses that wait for a review, oldest first, or of all, newest
 * first.
 *
 * @example
 * const { grants, next_cursor } = await listBreakGlass(connection, { state: 'open' });
 */
export const listBreakGlass: Call<BreakGlassGrantList, [query?: GrantsQuery]> =
  /* @__PURE__ */ call('listBreakGlass', { grants: 'array' }, (query) => ({ query }));

/**
 * `POST /access/break-glass/{break_glass_id}/review`: records the review of an emergency access.
 *
 * @example
 * await reviewBreakGlass(connection, breakGlassId, { outcome: 'justified' });
 */
export const reviewBreakGlass: Call<
  BreakGlassGrant,
  [breakGlassId: string, review: BreakGlassReview]
> = /* @__PURE__ */ call('reviewBreakGlass', grant, (id, body) => ({
  ids: { break_glass_id: id },
  body,
}));

/**
 * `DELETE /access/break-glass/{break_glass_id}`: ends an emergency access immediately.
 *
 * @example
 * await endBreakGlass(connection, breakGlassId);
 */
export const endBreakGlass: Call<void, [breakGlassId: string]> = /* @__PURE__ */ call(
  'endBreakGlass',
  noContent,
  (id) => ({ ids: { break_glass_id: id } }),
);
