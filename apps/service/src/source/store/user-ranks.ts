import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { prepareAll } from '../../database/sqlite/prepare-all.ts';

/** A page needs one seek and a scan of fewer index entries. */
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

const STATEMENTS = {
  forget: 'delete from user_ranks where team_id = ? and (created_us, user_id) >= (?, ?)',
  last: `select position, created_us, user_id from user_ranks
        where team_id = ? order by position desc limit 1`,
  nth: `select created_us, user_id from users
        where team_id = ? order by created_us, user_id limit 1 offset ${rankStep}`,
  next: `select created_us, user_id from users
        where team_id = ? and (created_us, user_id) >= (?, ?)
        order by created_us, user_id limit 1 offset ${rankStep}`,
  keep: 'insert into user_ranks (team_id, position, created_us, user_id) values (?, ?, ?, ?)',
};

/** Rebuilds `user_ranks` of a team from the first changed user on. */
export class UserRanks {
  readonly #statements: Record<keyof typeof STATEMENTS, StatementSync>;

  constructor(raw: DatabaseSync) {
    this.#statements = prepareAll(raw, STATEMENTS);
  }

  /** In the transaction that changed users, with the smallest old or new key. */
  rebuild(team: Uint8Array, first: UserKey): void {
    this.#statements.forget.run(team, first.createdUs, first.userId);
    let at = this.#statements.last.get(team) as unknown as RankRow | undefined;
    for (;;) {
      const next = (at === undefined
        ? this.#statements.nth.get(team)
        : this.#statements.next.get(team, at.created_us, at.user_id)) as unknown as
        | KeyRow
        | undefined;
      if (next === undefined) {
        return;
      }
      at = { ...next, position: (at?.position ?? 0) + rankStep };
      this.#statements.keep.run(team, at.position, at.created_us, at.user_id);
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
