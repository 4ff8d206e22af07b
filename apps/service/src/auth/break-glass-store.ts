import { OperatorError } from '../config/operator-error.ts';
import {
  EMERGENCY_MINUTES,
  isUuid,
  type BreakGlassReason,
  type ReviewOutcome,
} from '@caregate/domain';
import { randomUUID } from 'node:crypto';
import { newSalt, type AccessChanges } from './access-acts.ts';
import { whoOf, type AccessEvents } from './access-events.ts';
import { grantOf, type Grant } from './grant.ts';
import { endGrantAct, grantAct, reviewAct } from './grant-acts.ts';
import {
  grantRows,
  grantsInForce,
  grantsOfPerson,
  holderOf,
  isSamePerson,
  unreviewedGrants,
  type Holder,
} from './grant-rows.ts';
import { actorIdOf, type Actor } from './principal.ts';

const minuteMs = 60_000;
const GRANT_MS = EMERGENCY_MINUTES * minuteMs;
/** Unreviewed grants of a team; from here on, an alarm. */
const UNREVIEWED_ALARM = 3;
/** Grants of one person in 24 hours; above it, an alarm. */
const MANY_GRANTS = 5;
const MANY_WITHIN_MS = 24 * 60 * minuteMs;
/** Grants of one person in 30 minutes, more than anybody can treat: made-up ones must not bury those to review. */
export const MOST_GRANTS = 50;
const PAGE = 100;

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

interface Counts {
  readonly unreviewed: number;
  readonly grants: number;
}

export class BreakGlassError extends OperatorError {
  override readonly name = 'BreakGlassError';
  readonly reason: 'in-force' | 'too-many' | 'unknown' | 'reviewed' | 'own';

  constructor(reason: BreakGlassError['reason'], message: string) {
    super(message, 2);
    this.reason = reason;
  }
}

/** Emergency access (45 CFR 164.312(a)(2)(ii)): one patient, 30 minutes, a reason, and a review by someone else. */
export class BreakGlassStore {
  readonly #events: AccessEvents;
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges, events: AccessEvents) {
    this.#changes = changes;
    this.#events = events;
  }

  /** A person who asks again gets the grant in force; a key may be shared, so it is refused. @throws BreakGlassError */
  async ask(
    principal: Actor & { readonly teamId: string },
    asked: RequestedGrant,
  ): Promise<Granted> {
    const { teamId } = principal;
    const userId = asked.userId.toLowerCase();
    const { granted, counts } = await this.#changes.make<{
      granted: Granted;
      counts: Counts | undefined;
    }>(async (transaction) => {
      // Inside the lock: a grant may expire while waiting for it.
      const now = this.#changes.now();
      const inForce = await grantsInForce(transaction, principal, now);
      const own = inForce.find(({ user_id: patient }) => patient === userId);
      if (own !== undefined && 'keyId' in principal) {
        throw new BreakGlassError(
          'in-force',
          'Emergency access to this patient is already active.',
        );
      }
      if (own !== undefined) {
        const expires = new Date(own.expires_ms);
        const repeated = { grantId: own.grant_id, expires, isRepeated: true };
        return { act: undefined, result: { granted: repeated, counts: undefined } };
      }
      if ((await grantsOfPerson(transaction, principal, now - GRANT_MS)) >= MOST_GRANTS) {
        throw new BreakGlassError(
          'too-many',
          `Emergency access was asked for ${MOST_GRANTS} times in ${EMERGENCY_MINUTES} minutes.`,
        );
      }
      const grant = { ...asked, grantId: randomUUID(), teamId, userId };
      const times = { granted: new Date(now), expires: new Date(now + GRANT_MS) };
      const salt = newSalt();
      await transaction
        .insertInto('break_glass')
        .values({
          ...{ grant_id: grant.grantId, team_id: teamId, user_id: userId, ...holderOf(principal) },
          ...{ reason_code: asked.reasonCode, text: asked.text, text_salt: salt },
          ...{ granted_ms: now, expires_ms: times.expires.getTime(), ended_ms: null },
          ...{ reviewed_ms: null, reviewed_by: null, outcome: null, note: null, review_salt: null },
        })
        .execute();
      return {
        act: grantAct(principal, { ...grant, ...times }, salt),
        result: {
          granted: { grantId: grant.grantId, expires: times.expires, isRepeated: false },
          counts: {
            unreviewed: await unreviewedGrants(transaction, teamId),
            grants: await grantsOfPerson(transaction, principal, now - MANY_WITHIN_MS),
          },
        },
      };
    });
    if (counts !== undefined) {
      this.#alarm(principal, granted.grantId, counts);
    }
    return granted;
  }

  /** By patient. A review as not justified ends a grant. */
  async inForce(holder: Holder): Promise<ReadonlyMap<string, string>> {
    const rows = await grantsInForce(this.#changes.db, holder, this.#changes.now());
    return new Map(rows.map((row) => [row.user_id, row.grant_id]));
  }

  /** @throws BreakGlassError `unknown`, also for a grant of another or one that is over */
  async end(by: Actor & { readonly teamId: string }, grantId: string): Promise<void> {
    await this.#changes.make(async (transaction) => {
      const inForce = await grantsInForce(transaction, by, this.#changes.now());
      const row = inForce.find(({ grant_id: id }) => id === grantId.toLowerCase());
      if (row === undefined) {
        throw unknownGrant();
      }
      await transaction
        .updateTable('break_glass')
        .set({ ended_ms: this.#changes.now() })
        .where('grant_id', '=', row.grant_id)
        .execute();
      const facts = { grantId: row.grant_id, teamId: by.teamId, userId: row.user_id };
      return { act: endGrantAct(by, facts), result: undefined };
    });
  }

  /** @returns undefined if `after` is no grant of the team; `next` is undefined on the last page */
  async page(which: {
    readonly teamId: string;
    readonly all: boolean;
    readonly after?: string | undefined;
  }): Promise<{ readonly grants: Grant[]; readonly next: string | undefined } | undefined> {
    const { teamId, all, after } = which;
    if (
      after !== undefined &&
      (await grantRows(this.#changes.db, { grantId: after, teamId })).length === 0
    ) {
      return undefined;
    }
    const rows = await grantRows(this.#changes.db, {
      teamId,
      unreviewed: !all,
      after,
      most: PAGE + 1,
    });
    const grants = rows.slice(0, PAGE).map((row) => grantOf(row, this.#changes.now()));
    return { grants, next: rows.length > PAGE ? grants.at(-1)?.grantId : undefined };
  }

  async list(which: {
    readonly teamId?: string | undefined;
    readonly all: boolean;
  }): Promise<Grant[]> {
    const { teamId, all } = which;
    const rows = await grantRows(this.#changes.db, { teamId, unreviewed: !all });
    return rows.map((row) => grantOf(row, this.#changes.now()));
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
    const { by, outcome, note } = review;
    const salt = newSalt();
    return await this.#changes.make(async (transaction) => {
      const which = { grantId, teamId: review.teamId };
      const [row] = await grantRows(transaction, which);
      if (row === undefined) {
        throw unknownGrant();
      }
      const own = !isActor(by)
        ? by.name.trim().toLowerCase() === (row.label ?? row.staff_name)?.toLowerCase()
        : await isSamePerson(transaction, by, row);
      if (own) {
        throw new BreakGlassError(
          'own',
          'A grant must be reviewed by someone other than the person who requested it.',
        );
      }
      const reviewedBy = isActor(by) ? actorIdOf(by) : by.name.trim();
      if (row.reviewed_ms !== null) {
        const isSame =
          row.reviewed_by === reviewedBy && row.outcome === outcome && row.note === (note ?? null);
        if (!isSame) {
          throw new BreakGlassError('reviewed', 'This grant has already been reviewed.');
        }
        return { act: undefined, result: grantOf(row, this.#changes.now()) };
      }
      await transaction
        .updateTable('break_glass')
        .set({
          reviewed_ms: this.#changes.now(),
          reviewed_by: reviewedBy,
          outcome,
          note: note ?? null,
          review_salt: salt,
        })
        .where('grant_id', '=', row.grant_id)
        .execute();
      const [reviewed = row] = await grantRows(transaction, which);
      const result = grantOf(reviewed, this.#changes.now());
      const actor = isActor(by) ? by : undefined;
      return { act: reviewAct(actor, result, { outcome, reviewedBy, note }, salt), result };
    });
  }

  #alarm(
    principal: Actor & { readonly teamId: string },
    grantId: string,
    { unreviewed, grants }: Counts,
  ): void {
    const { teamId } = principal;
    const who = whoOf(principal);
    this.#events.emit('break-glass', { ...who, teamId, grantId });
    if (unreviewed >= UNREVIEWED_ALARM) {
      this.#events.emit('break-glass-unreviewed', { teamId, unreviewed });
    }
    if (grants > MANY_GRANTS) {
      this.#events.emit('break-glass-many', { ...who, teamId, grants });
    }
  }
}

/** A `Principal` has a name, too. */
function isActor(by: Actor | { readonly name: string }): by is Actor {
  return 'keyId' in by || 'staffId' in by;
}

function unknownGrant(): BreakGlassError {
  return new BreakGlassError('unknown', 'No such grant.');
}
