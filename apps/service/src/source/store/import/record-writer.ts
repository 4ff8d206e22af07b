import type { Issue } from '@caregate/domain/validate';
import type { Counts, Kind, OnStep } from './import-types.ts';
import type { StoreRecord } from './record.ts';

/** Writes records in transactions; implemented for SQLite and PostgreSQL. */
export interface RecordWriter {
  /**
   * Begins a transaction.
   *
   * @throws ImportFailedError if another process is still writing after `waitMs`
   */
  begin(waitMs: number, onWaiting?: () => void): Promise<void>;

  put(record: StoreRecord, counts: Counts, line: RecordLine): Issue | undefined;

  /** Called regularly between records: a writer that buffers records flushes them. */
  drain(): Promise<void>;

  /**
   * Returns the records that are refused only now, ordered by line.
   *
   * @param counts by kind; completed here
   * @param how whether one invalid record refuses the whole file, and whether all records so far were valid
   */
  settle(
    counts: Readonly<Record<Kind, Counts>>,
    how: { readonly allOrNothing: boolean; readonly clean: boolean },
    onStep?: OnStep,
  ): AsyncIterable<LateRefusal>;

  /** Makes everything since {@link begin} durable. */
  commit(): void | Promise<void>;

  rollback(): void | Promise<void>;

  tidy(): void;

  close(): void | Promise<void>;
}

export interface RecordLine {
  readonly number: number;
  /** The original text; only if refused lines are written to a file. */
  readonly text?: string | undefined;
}

export interface LateRefusal {
  readonly line: RecordLine;
  readonly issue: Issue;
}

export const unknownUser: Issue = {
  path: ['user_id'],
  message: 'is not a user of this team, neither in the store nor on an earlier line',
};

export const takenClientUserId: Issue = {
  path: ['user', 'client_user_id'],
  message: 'already belongs to another user of this team',
};

/** More likely a mistake than a correction. */
export const takenOrder: Issue = {
  path: ['order_id'],
  message: 'already belongs to another user of this team',
};

/** Paths of an order's own fields. */
export const orderOfUnknownUser: Issue = {
  path: ['order', ...unknownUser.path],
  message: unknownUser.message,
};
export const takenOrderId: Issue = { path: ['order', 'id'], message: takenOrder.message };
