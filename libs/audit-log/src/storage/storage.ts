import type { Head } from '../checkpoint.ts';
import type { Copies, StoredRecord } from '../record.ts';

export interface LogIdentity {
  /** 12 hexadecimal digits. */
  readonly logId: string;
  /** `<host>/audit/<log id>`, as checkpoints have it. */
  readonly name: string;
  /** The key that signs now, as a C2SP verifier key. */
  readonly publicKey: string;
}

export interface LogRow extends LogIdentity {
  readonly size: number;
  /** The roots of the largest complete subtrees, largest first. */
  readonly frontier: Buffer;
}

export interface Node {
  readonly level: number;
  readonly place: number;
  readonly hash: Buffer;
}

/** What one transaction appends to a log of `before` records. */
export interface Commit extends LogRow {
  readonly before: number;
  readonly records: readonly (StoredRecord & { readonly copies: Copies })[];
  readonly nodes: readonly Node[];
  readonly heads: readonly Head[];
  readonly signedAtUs: number;
}

/** Finds records by the copies beside them, newest first. */
export interface Search {
  /** Columns with one of these texts. */
  readonly texts: Readonly<Record<string, readonly string[] | undefined>>;
  readonly id?: string | undefined;
  readonly fromUs?: number | undefined;
  readonly toUs?: number | undefined;
  readonly log?: string | undefined;
  readonly withoutLogs?: readonly string[] | undefined;
  /** Only records behind this place in the order. */
  readonly after?: Place | undefined;
  readonly limit: number;
}

export interface Place {
  readonly timeUs: number;
  readonly logId: string;
  readonly seq: number;
}

export type FoundRecord = StoredRecord & Place;

/** Reads the tables of audit logs. Nothing that they hold is trusted. */
export interface ReadableStorage {
  logs(): Promise<LogRow[]>;
  newestHead(logId: string): Promise<Head | undefined>;
  /** Those of these sizes, both included, in order. */
  heads(logId: string, fromSize: number, toSize: number): Promise<Head[]>;
  /** In order, at most to before `to`. */
  records(logId: string, from: number, to: number): Promise<StoredRecord[]>;
  recordsWithCopies(
    logId: string,
    from: number,
    to: number,
  ): Promise<(StoredRecord & { readonly copies: Copies })[]>;
  /** The number of the oldest record, and that of the newest one and 1; both 0 without records. */
  range(logId: string): Promise<{ readonly first: number; readonly end: number }>;
  nodes(logId: string, level: number, from: number, to: number): Promise<Node[]>;
  find(search: Search): Promise<FoundRecord[]>;
  close(): Promise<void>;
}

export interface LogStorage extends ReadableStorage {
  /** Waits until no other connection is committing to the log, and shows that the storage takes a commit. */
  settledLog(logId: string): Promise<LogRow | undefined>;
  /** False, and nothing is written, if the log does not have `before` records. @throws: then it may have been committed */
  commit(commit: Commit): Promise<boolean>;
  /** Whether another attempt may succeed soon, such as after a cut connection. */
  isTransient(error: unknown): boolean;
}

export const storedLevels = [8, 16, 24] as const;
