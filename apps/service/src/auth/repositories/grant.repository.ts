import {
  EMERGENCY_MINUTES,
  isUuid,
  REVIEW_HOURS,
  type BreakGlassReason,
  type ReviewOutcome,
} from '@caregate/domain';
import { sql, type InferResult, type Kysely, type Selectable } from 'kysely';
import { randomUUID } from 'node:crypto';
import { createSalt } from '../access-acts.ts';
import type { AccessSchema } from '../access-schema.ts';
import { getActorId, type Actor } from '../caller.ts';
import { BreakGlassError } from '../break-glass/break-glass-error.ts';
import {
  buildGrantAct,
  buildGrantDetails,
  buildReviewDetails,
} from '../break-glass/grant-record.ts';
import { findRow, matchesTeam, Repository, updateRows } from './repository.ts';

const MINUTE_MS = 60_000;
const GRANT_MS = EMERGENCY_MINUTES * MINUTE_MS;
export const REVIEW_MS = REVIEW_HOURS * 60 * MINUTE_MS;
/** Number of a team's unreviewed grants that raises an alarm. */
const UNREVIEWED_ALARM = 3;
/** A person with more grants than this within 24 hours raises an alarm. */
const MANY_GRANTS = 5;
const MANY_WITHIN_MS = 24 * 60 * MINUTE_MS;
/**
 * Maximum number of a person's grants within 30 minutes, more than anyone can treat, so that fake grants can't hide
 * those that need a review.
 */
export const MOST_GRANTS = 50;
const PAGE = 100;

type Requester = Actor & { readonly teamId: string };
type Holder = { readonly keyId: string } | { readonly sessionId: string };

interface RequestedGrant {
  readonly reasonCode: BreakGlassReason;
  readonly text: string;
  readonly userId: string;
}

interface GrantResult {
  readonly grantId: string;
  readonly expires: Date;
  readonly isRepeated: boolean;
}

/** A grant with the names of its holder. It is overdue if its review wasn't made in time. */
export type Grant = GrantRow & { readonly overdue: boolean };

/**
 * Emergency access (45 CFR 164.312(a)(2)(ii)): to one patient, for 30 minutes, with a reason, and with a review by
 * another person.
 */
export class GrantRepository extends Repository {
  /**
   * Grants emergency access. A staff member who asks again gets the existing grant. An API key is refused, since
   * several people may share it. @throws BreakGlassError
   */
  async ask(
    by: Requester,
    { reasonCode, text, ...requested }: RequestedGrant,
  ): Promise<GrantResult> {
    const { teamId } = by;
    const userId = requested.userId.toLowerCase();
    const { granted, counts } = await this.database.change(async (transaction, record) => {
      // Read the time after the lock was obtained, since a grant may expire meanwhile.
      const now = this.database.now();
      const activeGrants = await selectActiveGrants(transaction, by, now);
      const own = activeGrants.find(({ user_id: patient }) => patient === userId);
      if (own !== undefined) {
        if ('keyId' in by) {
          const message = 'Emergency access to this patient is already active.';
          throw new BreakGlassError('in-force', message);
        }
        const expires = new Date(own.expires_ms);
        return { granted: { grantId: own.grant_id, expires, isRepeated: true } };
      }
      if ((await countRecentGrants(transaction, by, now - GRANT_MS)) >= MOST_GRANTS) {
        throw new BreakGlassError(
          'too-many',
          `Emergency access was asked for ${MOST_GRANTS} times in ${EMERGENCY_MINUTES} minutes.`,
        );
      }
      const row = {
        ...{ grant_id: randomUUID(), team_id: teamId, user_id: userId, ...toHolderColumns(by) },
        ...{ reason_code: reasonCode, text, text_salt: createSalt() },
        ...{ granted_ms: now, expires_ms: now + GRANT_MS },
      };
      await transaction.insertInto('break_glass').values(row).execute();
      const unreviewed = await selectGrants(transaction, { teamId, all: false })
        .clearSelect()
        .clearOrderBy()
        .select((select) => select.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const grants = await countRecentGrants(transaction, by, now - MANY_WITHIN_MS);
      const [grantId, expires] = [row.grant_id, new Date(row.expires_ms)];
      await record(buildGrantAct('breakGlass', by, row, buildGrantDetails(row)));
      return {
        granted: { grantId, expires, isRepeated: false },
        counts: { unreviewed: unreviewed.count, grants },
      };
    });
    if (counts !== undefined) this.#raiseAlarms(by, granted.grantId, counts);
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

  /** Returns the IDs of active grants by patient ID. A review as not justified ends a grant. */
  async findActiveGrants(holder: Holder): Promise<ReadonlyMap<string, string>> {
    const rows = await selectActiveGrants(this.database.reader, holder, this.database.now());
    return new Map(rows.map((row) => [row.user_id, row.grant_id]));
  }

  /** @throws BreakGlassError `unknown` if the grant doesn't exist, has ended, or belongs to another holder */
  async end(by: Requester, grantId: string): Promise<void> {
    await this.database.change(async (transaction, record) => {
      const now = this.database.now();
      const activeGrants = await selectActiveGrants(transaction, by, now);
      const row = activeGrants.find(({ grant_id: id }) => id === grantId.toLowerCase());
      if (row === undefined) throw createUnknownGrantError();
      const { grant_id } = row;
      await updateRows(transaction, 'break_glass', { grant_id }, { ended_ms: now });
      await record(buildGrantAct('breakGlassEnded', by, row, {}));
    });
  }

  /** Returns undefined if `after` is not a grant of the team. `next` is undefined on the last page. */
  async readPage(filter: {
    readonly teamId: string;
    readonly all: boolean;
    readonly after?: string | undefined;
  }): Promise<{ readonly grants: Grant[]; readonly next: string | undefined } | undefined> {
    const { teamId, all, after } = filter;
    const { reader } = this.database;
    if (after !== undefined && (await selectGrant(reader, after, teamId)) === undefined) {
      return undefined;
    }
    const rows = await selectGrants(reader, { teamId, all, after })
      .limit(PAGE + 1)
      .execute();
    const grants = rows.slice(0, PAGE).map((row) => this.#toGrant(row));
    return { grants, next: rows.length > PAGE ? grants.at(-1)?.grant_id : undefined };
  }

  /** Returns all grants newest first, or those waiting for a review oldest first. */
  async list(filter: {
    readonly teamId?: string | undefined;
    readonly all: boolean;
  }): Promise<Grant[]> {
    const rows = await selectGrants(this.database.reader, filter).execute();
    return rows.map((row) => this.#toGrant(row));
  }

  /**
   * Records a review. Repeating the same review returns it again, since the first response may have been lost.
   * @throws BreakGlassError
   */
  async review(
    grantId: string,
    review: {
      readonly teamId?: string;
      readonly by: Actor | { readonly name: string };
      readonly outcome: ReviewOutcome;
      readonly note?: string | undefined;
    },
  ): Promise<Grant> {
    if (!isUuid(grantId)) throw createUnknownGrantError();
    const { by, outcome, note = null, teamId } = review;
    const actor = 'role' in by ? by : undefined;
    const reviewedBy = 'role' in by ? getActorId(by) : by.name.trim();
    return await this.database.change(async (transaction, record) => {
      const row = await selectGrant(transaction, grantId, teamId);
      if (row === undefined) throw createUnknownGrantError();
      const isOwn =
        actor === undefined
          ? reviewedBy.toLowerCase() === (row.label ?? row.staff_name)?.toLowerCase()
          : await isSamePerson(transaction, actor, row);
      if (isOwn) {
        throw new BreakGlassError(
          'own',
          'A grant must be reviewed by someone other than the person who requested it.',
        );
      }
      if (row.reviewed_ms !== null) {
        if (row.reviewed_by !== reviewedBy || row.outcome !== outcome || row.note !== note) {
          throw new BreakGlassError('reviewed', 'This grant has already been reviewed.');
        }
        return this.#toGrant(row);
      }
      const reviewed = {
        ...{ outcome, note, reviewed_by: reviewedBy },
        ...{ reviewed_ms: this.database.now(), review_salt: createSalt() },
      };
      await updateRows(transaction, 'break_glass', { grant_id: row.grant_id }, reviewed);
      await record(buildGrantAct('breakGlassReview', actor, row, buildReviewDetails(reviewed)));
      return this.#toGrant({ ...row, ...reviewed });
    });
  }

  #toGrant(row: GrantRow): Grant {
    const isLate = this.database.now() > row.granted_ms + REVIEW_MS;
    return { ...row, overdue: row.reviewed_ms === null && isLate };
  }
}

function createUnknownGrantError(): BreakGlassError {
  return new BreakGlassError('unknown', 'No such grant.');
}

export type GrantRow = InferResult<ReturnType<typeof selectWithNames>>[number];

function selectWithNames(db: Kysely<AccessSchema>) {
  return db
    .selectFrom('break_glass')
    .leftJoin('keys', 'keys.key_id', 'break_glass.key_id')
    .leftJoin('staff', 'staff.staff_id', 'break_glass.staff_id')
    .selectAll('break_glass')
    .select((row) => [
      'keys.label',
      'keys.staff_id as key_owner',
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
    .where(matchesTeam(teamId, 'break_glass.team_id'))
    .executeTakeFirst();
}

/** Unreviewed grants are sorted oldest first, so that new ones can't hide them; all grants newest first. */
function selectGrants(
  db: Kysely<AccessSchema>,
  filter: {
    readonly teamId?: string | undefined;
    readonly all: boolean;
    readonly after?: string | undefined;
  },
) {
  const { teamId, all, after } = filter;
  const direction = all ? 'desc' : 'asc';
  return selectWithNames(db)
    .where(matchesTeam(teamId, 'break_glass.team_id'))
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

async function selectActiveGrants(
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

function toHolderColumns(
  actor: Actor,
): Pick<Selectable<AccessSchema['break_glass']>, 'key_id' | 'staff_id' | 'session_id'> {
  return 'keyId' in actor
    ? { key_id: actor.keyId, staff_id: null, session_id: null }
    : { key_id: null, staff_id: actor.staffId, session_id: actor.sessionId };
}

/** API keys of a team with the same label count as one person, so that rotating a key doesn't reset the count. */
async function countRecentGrants(
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

/** Whether two actors are the same person: the same staff member, an API key that belongs to them, or the same key. */
async function isSamePerson(
  db: Kysely<AccessSchema>,
  actor: Actor,
  grant: Pick<GrantRow, 'key_id' | 'staff_id' | 'key_owner'>,
): Promise<boolean> {
  const holder = grant.staff_id ?? grant.key_owner;
  if ('staffId' in actor) {
    return actor.staffId === holder;
  }
  const owner = (await findRow(db, 'keys', { key_id: actor.keyId }))?.staff_id ?? null;
  return actor.keyId === grant.key_id || (owner !== null && owner === holder);
}
