import type { Issue } from '@caregate/domain/validate';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreForWriting } from '../open-store.ts';
import { isBefore, UserRanks, type UserKey } from '../user-ranks.ts';
import { ImportFailedError, type Counts } from './import-types.ts';
import { PointsWriter } from './points-writer.ts';
import type { InsuranceRecord, LabResultRecord, StoreRecord, UserRecord } from './record.ts';
import {
  takenClientUserId,
  takenOrder,
  unknownUser,
  type LateRefusal,
  type RecordWriter,
} from './record-writer.ts';
import { isBusy } from '../../../database/sqlite/sqlite-errors.ts';

/**
 * Writes health data to SQLite: one transaction at a time, with prepared statements, synchronously. Importing the same
 * records again changes nothing; a record with an existing key and a different body replaces the old one.
 */
export class StoreWriter implements RecordWriter {
  readonly #raw: DatabaseSync;
  readonly #statements: ReturnType<typeof prepare>;
  readonly #points: PointsWriter;
  readonly #ranks: UserRanks;
  readonly #teams = new Map<string, { team: Uint8Array; added: number; first: UserKey }>();
  #knownUser = '';

  private constructor(raw: DatabaseSync) {
    this.#raw = raw;
    this.#statements = prepare(raw);
    this.#points = new PointsWriter(raw);
    this.#ranks = new UserRanks(raw);
  }

  /** Opens the store of a data folder; creates it if it is missing. */
  static async open(dataFolder: string): Promise<StoreWriter> {
    return new StoreWriter(await openStoreForWriting(dataFolder));
  }

  /**
   * Begins a transaction. Waits if another process has one.
   *
   * @throws ImportFailedError if the other process is still writing after `waitMs`
   */
  async begin(waitMs: number, onWaiting?: () => void): Promise<void> {
    const patience = AbortSignal.timeout(waitMs);
    for (let told = false; ;) {
      try {
        this.#raw.exec('begin immediate');
        return;
      } catch (error) {
        if (!isBusy(error)) {
          throw error;
        }
        if (patience.aborted) {
          throw new ImportFailedError(
            'store',
            'Another process is still writing to this store. Try again later.',
            error,
          );
        }
        if (!told) {
          told = true;
          onWaiting?.();
        }
        await sleep(100);
      }
    }
  }

  /** Writes a record, or returns why it is refused, without writing anything. */
  put(record: StoreRecord, counts: Counts): Issue | undefined {
    switch (record.kind) {
      case 'user':
        return this.#putUser(record, counts);
      case 'lab_result':
        return this.#putLabResult(record, counts);
      case 'insurance':
        return this.#putInsurance(record, counts);
      case 'mindfulness_minutes':
        if (!this.#hasUser(record.team, record.user)) {
          return unknownUser;
        }
        this.#points.put(record, counts);
        return undefined;
    }
  }

  /** Records are written immediately by put. */
  drain(): Promise<void> {
    return Promise.resolve();
  }

  /** All problems are found by put. */
  async *settle(): AsyncIterable<LateRefusal> {}

  /** Updates totals and ranks, and makes everything since {@link begin} durable. */
  commit(): void {
    for (const { team, added, first } of this.#teams.values()) {
      this.#statements.addToTotal.run(team, added);
      this.#ranks.rebuild(team, first);
    }
    this.#raw.exec('commit');
    this.#forget();
  }

  /** Leaves the store as it was before {@link begin}. */
  rollback(): void {
    this.#forget();
    // On a full disk or a read error, SQLite has already rolled back.
    if (this.#raw.isTransaction) {
      this.#raw.exec('rollback');
    }
  }

  /** Checkpoints and truncates the WAL, as far as readers allow. */
  tidy(): void {
    try {
      this.#raw.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // Everything committed is already durable in the WAL; the next checkpoint will retry.
    }
  }

  close(): void {
    this.#raw.close();
  }

  #putUser(record: UserRecord, counts: Counts): Issue | undefined {
    const { team, user, clientUserId, createdUs, body } = record;
    const added = this.#statements.addUser.run(team, user, clientUserId, createdUs, body);
    if (added.changes === 1) {
      counts.added += 1;
      this.#touch(record, 1, createdUs);
      return undefined;
    }
    const before = this.#statements.user.get(team, user);
    if (before === undefined) {
      return takenClientUserId;
    }
    if (before['body'] === body) {
      counts.unchanged += 1;
      return undefined;
    }
    const owner = this.#statements.userByClientId.get(team, clientUserId);
    if (owner !== undefined && !sameBytes(owner['user_id'], user)) {
      return takenClientUserId;
    }
    this.#statements.changeUser.run(clientUserId, createdUs, body, team, user);
    counts.updated += 1;
    const createdBefore = Number(before['created_us']);
    if (createdBefore !== createdUs) {
      this.#touch(record, 0, Math.min(createdBefore, createdUs));
    }
    return undefined;
  }

  #putLabResult(record: LabResultRecord, counts: Counts): Issue | undefined {
    const { team, user, order, body } = record;
    if (!this.#hasUser(team, user)) {
      return unknownUser;
    }
    if (this.#statements.addLabResult.run(team, order, user, body).changes === 1) {
      counts.added += 1;
      return undefined;
    }
    const before = this.#statements.labResult.get(team, order);
    if (!sameBytes(before?.['user_id'], user)) {
      return takenOrder;
    }
    if (before?.['body'] === body) {
      counts.unchanged += 1;
    } else {
      this.#statements.changeLabResult.run(body, team, order);
      counts.updated += 1;
    }
    return undefined;
  }

  #putInsurance(record: InsuranceRecord, counts: Counts): Issue | undefined {
    const { team, user, isPrimary, recordedUs, body } = record;
    if (!this.#hasUser(team, user)) {
      return unknownUser;
    }
    const key = [team, user, isPrimary, recordedUs] as const;
    if (this.#statements.addInsurance.run(...key, body).changes === 1) {
      counts.added += 1;
    } else if (this.#statements.changeInsurance.run(body, ...key, body).changes === 1) {
      counts.updated += 1;
    } else {
      counts.unchanged += 1;
    }
    return undefined;
  }

  #hasUser(team: Uint8Array, user: Uint8Array): boolean {
    // In most files the lines of a user are adjacent.
    const name = Buffer.concat([team, user]).toString('latin1');
    if (name === this.#knownUser) {
      return true;
    }
    const known = this.#statements.userExists.get(team, user) !== undefined;
    this.#knownUser = known ? name : '';
    return known;
  }

  #touch({ team, user }: UserRecord, added: number, createdUs: number): void {
    const key = { createdUs, userId: user };
    const name = Buffer.from(team).toString('latin1');
    const touched = this.#teams.get(name);
    if (touched === undefined) {
      this.#teams.set(name, { team, added, first: key });
      return;
    }
    touched.added += added;
    if (isBefore(key, touched.first)) {
      touched.first = key;
    }
  }

  #forget(): void {
    this.#teams.clear();
    this.#knownUser = '';
  }
}

function prepare(raw: DatabaseSync): Record<StatementName, StatementSync> {
  return {
    addUser: raw.prepare(
      `insert into users (team_id, user_id, client_user_id, created_us, body)
        values (?, ?, ?, ?, ?) on conflict do nothing`,
    ),
    user: raw.prepare('select created_us, body from users where team_id = ? and user_id = ?'),
    userExists: raw.prepare('select 1 from users where team_id = ? and user_id = ?'),
    userByClientId: raw.prepare(
      'select user_id from users where team_id = ? and client_user_id = ?',
    ),
    changeUser: raw.prepare(
      `update users set client_user_id = ?, created_us = ?, body = ?
        where team_id = ? and user_id = ?`,
    ),
    addToTotal: raw.prepare(
      `insert into user_totals (team_id, total) values (?, ?)
        on conflict (team_id) do update set total = total + excluded.total`,
    ),
    addLabResult: raw.prepare(
      `insert into lab_results (team_id, order_id, user_id, body)
        values (?, ?, ?, ?) on conflict do nothing`,
    ),
    labResult: raw.prepare(
      'select user_id, body from lab_results where team_id = ? and order_id = ?',
    ),
    changeLabResult: raw.prepare(
      'update lab_results set body = ? where team_id = ? and order_id = ?',
    ),
    addInsurance: raw.prepare(
      `insert into insurances (team_id, user_id, is_primary, recorded_us, body)
        values (?, ?, ?, ?, ?) on conflict do nothing`,
    ),
    changeInsurance: raw.prepare(
      `update insurances set body = ?
        where team_id = ? and user_id = ? and is_primary = ? and recorded_us = ? and body <> ?`,
    ),
  };
}

type StatementName =
  | 'addUser'
  | 'user'
  | 'userExists'
  | 'userByClientId'
  | 'changeUser'
  | 'addToTotal'
  | 'addLabResult'
  | 'labResult'
  | 'changeLabResult'
  | 'addInsurance'
  | 'changeInsurance';

function sameBytes(value: unknown, bytes: Uint8Array): boolean {
  return value instanceof Uint8Array && Buffer.compare(value, bytes) === 0;
}
