import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** Distance between stored ranks: a page is found by one seek and a scan of fewer index entries than this. */
export const rankStep = 256;

/** Sort key of a user in the list: creation time in microseconds, then the id. */
export interface UserKey {
  readonly createdUs: number;
  readonly userId: Uint8Array;
}

export function isBefore(a: UserKey, b: UserKey): boolean {
  return a.createdUs === b.createdUs
    ? Buffer.compare(a.userId, b.userId) < 0
    : a.createdUs < b.createdUs;
}

/** Rebuilds `user_ranks` of a team from the first changed user on. */
export class UserRanks {
  readonly #forget: StatementSync;
  readonly #last: StatementSync;
  readonly #next: StatementSync;
  readonly #nth: StatementSync;
  readonly #keep: StatementSync;

  constructor(raw: DatabaseSync) {
    this.#forget = raw.prepare(
      'delete from user_ranks where team_id = ? and (created_us, user_id) >= (?, ?)',
    );
    this.#last = raw.prepare(
      `select position, created_us, user_id from user_ranks
        where team_id = ? order by position desc limit 1`,
    );
    this.#nth = raw.prepare(
      `select created_us, user_id from users
        where team_id = ? order by created_us, user_id limit 1 offset ${rankStep}`,
    );
    this.#next = raw.prepare(
      `select created_us, user_id from users
        where team_id = ? and (created_us, user_id) >= (?, ?)
        order by created_us, user_id limit 1 offset ${rankStep}`,
    );
    this.#keep = raw.prepare(
      'insert into user_ranks (team_id, position, created_us, user_id) values (?, ?, ?, ?)',
    );
  }

  /** Must be called in the transaction that changed the users, with the smallest old or new key. */
  rebuild(team: Uint8Array, first: UserKey): void {
    this.#forget.run(team, first.createdUs, first.userId);
    let at = this.#last.get(team) as unknown as RankRow | undefined;
    for (;;) {
      const next = (at === undefined
        ? this.#nth.get(team)
        : this.#next.get(team, at.created_us, at.user_id)) as unknown as KeyRow | undefined;
      if (next === undefined) {
        return;
      }
      at = { ...next, position: (at?.position ?? 0) + rankStep };
      this.#keep.run(team, at.position, at.created_us, at.user_id);
    }
  }
}

interface KeyRow {
  created_us: number;
  user_id: Uint8Array;
}

interface RankRow extends KeyRow {
  position: number;
}
