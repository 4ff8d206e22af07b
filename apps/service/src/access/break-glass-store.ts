import { OperatorError } from '../config/operator-error.ts';
import { isUuid, type BreakGlassReason, type ReviewOutcome } from '@caregate/domain';
import type { Kysely } from 'kysely';
import { randomUUID } from 'node:crypto';
import { newSalt, recordedChange, type RecordAct } from './access-acts.ts';
import type { AccessEvents } from './access-events.ts';
import type { AccessSchema } from './access-schema.ts';
import { grantOf, type Grant } from './grant.ts';
import { grantAct, reviewAct } from './grant-acts.ts';
import type { WithWriteLock } from '../database/with-write-lock.ts';
import type { Principal } from './principal.ts';

const minuteMs = 60_000;
const GRANT_MS = 30 * minuteMs;
/** Number of unreviewed grants of a team that raises an alarm; it does not block further grants. */
const UNREVIEWED_ALARM = 3;
/** Number of grants of one person in 24 hours, above which an alarm is raised; it does not block further grants. */
export const MANY_GRANTS = 5;
const MANY_WITHIN_MS = 24 * 60 * minuteMs;
/** The outcome of a review that ends a grant. */
const REVOKING: ReviewOutcome = 'not_justified';
/** Maximum number of listed grants. */
const listed = 500;

/** A grant that could not be created or reviewed. */
export class BreakGlassError extends OperatorError {
  override readonly name = 'BreakGlassError';
  readonly reason: 'in-force' | 'unknown' | 'reviewed' | 'own';

  constructor(reason: BreakGlassError['reason'], message: string) {
    super(message, 2);
    this.reason = reason;
  }
}

/**
 * Emergency access (45 CFR 164.312(a)(2)(ii)): one key, one patient, 30 minutes, a reason, and a review by someone else
 * within 72 hours.
 */
export class BreakGlassStore {
  readonly #db: Kysely<AccessSchema>;
  readonly #events: AccessEvents;
  readonly #now: () => number;
  readonly #changes: Parameters<typeof recordedChange>[0];
  readonly #manyGrants: number;

  constructor(
    db: Kysely<AccessSchema>,
    parts: {
      readonly events: AccessEvents;
      readonly now: () => number;
      readonly withWriteLock: WithWriteLock;
      readonly acts: RecordAct;
      readonly manyGrants: number;
    },
  ) {
    this.#db = db;
    this.#events = parts.events;
    this.#now = parts.now;
    this.#changes = { db, withWriteLock: parts.withWriteLock, acts: parts.acts };
    this.#manyGrants = parts.manyGrants;
  }

  /**
   * Grants access immediately; the review decides whether it was justified. The patient is not looked up: the grant does
   * not permit anything outside the team.
   *
   * @param asked.text at least 20 letters, `asked.userId` a uuid; both checked by the caller
   * @throws BreakGlassError `in-force`: a grant cannot be renewed before it has expired
   * @throws what `acts` throws if it cannot be recorded; then nothing is granted
   */
  async ask(
    principal: Pick<Principal, 'keyId' | 'teamId' | 'role'>,
    asked: {
      readonly reasonCode: BreakGlassReason;
      readonly text: string;
      readonly userId: string;
    },
  ): Promise<{ readonly grantId: string; readonly expires: Date }> {
    const now = this.#now();
    const { keyId, teamId } = principal;
    const grantId = randomUUID();
    const userId = asked.userId.toLowerCase();
    const expires = new Date(now + GRANT_MS);
    const salt = newSalt();
    const { unreviewed, grants } = await recordedChange(this.#changes, async (transaction) => {
      const running = await transaction
        .selectFrom('break_glass')
        .select('grant_id')
        .where('key_id', '=', keyId)
        .where('user_id', '=', userId)
        .where('expires_ms', '>', now)
        .where((where) =>
          where.or([where('outcome', 'is', null), where('outcome', '!=', REVOKING)]),
        )
        .executeTakeFirst();
      if (running !== undefined) {
        throw new BreakGlassError(
          'in-force',
          'Emergency access to this patient is already active.',
        );
      }
      await transaction
        .insertInto('break_glass')
        .values({
          grant_id: grantId,
          team_id: teamId,
          key_id: keyId,
          user_id: userId,
          reason_code: asked.reasonCode,
          text: asked.text,
          granted_ms: now,
          expires_ms: expires.getTime(),
          reviewed_ms: null,
          reviewed_by: null,
          outcome: null,
          note: null,
          text_salt: salt,
          review_salt: null,
        })
        .execute();
      const grant = { ...asked, grantId, teamId, userId, granted: new Date(now), expires };
      return {
        act: grantAct(principal, grant, salt),
        result: {
          unreviewed: await this.#unreviewed(transaction, teamId),
          grants: await this.#grantsOfPerson(transaction, keyId, now - MANY_WITHIN_MS),
        },
      };
    });
    this.#events.emit('break-glass', { keyId, teamId, grantId });
    if (unreviewed >= UNREVIEWED_ALARM) {
      this.#events.emit('break-glass-unreviewed', { teamId, unreviewed });
    }
    if (grants > this.#manyGrants) {
      this.#events.emit('break-glass-many', { keyId, teamId, grants });
    }
    return { grantId, expires };
  }

  /** The active grants of a key, by patient. A review as not justified ends a grant at once. */
  async inForce(keyId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#db
      .selectFrom('break_glass')
      .select(['user_id', 'grant_id'])
      .where('key_id', '=', keyId)
      .where('expires_ms', '>', this.#now())
      .where((where) => where.or([where('outcome', 'is', null), where('outcome', '!=', REVOKING)]))
      .execute();
    return new Map(rows.map((row) => [row.user_id, row.grant_id]));
  }

  /** At most 500 grants, newest first; of one team, or of all on the command line. */
  async list(which: {
    readonly teamId?: string | undefined;
    readonly all: boolean;
  }): Promise<Grant[]> {
    const query = this.#newestFirst(which.teamId)
      .$if(!which.all, (grants) => grants.where('reviewed_ms', 'is', null))
      .limit(listed);
    return (await query.execute()).map((row) => grantOf(row, this.#now()));
  }

  /** All grants, newest first, to compare them with the audit log. */
  async every(teamId: string | undefined): Promise<Grant[]> {
    const rows = await this.#newestFirst(teamId).execute();
    return rows.map((row) => grantOf(row, this.#now()));
  }

  /**
   * @param by who reviews: `keyId` over HTTP, `name` on the command line
   * @throws BreakGlassError `unknown` (also for another team's), `reviewed`, `own`
   * @throws what `acts` throws if it cannot be recorded; then the grant is unchanged
   */
  async review(
    grantId: string,
    review: {
      readonly teamId?: string;
      readonly by: Pick<Principal, 'keyId' | 'role'> | { readonly name: string };
      readonly outcome: ReviewOutcome;
      readonly note?: string | undefined;
    },
  ): Promise<Grant> {
    if (!isUuid(grantId)) {
      throw unknownGrant();
    }
    const { by, outcome, note } = review;
    const salt = newSalt();
    return await recordedChange(this.#changes, async (transaction) => {
      const find = this.#grants(transaction)
        .where('grant_id', '=', grantId.toLowerCase())
        .$if(review.teamId !== undefined, (query) =>
          query.where('break_glass.team_id', '=', review.teamId ?? ''),
        );
      const row = await find.executeTakeFirst();
      if (row === undefined) {
        throw unknownGrant();
      }
      const own =
        'keyId' in by
          ? by.keyId === row.key_id
          : by.name.trim().toLowerCase() === row.label.toLowerCase();
      if (own) {
        throw new BreakGlassError(
          'own',
          'A grant must be reviewed by someone other than the person who requested it.',
        );
      }
      if (row.reviewed_ms !== null) {
        throw new BreakGlassError('reviewed', 'This grant has already been reviewed.');
      }
      const reviewedBy = 'keyId' in by ? by.keyId : by.name.trim();
      await transaction
        .updateTable('break_glass')
        .set({
          reviewed_ms: this.#now(),
          reviewed_by: reviewedBy,
          outcome,
          note: note ?? null,
          review_salt: salt,
        })
        .where('grant_id', '=', row.grant_id)
        .execute();
      const result = grantOf(await find.executeTakeFirstOrThrow(), this.#now());
      const key = 'keyId' in by ? by : undefined;
      return { act: reviewAct(key, result, { outcome, reviewedBy, note }, salt), result };
    });
  }

  async #unreviewed(db: Kysely<AccessSchema>, teamId: string): Promise<number> {
    const { count } = await db
      .selectFrom('break_glass')
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('team_id', '=', teamId)
      .where('reviewed_ms', 'is', null)
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Counts the keys of the team with the same label as one person, so that a rotation does not start anew. */
  async #grantsOfPerson(db: Kysely<AccessSchema>, keyId: string, sinceMs: number): Promise<number> {
    const { count } = await db
      .selectFrom('break_glass')
      .innerJoin('keys', 'keys.key_id', 'break_glass.key_id')
      .innerJoin('keys as own', (join) =>
        join.onRef('own.team_id', '=', 'keys.team_id').onRef('own.label', '=', 'keys.label'),
      )
      .select((row) => row.fn.countAll<number>().as('count'))
      .where('own.key_id', '=', keyId)
      .where('granted_ms', '>', sinceMs)
      .executeTakeFirstOrThrow();
    return count;
  }

  #newestFirst(teamId: string | undefined) {
    return this.#grants()
      .$if(teamId !== undefined, (query) =>
        query.where('break_glass.team_id', '=', (teamId ?? '').toLowerCase()),
      )
      .orderBy('granted_ms', 'desc')
      .orderBy('grant_id');
  }

  #grants(db: Kysely<AccessSchema> = this.#db) {
    return db
      .selectFrom('break_glass')
      .innerJoin('keys', 'keys.key_id', 'break_glass.key_id')
      .selectAll('break_glass')
      .select(['keys.label', 'keys.role']);
  }
}

function unknownGrant(): BreakGlassError {
  return new BreakGlassError('unknown', 'No such grant.');
}
