import type { Issue } from '@caregate/domain/validate';
import type { Counts, Kind } from './import-types.ts';
import type { StoreRecord } from './record.ts';

/** What an import writes through, whatever the engine: a transaction at a time. */
export interface RecordWriter {
  /**
   * Begins a transaction.
   *
   * @throws ImportFailedError where another process is still writing after `waitMs`
   */
  begin(waitMs: number, onWaiting?: () => void): Promise<void>;

  /**
   * Writes a record, or says why it cannot be; then it has written nothing. A writer may also find that out in
   * {@link settle}, and count there.
   */
  put(record: StoreRecord, counts: Counts, line: RecordLine): Issue | undefined;

  /** Called now and then between records: a writer that collects them lets them go. */
  drain(): Promise<void>;

  /**
   * The records that turn out wrong only now, by line.
   *
   * @param counts of each kind, to be completed
   * @param isClean whether the file is refused as a whole where a record is wrong, and whether one has been already
   */
  settle(
    counts: Readonly<Record<Kind, Counts>>,
    how: { readonly allOrNothing: boolean; readonly clean: boolean },
  ): AsyncIterable<LateRefusal>;

  /** Makes all that was put since {@link begin} durable. */
  commit(): void | Promise<void>;

  /** Leaves the store as it was before {@link begin}. Never throws. */
  rollback(): void | Promise<void>;

  /** Gives back what an import took beyond its records. */
  tidy(): void;

  close(): void | Promise<void>;
}

export interface RecordLine {
  /** Counted from 1. */
  readonly number: number;
  /** As it came; only where refused lines are written out. */
  readonly text?: string | undefined;
}

export interface LateRefusal {
  readonly line: RecordLine;
  readonly issue: Issue;
}

export const unknownUser: Issue = {
  path: ['user_id'],
  message: 'is no user of this team, neither in the store nor on a line before this one',
};

export const takenClientUserId: Issue = {
  path: ['user', 'client_user_id'],
  message: 'already belongs to another user of this team',
};

/** A result that moved to another person is far more likely a mistake than a correction. */
export const takenOrder: Issue = {
  path: ['order_id'],
  message: 'already belongs to another user of this team',
};
