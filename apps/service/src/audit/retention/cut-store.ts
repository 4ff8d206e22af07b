import type { AuditEntry, LogSource } from '@caregate/audit-log';

/** So many records of so many. */
export type OnCutProgress = (what: string, done: number, of: number) => void;

/** A log as retention needs it, whatever it is stored in. */
export interface CutStore {
  readonly source: LogSource;
  /**
   * Before anything is approved.
   *
   * @throws AuditBrokenError if the log fails verification
   * @throws RetentionError if this role could not erase
   */
  verify(): Promise<void>;
  /** Records and signs; durable when it resolves. */
  record(entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Erases all records before this one, whose cut is recorded; their hashes stay. Goes on where it was interrupted.
   *
   * @param mayGo called before each part goes; what it throws stops there
   */
  erase(beforeSeq: number, mayGo: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}
