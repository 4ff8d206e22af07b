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
 * The one writer of health data: a transaction at a time, each record by prepared statements, synchronously. Running the
 * same records again changes nothing; a record with a known key and another body replaces the old one.
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

  /** Opens the store of a data folder, making what is missing. */
  static async open(dataFolder: string): Promise<StoreWriter> {
    return new StoreWriter(await openStoreForWriting(dataFolder));
  }

  /**
   * Begins a transaction. Where another process has one, says so once and waits.
   *
   * @throws ImportFailedError where the other is still writing after `waitMs`
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

  /** Writes a record, or says why it cannot be; then it has written nothing. */
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

  /** Every record is in the database when it was put. */
  drain(): Promise<void> {
    return Promise.resolve();
  }

  /** Nothing turns out wrong later. */
  async *settle(): AsyncIterable<LateRefusal> {}

  /** Makes all that was put since {@link begin} durable, with the totals and ranks that follow from it. */
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
    // On a full disk or a read error SQLite has rolled back by itself.
    if (this.#raw.isTransaction) {
      this.#raw.exec('rollback');
    }
  }

  /** Moves what was written from the log into the file and gives the log's disk space back, as far as readers let it. */
  tidy(): void {
    try {
      this.#raw.exec('pragma wal_checkpoint(truncate)');
    } catch {
      // Everything committed is durable in the log already; the next checkpoint will find it there.
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
    // Most files have a person's lines side by side.
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
