import { scrypt, timingSafeEqual } from 'node:crypto';
import { createSalt } from '../access-acts.ts';
import { findRow, Repository, updateRows } from './repository.ts';
import { SESSION_MS, buildSessionAct, type SessionRow } from './session.repository.ts';
import { endSessions } from './staff.repository.ts';

/** Number of tries to enter the PIN of a session. After that, the user must sign in again. */
const PIN_TRIES = 5;

export type UnlockResult =
  | { readonly kind: 'unlocked' }
  | { readonly kind: 'wrong'; readonly triesLeft: number }
  | { readonly kind: 'tried-out' }
  | { readonly kind: 'no-pin' };

/** PINs. Each staff member has one to unlock their session. */
export class PinRepository extends Repository {
  /** @param pin a PIN that `findPinProblem` has accepted */
  async set(session: SessionRow, pin: string): Promise<void> {
    const salt = createSalt();
    const values = { pin_salt: salt, pin_hash: await hashPin(pin, salt) };
    await this.database.change(async (transaction, record) => {
      await updateRows(transaction, 'staff', { staff_id: session.staff_id }, values);
      await record(buildSessionAct('pinSet', session));
    });
  }

  /** Counts the try before comparing the PIN, so that concurrent tries are all counted. */
  async unlock(session: SessionRow, pin: string): Promise<UnlockResult> {
    const { staff_id } = session;
    const staff = await findRow(this.database.reader, 'staff', { staff_id });
    const { pin_salt: salt = null, pin_hash: hash = null } = staff ?? {};
    if (salt === null || hash === null) {
      return { kind: 'no-pin' };
    }
    const tries = await this.#countTry(session);
    if (tries === undefined) {
      return { kind: 'tried-out' };
    }
    const isRight = timingSafeEqual(await hashPin(pin, salt), hash);
    return isRight
      ? await this.#completeUnlock(session)
      : await this.#recordWrongPin(session, PIN_TRIES - tries);
  }

  async #completeUnlock(session: SessionRow): Promise<UnlockResult> {
    const now = this.database.now();
    await this.database.change(async (transaction, record) => {
      const { session_id } = session;
      await updateRows(transaction, 'sessions', { session_id }, { pin_tries: 0 });
      const unlocked = await transaction
        .updateTable('sessions')
        .set({ locked_ms: null, expires_ms: Math.min(now + SESSION_MS, session.ends_ms) })
        .where('session_id', '=', session_id)
        .where('locked_ms', 'is not', null)
        .where('ended_ms', 'is', null)
        .executeTakeFirst();
      if (unlocked.numUpdatedRows > 0n) {
        await record(buildSessionAct('sessionUnlocked', session));
      }
    });
    return { kind: 'unlocked' };
  }

  async #recordWrongPin(session: SessionRow, triesLeft: number): Promise<UnlockResult> {
    await this.database.change(async (transaction, record) => {
      if (triesLeft === 0) {
        const { session_id } = session;
        await endSessions(transaction, { session_id }, this.database.now());
      }
      await record(buildSessionAct('pinWrong', session, { tries_left: triesLeft }));
    });
    return triesLeft === 0 ? { kind: 'tried-out' } : { kind: 'wrong', triesLeft };
  }

  /** Counts a try in one statement, for all instances. Returns undefined if no tries are left. */
  async #countTry({ session_id }: SessionRow): Promise<number | undefined> {
    return await this.database.change(async (transaction) => {
      const row = await transaction
        .updateTable('sessions')
        .set((old) => ({ pin_tries: old('pin_tries', '+', 1) }))
        .where('session_id', '=', session_id)
        .where('pin_tries', '<', PIN_TRIES)
        .returning('pin_tries')
        .executeTakeFirst();
      return row?.pin_tries;
    });
  }
}

/**
 * Hashes with scrypt, which takes 32 MiB and about 100 ms. A stolen table of PINs takes days for each PIN, while
 * unlocking takes less than 300 ms.
 */
async function hashPin(pin: string, salt: Uint8Array): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    scrypt(pin, salt, 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 2 ** 20 }, (error, hash) => {
      if (error === null) {
        resolve(hash);
      } else {
        reject(error);
      }
    });
  });
}
