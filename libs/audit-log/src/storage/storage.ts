import type { Head } from '../checkpoint.ts';
import type { Copies, StoredRecord } from '../record.ts';

export interface LogIdentity {
  /** ID of the log: 12 hexadecimal digits. */
  readonly logId: string;
  /** Name of the log in checkpoints, `<host>/audit/<log id>`. */
  readonly name: string;
  /** The current signing key, as a C2SP verifier key. */
  readonly publicKey: string;
}

export interface LogRow extends LogIdentity {
  readonly size: number;
  /** Roots of the complete subtrees, largest first. */
  readonly frontier: Buffer;
}

export interface Node {
  readonly level: number;
  readonly place: number;
  readonly hash: Buffer;
}

/** Records, nodes and head that one transaction appends to a log that has `before` records. */
export interface Commit extends LogRow {
  readonly before: number;
  readonly records: readonly (StoredRecord & { readonly copies: Copies })[];
  readonly nodes: readonly Node[];
  readonly heads: readonly Head[];
  readonly signedAtUs: number;
}

/** Finds records by the columns with copied values, newest first. */
export interface Search {
  /** Each of these columns must have one of its texts. */
  readonly texts: Readonly<Record<string, readonly string[] | undefined>>;
  readonly id?: string | undefined;
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
  readonly log?: string | undefined;
  readonly withoutLogs?: readonly string[] | undefined;
  /** Only records after this one, in the order of the result. */
  readonly after?: RecordPosition | undefined;
  readonly limit: number;
}

export interface RecordPosition {
  readonly timeUs: number;
  readonly logId: string;
  readonly seq: number;
}

export type FoundRecord = StoredRecord & RecordPosition;

/** Reads the tables of audit logs. Callers MUST NOT trust anything they contain. */
export interface ReadableStorage {
  readLogs(): Promise<LogRow[]>;
  readNewestHead(logId: string): Promise<Head | undefined>;
  /** Returns the heads in a range of sizes, both inclusive, in order. */
  readHeads(logId: string, fromSize: number, toSize: number): Promise<Head[]>;
  /** Returns the first records from `from` to before `to`, in order. There may be fewer. */
  readRecords(logId: string, from: number, to: number): Promise<StoredRecord[]>;
  readRecordsWithCopies(
    logId: string,
    from: number,
    to: number,
  ): Promise<(StoredRecord & { readonly copies: Copies })[]>;
  /**
   * Returns the number of the oldest record and one more than that of the newest record; both are 0 if there are no
   * records.
   */
  readSeqRange(logId: string): Promise<{ readonly first: number; readonly end: number }>;
  readNodes(logId: string, level: number, from: number, to: number): Promise<Node[]>;
  find(search: Search): Promise<FoundRecord[]>;
  close(): Promise<void>;
}

export interface LogStorage extends ReadableStorage {
  /** Waits until no other connection is committing to the log, and tests whether the storage accepts a commit. */
  readSettledLog(logId: string): Promise<LogRow | undefined>;
  /**
   * Returns false and writes nothing if the log doesn't have `before` records. @throws if the commit failed or its
   * outcome is unknown
   */
  commit(commit: Commit): Promise<boolean>;
  /** Whether another attempt may succeed soon, such as after a lost connection. */
  isTransient(error: unknown): boolean;
}

export const storedLevels = [8, 16, 24] as const;
