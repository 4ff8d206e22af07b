import { ACCESS_ACTS, type AccessChanges } from '../access-acts.ts';
import type { SessionRow } from './session-lookup.ts';
import { SESSION_MS, sessionAct } from './session-store.ts';
import { matches, newHash } from '../staff/slow-hash.ts';
import { endSessions } from '../staff/staff-store.ts';

/** Of a person at a desk, until they sign in again. */
const PIN_TRIES = 5;

export type UnlockResult =
  | { readonly kind: 'unlocked' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'tried-out' }
  | { readonly kind: 'no-pin' };

export class PinStore {
  readonly #changes: AccessChanges;

  constructor(changes: AccessChanges) {
    this.#changes = changes;
  }

  async isSet(staffId: string): Promise<boolean> {
    const row = await this.#changes.db
      .selectFrom('pins')
      .select('staff_id')
      .where('staff_id', '=', staffId)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** @param pin checked by `pinProblem` @throws BusyError */
  async set(session: SessionRow, pin: string): Promise<void> {
    const { salt, hash } = await newHash(pin);
    const values = { salt, pin_hash: hash, set_ms: this.#changes.now() };
    await this.#changes.make(async (transaction) => {
      await transaction
        .insertInto('pins')
        .values({ staff_id: session.staff_id, ...values })
        .onConflict((conflict) => conflict.column('staff_id').doUpdateSet(values))
        .execute();
      return { act: sessionAct(ACCESS_ACTS.setPin, session), result: undefined };
    });
  }

  /** Counts the try before comparing, so that concurrent tries all count. @throws BusyError */
  async unlock(session: SessionRow, pin: string): Promise<UnlockResult> {
    const stored = await this.#changes.db
      .selectFrom('pins')
      .selectAll()
      .where('staff_id', '=', session.staff_id)
      .executeTakeFirst();
    if (stored === undefined) {
      return { kind: 'no-pin' };
    }
    const tries = await this.#countTry(session);
    if (tries === undefined) {
      return { kind: 'tried-out' };
    }
    const isRight = await matches(pin, { salt: stored.salt, hash: stored.pin_hash });
    return isRight ? await this.#unlocked(session) : await this.#wrong(session, PIN_TRIES - tries);
  }

  async #unlocked(session: SessionRow): Promise<UnlockResult> {
    const now = this.#changes.now();
    await this.#changes.make(async (transaction) => {
      await transaction
        .deleteFrom('pin_tries')
        .where('staff_id', '=', session.staff_id)
        .where('desk_id', '=', session.desk_id)
        .execute();
      const { numUpdatedRows } = await transaction
        .updateTable('sessions')
        .set({ locked_ms: null, expires_ms: Math.min(now + SESSION_MS, session.ends_ms) })
        .where('session_id', '=', session.session_id)
        .where('locked_ms', 'is not', null)
        .where('ended_ms', 'is', null)
        .executeTakeFirst();
      const act = numUpdatedRows === 0n ? undefined : sessionAct(ACCESS_ACTS.unlock, session);
      return { act, result: undefined };
    });
    return { kind: 'unlocked' };
  }

  async #wrong(session: SessionRow, triesLeft: number): Promise<UnlockResult> {
    await this.#changes.make(async (transaction) => {
      if (triesLeft === 0) {
        const { session_id } = session;
        await endSessions(transaction, { session_id }, this.#changes.now());
      }
      const details = { tries_left: triesLeft };
      return { act: sessionAct(ACCESS_ACTS.wrongPin, session, details), result: undefined };
    });
    return triesLeft === 0 ? { kind: 'tried-out' } : { kind: 'wrong', triesLeft };
  }

  /** In one statement, for all instances. Undefined: no tries left. */
  async #countTry({ staff_id, desk_id }: SessionRow): Promise<number | undefined> {
    return await this.#changes.withWriteLock(this.#changes.db, async (transaction) => {
      const row = await transaction
        .insertInto('pin_tries')
        .values({ staff_id, desk_id, tries: 1 })
        .onConflict((conflict) =>
          conflict
            .columns(['staff_id', 'desk_id'])
            .doUpdateSet((old) => ({ tries: old('pin_tries.tries', '+', 1) }))
            .where('pin_tries.tries', '<', PIN_TRIES),
        )
        .returning('tries')
        .executeTakeFirst();
      return row?.tries;
    });
  }
}
