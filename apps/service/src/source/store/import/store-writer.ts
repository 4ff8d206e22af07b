import type { Issue } from '@caregate/domain/validate';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { prepareAll } from '../../../database/sqlite/prepare-all.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStoreForWriting } from '../open-store.ts';
import { isBefore, UserRanks, type UserKey } from '../user-ranks.ts';
import { ImportFailedError, type Counts } from './import-types.ts';
import { PointsWriter } from './points-writer.ts';
import { IMPORT_STATEMENTS } from './store-statements.ts';
import { SearchTables } from '../people/search-tables.ts';
import type {
  InsuranceRecord,
  LabResultRecord,
  OrderRecord,
  StoreRecord,
  UserInfoRecord,
  UserRecord,
} from './record.ts';
import {
  orderOfUnknownUser,
  takenClientUserId,
  takenOrder,
  takenOrderId,
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
  readonly #statements: Record<keyof typeof IMPORT_STATEMENTS, StatementSync>;
  readonly #points: PointsWriter;
  readonly #ranks: UserRanks;
  readonly #search: SearchTables;
  readonly #teams = new Map<string, { team: Uint8Array; added: number; first: UserKey }>();
  /** Replaced results, and the first version stored of each. */
  readonly #replaced = new Map<string, { team: Uint8Array; order: Uint8Array; first: number }>();
  #knownUser = '';

  private constructor(raw: DatabaseSync) {
    this.#raw = raw;
    this.#statements = prepareAll(raw, IMPORT_STATEMENTS);
    this.#points = new PointsWriter(raw);
    this.#ranks = new UserRanks(raw);
    this.#search = new SearchTables(raw);
  }

  static async open(dataFolder: string): Promise<StoreWriter> {
    return new StoreWriter(await openStoreForWriting(dataFolder));
  }

  async begin(waitMs: number, onWaiting?: () => void): Promise<void> {
    const patience = AbortSignal.timeout(waitMs);
    for (let notified = false; ;) {
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
        if (!notified) {
          notified = true;
          onWaiting?.();
        }
        await sleep(100);
      }
    }
  }

  put(record: StoreRecord, counts: Counts): Issue | undefined {
    switch (record.kind) {
      case 'user':
        return this.#putUser(record, counts);
      case 'user_info':
        return this.#putUserInfo(record, counts);
      case 'order':
        return this.#putOrder(record, counts);
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

  drain(): Promise<void> {
    return Promise.resolve();
  }

  async *settle(): AsyncIterable<LateRefusal> {}

  commit(): void {
    this.#search.flush();
    for (const { team, added, first } of this.#teams.values()) {
      this.#statements.addToTotal.run(team, added);
      this.#ranks.rebuild(team, first);
    }
    this.#forgetDetours();
    this.#statements.countImport.run(Date.now() * 1000);
    this.#raw.exec('commit');
    this.#forget();
  }

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
      this.#search.touch(team, user);
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
    this.#search.touch(team, user);
    counts.updated += 1;
    const createdBefore = Number(before['created_us']);
    if (createdBefore !== createdUs) {
      this.#touch(record, 0, Math.min(createdBefore, createdUs));
    }
    return undefined;
  }

  #putUserInfo(record: UserInfoRecord, counts: Counts): Issue | undefined {
    const { team, user, recordedUs, body } = record;
    if (!this.#hasUser(team, user)) {
      return unknownUser;
    }
    const { addUserInfo, changeUserInfo } = this.#statements;
    const key = [team, user, recordedUs] as const;
    this.#putRecorded(record, counts, {
      added: () => addUserInfo.run(...key, body).changes === 1,
      changed: () => changeUserInfo.run(body, ...key, body).changes === 1,
    });
    return undefined;
  }

  #putOrder({ team, user, order, body }: OrderRecord, counts: Counts): Issue | undefined {
    if (!this.#hasUser(team, user)) {
      return orderOfUnknownUser;
    }
    const owner = this.#statements.orderOwner.get(team, order);
    if (owner !== undefined && !sameBytes(owner['user_id'], user)) {
      return takenOrderId;
    }
    const before = this.#statements.importedOrder.get(team, order);
    if (before?.['body'] === body) {
      counts.unchanged += 1;
      return undefined;
    }
    this.#statements.putImportedOrder.run(team, order, user, body);
    this.#search.orderChanged(team, order, user);
    counts[before === undefined ? 'added' : 'updated'] += 1;
    return undefined;
  }

  #putLabResult(record: LabResultRecord, counts: Counts): Issue | undefined {
    const { team, user, order, body } = record;
    if (!this.#hasUser(team, user)) {
      return unknownUser;
    }
    const owner = this.#statements.orderOwner.get(team, order);
    if (owner !== undefined && !sameBytes(owner['user_id'], user)) {
      return takenOrder;
    }
    if (this.#statements.addLabResult.run(team, order, user, body).changes === 1) {
      counts.added += 1;
    } else if (this.#statements.labResult.get(team, order)?.['body'] === body) {
      counts.unchanged += 1;
      return undefined;
    } else {
      const stored = this.#statements.keepVersion.get(Date.now() * 1000, team, order);
      const key = Buffer.concat([team, order]).toString('latin1');
      if (!this.#replaced.has(key)) {
        this.#replaced.set(key, { team, order, first: stored?.['version'] as number });
      }
      this.#statements.changeLabResult.run(body, team, order);
      counts.updated += 1;
    }
    this.#search.orderChanged(team, order, user);
    return undefined;
  }

  #putInsurance(record: InsuranceRecord, counts: Counts): Issue | undefined {
    const { team, user, isPrimary, recordedUs, body } = record;
    if (!this.#hasUser(team, user)) {
      return unknownUser;
    }
    const { addInsurance, changeInsurance } = this.#statements;
    const key = [team, user, isPrimary, recordedUs] as const;
    this.#putRecorded(record, counts, {
      added: () => addInsurance.run(...key, body).changes === 1,
      changed: () => changeInsurance.run(body, ...key, body).changes === 1,
    });
    return undefined;
  }

  #putRecorded(
    { team, user }: InsuranceRecord | UserInfoRecord,
    counts: Counts,
    { added, changed }: { added: () => boolean; changed: () => boolean },
  ): void {
    const change = added() ? 'added' : changed() ? 'updated' : 'unchanged';
    counts[change] += 1;
    if (change !== 'unchanged') {
      this.#search.touch(team, user);
    }
  }

  #hasUser(team: Uint8Array, user: Uint8Array): boolean {
    // The lines of a user are usually adjacent.
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
    this.#search.forget();
    this.#teams.clear();
    this.#replaced.clear();
    this.#knownUser = '';
  }

  /** Importing a file again must not add versions. */
  #forgetDetours(): void {
    for (const { team, order, first } of this.#replaced.values()) {
      const before = this.#statements.version.get(team, order, first)?.['body'];
      if (this.#statements.labResult.get(team, order)?.['body'] === before) {
        this.#statements.forgetVersions.run(team, order, first);
      }
    }
  }
}

function sameBytes(value: unknown, bytes: Uint8Array): boolean {
  return value instanceof Uint8Array && Buffer.compare(value, bytes) === 0;
}
