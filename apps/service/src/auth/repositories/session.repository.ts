import { compileOnce } from '@caregate/data-store/database';
import { LONGEST_SIGN_IN_HOURS, type Session } from '@caregate/domain';
import type { InferResult, Kysely } from 'kysely';
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { isRole, type Role } from '../../operations/operations.ts';
import type { AuditAct } from '../../audit/audit-entries.ts';
import type { AccessSchema } from '../access-schema.ts';
import { formatSecret, hashParts, createSecret, parseSecret } from '../key-format.ts';
import type { StaffPrincipal } from '../caller.ts';
import type { DeskRow } from './desk.repository.ts';
import { SignInError } from '../sessions/session-problems.ts';
import { findRow, matchesTeam, Repository, toIso, updateRows } from './repository.ts';
import { hashBadge, endSessions, type StaffRow } from './staff.repository.ts';

const MINUTE_MS = 60_000;
export const SESSION_MS = 10 * MINUTE_MS;

/** The identity of a user at the identity provider. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined unless the provider has verified the address. */
  readonly email: string | undefined;
  /** The missing claim that prevents finding a staff member by e-mail address. */
  readonly missingClaim?: 'email' | 'email_verified' | undefined;
  /** Identifies the ID token, which can be used only once. */
  readonly token: { readonly hash: Uint8Array; readonly expiresMs: number };
}

/** A new session. `token` is its only copy. */
export interface NewSession {
  readonly token: string;
  readonly session: SessionRow;
}

/**
 * Sessions of staff at desks. Each request reads its session, so ending one takes effect immediately on every
 * instance.
 */
export class SessionRepository extends Repository {
  /** Starts a session, and ends earlier sessions of the staff member at the desk. @throws SignInError */
  async begin(desk: DeskRow, identity: Identity): Promise<NewSession> {
    const now = this.database.now();
    const parts = createSecret('sess');
    try {
      return await this.database.change(async (transaction, record) => {
        const enrolled = { desk_id: desk.desk_id, revoked_ms: null };
        if ((await findRow(transaction, 'desks', enrolled)) === undefined) {
          throw new SignInError('unknown-desk');
        }
        await markTokenUsed(transaction, identity.token, now);
        const { staff, isBound } = await findPerson(transaction, identity);
        if (staff.team_id !== desk.team_id) {
          throw new SignInError('unknown-person');
        }
        const { staff_id } = staff;
        const { desk_id, team_id } = desk;
        await endSessions(transaction, { staff_id, desk_id }, now);
        await transaction
          .insertInto('sessions')
          .values({
            ...{ session_id: randomUUID(), token_id: parts.id, secret_hash: hashParts(parts) },
            ...{ staff_id, desk_id, team_id, began_ms: now, expires_ms: now + SESSION_MS },
            ends_ms: now + LONGEST_SIGN_IN_HOURS * 60 * MINUTE_MS,
          })
          .execute();
        const session = await selectSessions(transaction)
          .where('token_id', '=', parts.id)
          .executeTakeFirstOrThrow();
        await record(buildSessionAct('sessionBegun', session, isBound ? { bound: 'subject' } : {}));
        return { token: formatSecret(parts), session };
      });
    } catch (error) {
      if (error instanceof SignInError && error.refusal === 'unknown-person') {
        await this.#recordUnknown(desk, identity);
      }
      throw error;
    }
  }

  /** Records the subject, with which the operator can add the person as staff. */
  async #recordUnknown(
    { desk_id, team_id }: DeskRow,
    { issuer, subject, missingClaim }: Identity,
  ): Promise<void> {
    const missing = missingClaim === undefined ? {} : { missing_claim: missingClaim };
    await this.database.recordRefusal({
      operation: 'sessionRefused',
      team_id,
      by: { deskId: desk_id },
      details: { issuer, subject, ...missing },
    });
  }

  /** Uses the ID token of a staff member who signed in again. @throws SignInError `other-person`, `used` */
  async useRepeatedSignIn(
    { staff_id }: SessionRow,
    { issuer, subject, token }: Identity,
  ): Promise<void> {
    await this.database.change(async (transaction) => {
      const person = await findRow(transaction, 'staff', { issuer, subject });
      if (person?.staff_id !== staff_id) {
        throw new SignInError('other-person');
      }
      await markTokenUsed(transaction, token, this.database.now());
    });
  }

  /**
   * Returns an active or locked session. A session that has ended is only returned if its desk was revoked
   * (`revoked_ms`).
   */
  async find(token: string): Promise<SessionRow | undefined> {
    const parts = parseSecret(token);
    if (parts?.kind !== 'sess') {
      return undefined;
    }
    const [row] = await selectSessionByToken(this.database.reader, { tokenId: parts.id });
    return row !== undefined &&
      timingSafeEqual(hashParts(parts), row.secret_hash) &&
      (row.revoked_ms !== null || this.#isOpen(row))
      ? row
      : undefined;
  }

  /** Extends a session. Returns `locked` if it was locked meanwhile, and undefined if it has ended. */
  async renew({ session_id, ends_ms }: SessionRow): Promise<SessionRow | 'locked' | undefined> {
    const now = this.database.now();
    await this.database.change(async (transaction) => {
      await transaction
        .updateTable('sessions')
        .set({ expires_ms: Math.min(now + SESSION_MS, ends_ms) })
        .where('session_id', '=', session_id)
        .where('ended_ms', 'is', null)
        .where('locked_ms', 'is', null)
        .where('expires_ms', '>', now)
        .execute();
    });
    const current = await this.findOpen(session_id);
    return current !== undefined && current.locked_ms !== null ? 'locked' : current;
  }

  async lock(session: SessionRow): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const open = { session_id: session.session_id, locked_ms: null, ended_ms: null };
      const locked = { locked_ms: this.database.now(), expires_ms: session.ends_ms };
      if ((await updateRows(transaction, 'sessions', open, locked)) > 0) {
        await record(buildSessionAct('sessionLocked', session));
      }
    });
  }

  async end(session: SessionRow): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const { session_id } = session;
      await endSessions(transaction, { session_id }, this.database.now());
      await record(buildSessionAct('sessionEnded', session, { reason: 'signed-out' }));
    });
  }

  /** Returns a session if it is active or locked. */
  async findOpen(sessionId: string): Promise<SessionRow | undefined> {
    const row = await selectSessions(this.database.reader)
      .where('session_id', '=', sessionId)
      .executeTakeFirst();
    return row !== undefined && this.#isOpen(row) ? row : undefined;
  }

  /** Whether the sign-in is recent enough to set a PIN. */
  isNew({ began_ms: began }: SessionRow): boolean {
    return this.database.now() < began + SESSION_MS;
  }

  /** Finds the holder of a badge among the staff with a session at the desk. */
  async findBadgeHolder(
    badge: string,
    deskId: string,
  ): Promise<{ readonly staff_id: string; readonly name: string } | undefined> {
    return await this.database.reader
      .selectFrom('staff')
      .innerJoin('sessions', 'sessions.staff_id', 'staff.staff_id')
      .select(['staff.staff_id', 'staff.name'])
      .where('staff.badge_hash', '=', hashBadge(badge))
      .where('staff.disabled_ms', 'is', null)
      .where('sessions.desk_id', '=', deskId)
      .where('sessions.ended_ms', 'is', null)
      .where('sessions.expires_ms', '>', this.database.now())
      .executeTakeFirst();
  }

  /** Returns the sessions of one team, or of all teams, that have neither ended nor expired. */
  async listLive(teamId?: string): Promise<SessionRow[]> {
    const now = this.database.now();
    return await selectSessions(this.database.reader)
      .where(matchesTeam(teamId, 'sessions.team_id'))
      .where('ended_ms', 'is', null)
      .where('expires_ms', '>', now)
      .where('ends_ms', '>', now)
      .orderBy('began_ms')
      .orderBy('session_id')
      .execute();
  }

  #isOpen(row: SessionRow): boolean {
    return (
      row.ended_ms === null &&
      row.disabled_ms === null &&
      row.revoked_ms === null &&
      this.database.now() < row.expires_ms &&
      isRole(row.staff_role)
    );
  }
}

export type SessionRow = InferResult<ReturnType<typeof selectSessions>>[number];

function selectSessions(db: Kysely<AccessSchema>) {
  return db
    .selectFrom('sessions')
    .innerJoin('staff', 'staff.staff_id', 'sessions.staff_id')
    .innerJoin('desks', 'desks.desk_id', 'sessions.desk_id')
    .selectAll('sessions')
    .select(['staff.name as staff_name', 'staff.role as staff_role', 'staff.disabled_ms'])
    .select((row) => row('staff.pin_hash', 'is not', null).as('pin_set'))
    .select(['desks.name as desk_name', 'desks.thumbprint', 'desks.second_thumbprint'])
    .select(['desks.second_since_ms', 'desks.second_is_next', 'desks.revoked_ms']);
}

const selectSessionByToken = compileOnce<AccessSchema, { tokenId: string }, SessionRow>(
  (db, value) => selectSessions(db).where('token_id', '=', value('tokenId')),
);

/**
 * Finds the staff member of an identity. One added by e-mail address is bound to the subject that first signs in with
 * it. @throws SignInError
 */
async function findPerson(
  db: Kysely<AccessSchema>,
  { issuer, subject, email }: Identity,
): Promise<{ readonly staff: StaffRow; readonly isBound: boolean }> {
  const existing = await findRow(db, 'staff', { issuer, subject });
  const invited =
    existing !== undefined || email === undefined
      ? undefined
      : await findRow(db, 'staff', { email: email.toLowerCase(), subject: null });
  const staff = existing ?? invited;
  if (staff === undefined) {
    throw new SignInError('unknown-person');
  }
  if (staff.disabled_ms !== null) {
    throw new SignInError('disabled');
  }
  if (invited !== undefined) {
    await updateRows(db, 'staff', { staff_id: invited.staff_id }, { issuer, subject });
  }
  return { staff, isBound: invited !== undefined };
}

/** Marks an ID token as used, and deletes expired ones. @throws SignInError `used` */
async function markTokenUsed(
  db: Kysely<AccessSchema>,
  { hash, expiresMs }: Identity['token'],
  nowMs: number,
): Promise<void> {
  await db.deleteFrom('taken_tokens').where('expires_ms', '<', nowMs).execute();
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('taken_tokens')
    .values({ token_hash: hash, expires_ms: expiresMs })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (inserted !== 1n) {
    throw new SignInError('used');
  }
}

export function toPrincipal(row: SessionRow): StaffPrincipal {
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

export function buildSessionAct(
  operation: string,
  row: SessionRow,
  details: AuditAct['details'] = {},
): AuditAct {
  return { operation, team_id: row.team_id, by: toPrincipal(row), details };
}

export function toSessionJson(row: SessionRow, token?: string): Session {
  return {
    ...(token !== undefined && { session: token }),
    ...toSessionTimes(row),
    // SQLite returns 0 or 1, since it has no booleans.
    pin_set: Boolean(row.pin_set),
    staff: {
      ...{ staff_id: row.staff_id, name: row.staff_name },
      ...{ role: row.staff_role, team_id: row.team_id },
    },
    desk: { desk_id: row.desk_id, name: row.desk_name },
  };
}

export function toSessionTimes(
  row: SessionRow,
): Pick<Session, 'session_id' | 'expires_at' | 'ends_at'> {
  return {
    session_id: row.session_id,
    expires_at: toIso(row.expires_ms),
    ends_at: toIso(row.ends_ms),
  };
}
