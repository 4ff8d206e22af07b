import { LONGEST_SIGN_IN_HOURS, type Session } from '@caregate/domain';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { ACCESS_ACTS, type AccessAct, type AccessChanges } from '../access-acts.ts';
import type { DeskRow } from '../desks/desk-store.ts';
import { isRole, type Role } from '../../operations/roles.ts';
import type { StaffPrincipal } from '../principal.ts';
import { badgeHash, endSessions } from '../staff/staff-store.ts';
import { findPerson, SignInError, takeToken, type Person } from './person.ts';
import type { SessionLookup, SessionRow } from './session-lookup.ts';
import { newToken, type PresentedToken } from './session-token.ts';

const minuteMs = 60_000;
export const SESSION_MS = 10 * minuteMs;

export interface Begun {
  readonly token: string;
  readonly session: SessionRow;
}

/** Not cached: ending a session takes effect everywhere at once. */
export class SessionStore {
  readonly #changes: AccessChanges;
  readonly #lookUp: SessionLookup;

  constructor(changes: AccessChanges, lookUp: SessionLookup) {
    this.#changes = changes;
    this.#lookUp = lookUp;
  }

  /** Ends earlier sessions of the person at the desk, and resets PIN tries. @throws SignInError */
  async begin(requested: {
    readonly desk: DeskRow;
    readonly person: Person;
    readonly token: { readonly hash: Uint8Array; readonly expiresMs: number };
  }): Promise<Begun> {
    const { desk } = requested;
    const now = this.#changes.now();
    const made = newToken();
    const times = { began_ms: now, expires_ms: now + SESSION_MS };
    const row = {
      ...{ session_id: randomUUID(), token_id: made.tokenId, secret_hash: made.secretHash },
      ...{ desk_id: desk.desk_id, team_id: desk.team_id },
      ...times,
      ends_ms: now + LONGEST_SIGN_IN_HOURS * 60 * minuteMs,
      ...{ locked_ms: null, ended_ms: null },
    };
    const beginning = this.#changes.make(async (transaction) => {
      const current = await transaction
        .selectFrom('desks')
        .select('desk_id')
        .where('desk_id', '=', desk.desk_id)
        .where('revoked_ms', 'is', null)
        .executeTakeFirst();
      if (current === undefined) {
        throw new SignInError('unknown-desk');
      }
      await takeToken(transaction, requested.token, now);
      const { staff, wasBound } = await findPerson(transaction, requested.person);
      if (staff.team_id !== desk.team_id) {
        throw new SignInError('unknown-person');
      }
      const { staff_id } = staff;
      await endSessions(transaction, { staff_id, desk_id: desk.desk_id }, now);
      await transaction
        .deleteFrom('pin_tries')
        .where('staff_id', '=', staff_id)
        .where('desk_id', '=', desk.desk_id)
        .execute();
      await transaction
        .insertInto('sessions')
        .values({ ...row, staff_id })
        .execute();
      const session: SessionRow = {
        ...row,
        ...{ staff_id, staff_name: staff.name, staff_role: staff.role, disabled_ms: null },
        ...{ desk_name: desk.name, thumbprint: desk.thumbprint, revoked_ms: null },
        second_thumbprint: desk.second_thumbprint,
        second_since_ms: desk.second_since_ms,
        second_is_next: desk.second_is_next,
      };
      const act = sessionAct(ACCESS_ACTS.begin, session, {
        ...(wasBound && { bound: 'subject' }),
      });
      return { act, result: { token: made.token, session } };
    });
    return await beginning.catch(async (error: unknown) => {
      if (error instanceof SignInError && error.refusal === 'unknown-person') {
        await this.#recordUnknown(desk, requested.person);
      }
      throw error;
    });
  }

  /** The operator takes the subject from this record, to add the person by it. */
  async #recordUnknown(
    { desk_id, team_id }: DeskRow,
    { issuer, subject, missingClaim }: Person,
  ): Promise<void> {
    await this.#changes.recordRefusal({
      operation: ACCESS_ACTS.refuse,
      teamId: team_id,
      by: { deskId: desk_id },
      keyId: null,
      details: {
        issuer,
        subject,
        ...(missingClaim !== undefined && { missing_claim: missingClaim }),
      },
    });
  }

  /** For a person who signed in again. @throws SignInError `other-person`, `used` */
  async takeAgain(
    { staff_id: staffId }: SessionRow,
    { issuer, subject }: { readonly issuer: string; readonly subject: string },
    token: { readonly hash: Uint8Array; readonly expiresMs: number },
  ): Promise<void> {
    await this.#changes.withWriteLock(this.#changes.db, async (transaction) => {
      const same = await transaction
        .selectFrom('staff')
        .select('staff_id')
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst();
      if (same?.staff_id !== staffId) {
        throw new SignInError('other-person');
      }
      await takeToken(transaction, token, this.#changes.now());
    });
  }

  /** Active or locked; undefined if unknown or over, except on a revoked desk (`revoked_ms`). */
  async find(presented: PresentedToken): Promise<SessionRow | undefined> {
    const row = await this.#lookUp.first({ id: presented.tokenId });
    return row !== undefined &&
      timingSafeEqual(presented.secretHash, row.secret_hash) &&
      (row.revoked_ms !== null || this.#isOpen(row))
      ? row
      : undefined;
  }

  /** `locked` also where a lock came first; undefined if the session is over. */
  async renew({
    session_id: id,
    ends_ms: ends,
  }: SessionRow): Promise<SessionRow | 'locked' | undefined> {
    const now = this.#changes.now();
    await this.#changes.withWriteLock(this.#changes.db, async (transaction) => {
      await transaction
        .updateTable('sessions')
        .set({ expires_ms: Math.min(now + SESSION_MS, ends) })
        .where('session_id', '=', id)
        .where('ended_ms', 'is', null)
        .where('locked_ms', 'is', null)
        .where('expires_ms', '>', now)
        .execute();
    });
    const current = await this.current(id);
    return current !== undefined && current.locked_ms !== null ? 'locked' : current;
  }

  async lock(session: SessionRow): Promise<void> {
    if (session.locked_ms !== null) {
      return;
    }
    await this.#changes.make(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('sessions')
        .set({ locked_ms: this.#changes.now(), expires_ms: session.ends_ms })
        .where('session_id', '=', session.session_id)
        .where('locked_ms', 'is', null)
        .where('ended_ms', 'is', null)
        .executeTakeFirst();
      const act = numUpdatedRows === 0n ? undefined : sessionAct(ACCESS_ACTS.lock, session);
      return { act, result: undefined };
    });
  }

  async end(session: SessionRow): Promise<void> {
    await this.#changes.make(async (transaction) => {
      const { session_id } = session;
      await endSessions(transaction, { session_id }, this.#changes.now());
      const act = sessionAct(ACCESS_ACTS.end, session, { reason: 'signed-out' });
      return { act, result: undefined };
    });
  }

  async current(sessionId: string): Promise<SessionRow | undefined> {
    const { token_id: tokenId } = await this.#changes.db
      .selectFrom('sessions')
      .select('token_id')
      .where('session_id', '=', sessionId)
      .executeTakeFirstOrThrow();
    const row = await this.#lookUp.first({ id: tokenId });
    return row !== undefined && this.#isOpen(row) ? row : undefined;
  }

  /** Whether a session is open, not locked, and still has the role. */
  async goesOn(sessionId: string, role: string): Promise<boolean> {
    const row = await this.current(sessionId);
    return row !== undefined && row.locked_ms === null && row.staff_role === role;
  }

  isNew({ began_ms: began }: SessionRow): boolean {
    return this.#changes.now() < began + SESSION_MS;
  }

  async holderOf(
    badge: string,
    deskId: string,
  ): Promise<{ readonly staffId: string; readonly name: string } | undefined> {
    const now = this.#changes.now();
    const row = await this.#changes.db
      .selectFrom('staff')
      .innerJoin('sessions', 'sessions.staff_id', 'staff.staff_id')
      .select(['staff.staff_id', 'staff.name'])
      .where('staff.badge_hash', '=', badgeHash(badge))
      .where('staff.disabled_ms', 'is', null)
      .where('sessions.desk_id', '=', deskId)
      .where('sessions.ended_ms', 'is', null)
      .where('sessions.expires_ms', '>', now)
      .executeTakeFirst();
    return row && { staffId: row.staff_id, name: row.name };
  }

  #isOpen(row: SessionRow): boolean {
    return (
      row.ended_ms === null &&
      row.disabled_ms === null &&
      row.revoked_ms === null &&
      this.#changes.now() < row.expires_ms &&
      isRole(row.staff_role)
    );
  }
}

export function principalOfSession(row: SessionRow): StaffPrincipal {
  return {
    kind: 'staff',
    teamId: row.team_id,
    role: row.staff_role as Role,
    scopes: [],
    staffId: row.staff_id,
    name: row.staff_name,
    sessionId: row.session_id,
    deskId: row.desk_id,
  };
}

export function sessionAct(
  operation: AccessAct['operation'],
  row: SessionRow,
  details: AccessAct['details'] = {},
): AccessAct {
  return {
    operation,
    teamId: row.team_id,
    by: principalOfSession(row),
    keyId: null,
    details,
  };
}

export function sessionJson(row: SessionRow, pinSet: boolean, token?: string): Session {
  const { role } = principalOfSession(row);
  return {
    ...(token === undefined ? {} : { session: token }),
    ...sessionTimes(row),
    pin_set: pinSet,
    staff: { staff_id: row.staff_id, name: row.staff_name, role, team_id: row.team_id },
    desk: { desk_id: row.desk_id, name: row.desk_name },
  };
}

export function sessionTimes(
  row: SessionRow,
): Pick<Session, 'session_id' | 'expires_at' | 'ends_at'> {
  return {
    session_id: row.session_id,
    expires_at: new Date(row.expires_ms).toISOString(),
    ends_at: new Date(row.ends_ms).toISOString(),
  };
}
