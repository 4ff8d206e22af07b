import { OperatorError } from '../config/operator-error.ts';
import { isUuid, type BreakGlassReason, type ReviewOutcome } from '@caregate/domain';
import type { Kysely, Selectable } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { AccessEvents } from './access-events.ts';
import type { AccessSchema } from './access-schema.ts';
import type { WithWriteLock } from '../database/with-write-lock.ts';
import type { Principal } from './principal.ts';
import type { Role } from '../operations/roles.ts';

const minuteMs = 60_000;
const GRANT_MS = 30 * minuteMs;
const REVIEW_WITHIN_MS = 72 * 60 * minuteMs;
/** Number of unreviewed grants of a team that raises an alarm; it does not block further grants. */
const UNREVIEWED_ALARM = 3;
/** Maximum number of listed grants. */
const listed = 500;

export interface Grant {
  readonly grantId: string;
  readonly teamId: string;
  readonly keyId: string;
  readonly keyLabel: string;
  readonly role: Role;
  readonly userId: string;
  readonly reasonCode: string;
  readonly text: string;
  readonly granted: Date;
  readonly expires: Date;
  readonly reviewDue: Date;
  /** Not reviewed in time. */
  readonly overdue: boolean;
  readonly reviewed: Date | undefined;
  readonly reviewedBy: string | undefined;
  readonly outcome: string | undefined;
  readonly note: string | undefined;
}

/** A grant that could not be created or reviewed. */
export class BreakGlassError extends OperatorError {
  override readonly name = 'BreakGlassError';
  readonly reason: 'in-force' | 'unknown' | 'reviewed' | 'own';

  constructor(reason: BreakGlassError['reason'], message: string) {
    super(message, 2);
    this.reason = reason;
  }
}

type GrantRow = Selectable<AccessSchema['break_glass']>;

/**
 * Emergency access (45 CFR 164.312(a)(2)(ii)): one key, one patient, 30 minutes, a reason, and a review by someone else
 * within 72 hours.
 */
export class BreakGlassStore {
  readonly #db: Kysely<AccessSchema>;
  readonly #events: AccessEvents;
  readonly #now: () => number;
  readonly #withWriteLock: WithWriteLock;

  constructor(
    db: Kysely<AccessSchema>,
    parts: {
      readonly events: AccessEvents;
      readonly now: () => number;
      readonly withWriteLock: WithWriteLock;
    },
  ) {
    this.#db = db;
    this.#events = parts.events;
    this.#now = parts.now;
    this.#withWriteLock = parts.withWriteLock;
  }

  /**
   * Grants access immediately; the review decides whether it was justified. The patient is not looked up: the grant does
   * not permit anything outside the team.
   *
   * @param asked.text at least 20 characters, `asked.userId` a uuid; both checked by the caller
   * @throws BreakGlassError `in-force`: a grant cannot be renewed before it has expired
   */
  async ask(
    principal: Pick<Principal, 'keyId' | 'teamId'>,
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
    const unreviewed = await this.#withWriteLock(this.#db, async (transaction) => {
      const running = await transaction
        .selectFrom('break_glass')
        .select('grant_id')
        .where('key_id', '=', keyId)
        .where('user_id', '=', userId)
        .where('expires_ms', '>', now)
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
          expires_ms: now + GRANT_MS,
          reviewed_ms: null,
          reviewed_by: null,
          outcome: null,
          note: null,
        })
        .execute();
      const count = await transaction
        .selectFrom('break_glass')
        .select((row) => row.fn.countAll<number>().as('unreviewed'))
        .where('team_id', '=', teamId)
        .where('reviewed_ms', 'is', null)
        .executeTakeFirstOrThrow();
      return count.unreviewed;
    });
    this.#events.emit('break-glass', { keyId, teamId, grantId });
    if (unreviewed >= UNREVIEWED_ALARM) {
      this.#events.emit('break-glass-unreviewed', { teamId, unreviewed });
    }
    return { grantId, expires: new Date(now + GRANT_MS) };
  }

  /** The active grants of a key, by patient. */
  async inForce(keyId: string): Promise<ReadonlyMap<string, string>> {
    const rows = await this.#db
      .selectFrom('break_glass')
      .select(['user_id', 'grant_id'])
      .where('key_id', '=', keyId)
      .where('expires_ms', '>', this.#now())
      .execute();
    return new Map(rows.map((row) => [row.user_id, row.grant_id]));
  }

  /** At most 500 grants, newest first; of one team, or of all on the command line. */
  async list(which: {
    readonly teamId?: string | undefined;
    readonly all: boolean;
  }): Promise<Grant[]> {
    const rows = await this.#grants()
      .$if(which.teamId !== undefined, (query) =>
        query.where('break_glass.team_id', '=', (which.teamId ?? '').toLowerCase()),
      )
      .$if(!which.all, (query) => query.where('reviewed_ms', 'is', null))
      .orderBy('granted_ms', 'desc')
      .orderBy('grant_id')
      .limit(listed)
      .execute();
    return rows.map((row) => grantOf(row, this.#now()));
  }

  /**
   * @param by who reviews: `keyId` over HTTP, `name` on the command line
   * @throws BreakGlassError `unknown` (also for another team's), `reviewed`, `own`
   */
  async review(
    grantId: string,
    review: {
      readonly teamId?: string;
      readonly by: { readonly keyId: string } | { readonly name: string };
      readonly outcome: ReviewOutcome;
      readonly note?: string | undefined;
    },
  ): Promise<Grant> {
    if (!isUuid(grantId)) {
      throw unknownGrant();
    }
    return await this.#withWriteLock(this.#db, async (transaction) => {
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
        'keyId' in review.by
          ? review.by.keyId === row.key_id
          : review.by.name.trim().toLowerCase() === row.label.toLowerCase();
      if (own) {
        throw new BreakGlassError(
          'own',
          'A grant must be reviewed by someone other than the person who requested it.',
        );
      }
      if (row.reviewed_ms !== null) {
        throw new BreakGlassError('reviewed', 'This grant has already been reviewed.');
      }
      await transaction
        .updateTable('break_glass')
        .set({
          reviewed_ms: this.#now(),
          reviewed_by: 'keyId' in review.by ? review.by.keyId : review.by.name.trim(),
          outcome: review.outcome,
          note: review.note ?? null,
        })
        .where('grant_id', '=', row.grant_id)
        .execute();
      return grantOf(await find.executeTakeFirstOrThrow(), this.#now());
    });
  }

  #grants(db: Kysely<AccessSchema> = this.#db) {
    return db
      .selectFrom('break_glass')
      .innerJoin('keys', 'keys.key_id', 'break_glass.key_id')
      .selectAll('break_glass')
      .select(['keys.label', 'keys.role']);
  }
}

function grantOf(row: GrantRow & { label: string; role: string }, now: number): Grant {
  const reviewDueMs = row.granted_ms + REVIEW_WITHIN_MS;
  return {
    grantId: row.grant_id,
    teamId: row.team_id,
    keyId: row.key_id,
    keyLabel: row.label,
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
  };
}

function unknownGrant(): BreakGlassError {
  return new BreakGlassError('unknown', 'No such grant.');
}
