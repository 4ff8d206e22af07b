import {
  EMERGENCY_MINUTES,
  isUuid,
  REVIEW_HOURS,
  type BreakGlassGrant,
  type BreakGlassReason,
  type ReviewOutcome,
} from '@caregate/domain';
import { sql, type InferResult, type Kysely, type Selectable } from 'kysely';
import { randomUUID } from 'node:crypto';
import { OperatorError } from '../../config/operator-error.ts';
import type { Role } from '../../operations/operations.ts';
import { newSalt, saltedHash } from '../access-acts.ts';
import type { AuditAct } from '../../audit/audit-entries.ts';
import type { AccessSchema } from '../access-schema.ts';
import { getActorId, type Actor } from '../principal.ts';
import { Repository } from './repository.ts';

const MINUTE_MS = 60_000;
const GRANT_MS = EMERGENCY_MINUTES * MINUTE_MS;
const REVIEW_MS = REVIEW_HOURS * 60 * MINUTE_MS;
/** Unreviewed grants of a team; from here on, an alarm. */
const UNREVIEWED_ALARM = 3;
/** Grants of one person in 24 hours; above it, an alarm. */
const MANY_GRANTS = 5;
const MANY_WITHIN_MS = 24 * 60 * MINUTE_MS;
/** Grants of one person in 30 minutes, more than anybody can treat: made-up ones must not bury those to review. */
export const MOST_GRANTS = 50;
const PAGE = 100;

type Requester = Actor & { readonly teamId: string };
type Holder = { readonly keyId: string } | { readonly sessionId: string };

interface RequestedGrant {
  readonly reasonCode: BreakGlassReason;
  readonly text: string;
  readonly userId: string;
}

interface Granted {
  readonly grantId: string;
  readonly expires: Date;
  readonly isRepeated: boolean;
}

/** A grant with the names of its holder. */
export type Grant = ReturnType<typeof toGrant>;

export class BreakGlassError extends OperatorError {
  override readonly name = 'BreakGlassError';
  readonly reason: 'in-force' | 'too-many' | 'unknown' | 'reviewed' | 'own';

  constructor(reason: BreakGlassError['reason'], message: string) {
    super(message, 2);
    this.reason = reason;
  }
}

/** Emergency access (45 CFR 164.312(a)(2)(ii)): one patient, 30 minutes, a reason, and a review by someone else. */
export class GrantRepository extends Repository {
  /** A person who asks again gets the grant in force; a key may be shared, so it is refused. @throws BreakGlassError */
  async ask(by: Requester, { reasonCode, text, ...asked }: RequestedGrant): Promise<Granted> {
    const { teamId } = by;
    const userId = asked.userId.toLowerCase();
    const { granted, counts } = await this.database.change(async (transaction, record) => {
      // Inside the lock: a grant may expire while waiting for it.
      const now = this.database.now();
      const inForce = await selectInForce(transaction, by, now);
      const own = inForce.find(({ user_id: patient }) => patient === userId);
      if (own !== undefined) {
        if ('keyId' in by) {
          const message = 'Emergency access to this patient is already active.';
          throw new BreakGlassError('in-force', message);
        }
        const expires = new Date(own.expires_ms);
        return { granted: { grantId: own.grant_id, expires, isRepeated: true } };
      }
      if ((await countOfPerson(transaction, by, now - GRANT_MS)) >= MOST_GRANTS) {
        throw new BreakGlassError(
          'too-many',
          `Emergency access was asked for ${MOST_GRANTS} times in ${EMERGENCY_MINUTES} minutes.`,
        );
      }
      const row = {
        ...{ grant_id: randomUUID(), team_id: teamId, user_id: userId, ...holderColumns(by) },
        ...{ reason_code: reasonCode, text, text_salt: newSalt() },
        ...{ granted_ms: now, expires_ms: now + GRANT_MS, ended_ms: null },
        ...{ reviewed_ms: null, reviewed_by: null, outcome: null, note: null, review_salt: null },
      };
      await transaction.insertInto('break_glass').values(row).execute();
      const unreviewed = await selectGrants(transaction, { teamId, all: false })
        .clearSelect()
        .clearOrderBy()
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const grants = await countOfPerson(transaction, by, now - MANY_WITHIN_MS);
      const [grantId, expires] = [row.grant_id, new Date(row.expires_ms)];
      const facts = { reasonCode, text, granted: new Date(now), expires };
      await record(grantAct('breakGlass', by, row, grantDetails(facts, row.text_salt)));
      return {
        granted: { grantId, expires, isRepeated: false },
        counts: { unreviewed: unreviewed.count, grants },
      };
    });
    if (counts !== undefined) {
      this.#raiseAlarms(by, granted.grantId, counts);
    }
    return granted;
  }

  #raiseAlarms(
    by: Requester,
    grantId: string,
    { unreviewed, grants }: { readonly unreviewed: number; readonly grants: number },
  ): void {
    const { events } = this.database;
    const { teamId } = by;
    const holder = 'keyId' in by ? { keyId: by.keyId } : { staffId: by.staffId };
    events.emit('break-glass', { ...holder, teamId, grantId });
    if (unreviewed >= UNREVIEWED_ALARM) {
      events.emit('break-glass-unreviewed', { teamId, unreviewed });
    }
    if (grants > MANY_GRANTS) {
      events.emit('break-glass-many', { ...holder, teamId, grants });
    }
  }

  /** Returns the IDs of active grants by patient. A review as not justified ends a grant. */
  async inForce(holder: Holder): Promise<ReadonlyMap<string, string>> {
    const rows = await selectInForce(this.database.reader, holder, this.database.now());
    return new Map(rows.map((row) => [row.user_id, row.grant_id]));
  }

  /** @throws BreakGlassError `unknown`, also for a grant of another or one that is over */
  async end(by: Requester, grantId: string): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const now = this.database.now();
      const inForce = await selectInForce(transaction, by, now);
      const row = inForce.find(({ grant_id: id }) => id === grantId.toLowerCase());
      if (row === undefined) {
        throw unknownGrant();
      }
      await transaction
        .updateTable('break_glass')
        .set({ ended_ms: now })
        .where('grant_id', '=', row.grant_id)
        .execute();
      await record(grantAct('breakGlassEnded', by, row, {}));
    });
  }

  /** Returns undefined if `after` is no grant of the team; `next` is undefined on the last page. */
  async page(which: {
    readonly teamId: string;
    readonly all: boolean;
    readonly after?: string | undefined;
  }): Promise<{ readonly grants: Grant[]; readonly next: string | undefined } | undefined> {
    const { teamId, all, after } = which;
    const { reader } = this.database;
    if (after !== undefined && (await selectGrant(reader, after, teamId)) === undefined) {
      return undefined;
    }
    const rows = await selectGrants(reader, { teamId, all, after })
      .limit(PAGE + 1)
      .execute();
    const grants = rows.slice(0, PAGE).map((row) => toGrant(row, this.database.now()));
    return { grants, next: rows.length > PAGE ? grants.at(-1)?.grantId : undefined };
  }

  /** Returns all grants newest first, or those that wait for a review oldest first. */
  async list(which: {
    readonly teamId?: string | undefined;
    readonly all: boolean;
  }): Promise<Grant[]> {
    const rows = await selectGrants(this.database.reader, which).execute();
    return rows.map((row) => toGrant(row, this.database.now()));
  }

  /** Repeating the same review returns it, since the first answer may have been lost. @throws BreakGlassError */
  async review(
    grantId: string,
    review: {
      readonly teamId?: string;
      readonly by: Actor | { readonly name: string };
      readonly outcome: ReviewOutcome;
      readonly note?: string | undefined;
    },
  ): Promise<Grant> {
    if (!isUuid(grantId)) {
      throw unknownGrant();
    }
    const { outcome, note, teamId } = review;
    // A principal has a name, too.
    const [actor, name] =
      'keyId' in review.by || 'staffId' in review.by
        ? [review.by, undefined]
        : [undefined, review.by.name.trim()];
    return await this.database.change(async (transaction, record) => {
      const row = await selectGrant(transaction, grantId, teamId);
      if (row === undefined) {
        throw unknownGrant();
      }
      const isOwn =
        actor === undefined
          ? name.toLowerCase() === (row.label ?? row.staff_name)?.toLowerCase()
          : await isSamePerson(transaction, actor, row);
      if (isOwn) {
        throw new BreakGlassError(
          'own',
          'A grant must be reviewed by someone other than the person who requested it.',
        );
      }
      const now = this.database.now();
      const reviewedBy = actor === undefined ? name : getActorId(actor);
      const done = { reviewed_by: reviewedBy, outcome, note: note ?? null };
      if (row.reviewed_ms !== null) {
        const isSame =
          row.reviewed_by === reviewedBy && row.outcome === outcome && row.note === done.note;
        if (!isSame) {
          throw new BreakGlassError('reviewed', 'This grant has already been reviewed.');
        }
        return toGrant(row, now);
      }
      const reviewed = { ...done, reviewed_ms: now, review_salt: newSalt() };
      await transaction
        .updateTable('break_glass')
        .set(reviewed)
        .where('grant_id', '=', row.grant_id)
        .execute();
      const details = reviewDetails({ outcome, reviewedBy, note }, reviewed.review_salt);
      await record(grantAct('breakGlassReview', actor, row, details));
      return toGrant({ ...row, ...reviewed }, now);
    });
  }
}

function unknownGrant(): BreakGlassError {
  return new BreakGlassError('unknown', 'No such grant.');
}

type GrantRow = InferResult<ReturnType<typeof selectWithNames>>[number];

function selectWithNames(db: Kysely<AccessSchema>) {
  return db
    .selectFrom('break_glass')
    .leftJoin('keys', 'keys.key_id', 'break_glass.key_id')
    .leftJoin('staff', 'staff.staff_id', 'break_glass.staff_id')
    .selectAll('break_glass')
    .select((row) => [
      'keys.label',
      'staff.name as staff_name',
      row.fn.coalesce('keys.role', 'staff.role', row.val('')).as('role'),
    ]);
}

async function selectGrant(
  db: Kysely<AccessSchema>,
  grantId: string,
  teamId: string | undefined,
): Promise<GrantRow | undefined> {
  return await selectWithNames(db)
    .where('grant_id', '=', grantId.toLowerCase())
    .$if(teamId !== undefined, (grants) => grants.where('break_glass.team_id', '=', teamId ?? ''))
    .executeTakeFirst();
}

/** Unreviewed ones oldest first, so that no new one hides them; all newest first. */
function selectGrants(
  db: Kysely<AccessSchema>,
  which: {
    readonly teamId?: string | undefined;
    readonly all: boolean;
    readonly after?: string | undefined;
  },
) {
  const { teamId, all, after } = which;
  const direction = all ? 'desc' : 'asc';
  return selectWithNames(db)
    .$if(teamId !== undefined, (grants) =>
      grants.where('break_glass.team_id', '=', (teamId ?? '').toLowerCase()),
    )
    .$if(!all, (grants) => grants.where('reviewed_ms', 'is', null))
    .$if(after !== undefined, (grants) => {
      const place = db
        .selectFrom('break_glass')
        .select(['granted_ms', 'grant_id'])
        .where('grant_id', '=', (after ?? '').toLowerCase());
      return grants.where(
        sql<boolean>`(granted_ms, grant_id) ${sql.raw(all ? '<' : '>')} ${place}`,
      );
    })
    .orderBy('granted_ms', direction)
    .orderBy('grant_id', direction);
}

async function selectInForce(
  db: Kysely<AccessSchema>,
  holder: Holder,
  nowMs: number,
): Promise<Pick<GrantRow, 'grant_id' | 'team_id' | 'user_id' | 'expires_ms'>[]> {
  return await db
    .selectFrom('break_glass')
    .select(['grant_id', 'team_id', 'user_id', 'expires_ms'])
    .where((row) =>
      'keyId' in holder
        ? row('key_id', '=', holder.keyId)
        : row('session_id', '=', holder.sessionId),
    )
    .where('expires_ms', '>', nowMs)
    .where('ended_ms', 'is', null)
    .where((row) => row.or([row('outcome', 'is', null), row('outcome', '!=', 'not_justified')]))
    .execute();
}

function holderColumns(
  actor: Actor,
): Pick<Selectable<AccessSchema['break_glass']>, 'key_id' | 'staff_id' | 'session_id'> {
  return 'keyId' in actor
    ? { key_id: actor.keyId, staff_id: null, session_id: null }
    : { key_id: null, staff_id: actor.staffId, session_id: actor.sessionId };
}

/** Keys of a team with the same label count as one person, so that rotating a key changes nothing. */
async function countOfPerson(
  db: Kysely<AccessSchema>,
  actor: Actor,
  sinceMs: number,
): Promise<number> {
  const query =
    'keyId' in actor
      ? db
          .selectFrom('break_glass')
          .innerJoin('keys', 'keys.key_id', 'break_glass.key_id')
          .innerJoin('keys as own', (join) =>
            join.onRef('own.team_id', '=', 'keys.team_id').onRef('own.label', '=', 'keys.label'),
          )
          .where('own.key_id', '=', actor.keyId)
      : db.selectFrom('break_glass').where('break_glass.staff_id', '=', actor.staffId);
  const { count } = await query
    .select((row) => row.fn.countAll<number>().as('count'))
    .where('granted_ms', '>', sinceMs)
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether two actors are one person: a person, or a key that belongs to them, or one key. */
async function isSamePerson(
  db: Kysely<AccessSchema>,
  actor: Actor,
  grant: Pick<GrantRow, 'key_id' | 'staff_id'>,
): Promise<boolean> {
  if ('keyId' in actor && actor.keyId === grant.key_id) {
    return true;
  }
  const findOwner = async (keyId: string): Promise<string | undefined> => {
    const owners = db.selectFrom('key_owners').select('staff_id').where('key_id', '=', keyId);
    return (await owners.executeTakeFirst())?.staff_id;
  };
  const reviewer = 'keyId' in actor ? await findOwner(actor.keyId) : actor.staffId;
  const holder = grant.key_id === null ? grant.staff_id : await findOwner(grant.key_id);
  return reviewer !== undefined && reviewer === holder;
}

function grantAct(
  operation: string,
  by: Actor | undefined,
  row: Pick<GrantRow, 'grant_id' | 'team_id' | 'user_id'>,
  details: NonNullable<AuditAct['details']>,
): AuditAct {
  const keyId = by !== undefined && 'keyId' in by ? by.keyId : null;
  const place = { team_id: row.team_id, key_id: keyId, break_glass_id: row.grant_id };
  return { operation, ...place, by, patients: [row.user_id], details };
}

export function grantDetails(
  {
    reasonCode,
    text,
    granted,
    expires,
  }: Pick<Grant, 'reasonCode' | 'text' | 'granted' | 'expires'>,
  salt: Uint8Array,
): Readonly<Record<'reason' | 'granted' | 'expires' | 'text_sha256', string>> {
  return {
    reason: reasonCode,
    granted: granted.toISOString(),
    expires: expires.toISOString(),
    text_sha256: saltedHash(salt, text),
  };
}

/** `review_sha256` is of the JSON array `[outcome, reviewed by, note or null]`. */
export function reviewDetails(
  review: {
    readonly outcome: string;
    readonly reviewedBy: string;
    readonly note: string | undefined;
  },
  salt: Uint8Array,
): { readonly outcome: string; readonly review_sha256: string } {
  const { outcome, reviewedBy, note } = review;
  const text = JSON.stringify([outcome, reviewedBy, note ?? null]);
  return { outcome, review_sha256: saltedHash(salt, text) };
}

function toGrant(row: GrantRow, now: number) {
  const reviewDueMs = row.granted_ms + REVIEW_MS;
  return {
    grantId: row.grant_id,
    teamId: row.team_id,
    keyId: row.key_id ?? undefined,
    keyLabel: row.label ?? undefined,
    staffId: row.staff_id ?? undefined,
    staffName: row.staff_name ?? undefined,
    role: row.role as Role,
    userId: row.user_id,
    reasonCode: row.reason_code,
    text: row.text,
    granted: new Date(row.granted_ms),
    expires: new Date(row.expires_ms),
    reviewDue: new Date(reviewDueMs),
    overdue: row.reviewed_ms === null && now > reviewDueMs,
    reviewed: row.reviewed_ms === null ? undefined : new Date(row.reviewed_ms),
    reviewedBy: row.reviewed_by ?? undefined,
    outcome: row.outcome ?? undefined,
    note: row.note ?? undefined,
    textSalt: row.text_salt,
    reviewSalt: row.review_salt ?? undefined,
  };
}

/** @param reviewer the name that belongs to `reviewedBy`, if it is an ID */
export function grantJson(grant: Grant, reviewer?: string): BreakGlassGrant {
  const { keyId = null, keyLabel = null, staffId, staffName = null, reviewed } = grant;
  const { reviewedBy = null, outcome = null, note = null } = grant;
  return {
    ...{ break_glass_id: grant.grantId, team_id: grant.teamId },
    ...{ key_id: keyId, key_label: keyLabel },
    ...(staffId !== undefined && { staff_id: staffId, staff_name: staffName }),
    ...{ role: grant.role, user_id: grant.userId },
    ...{ reason_code: grant.reasonCode, text: grant.text },
    granted_at: grant.granted.toISOString(),
    expires_at: grant.expires.toISOString(),
    review_due_at: grant.reviewDue.toISOString(),
    overdue: grant.overdue,
    reviewed_at: reviewed?.toISOString() ?? null,
    reviewed_by: reviewedBy,
    ...(reviewer !== undefined && { reviewed_by_name: reviewer }),
    ...{ outcome, note },
  };
}
