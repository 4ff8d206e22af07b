import { OperatorError } from '../../operator-error.ts';

/** A refused line. The reason never contains a value of the line. */
export interface RefusedLine {
  readonly file: string;
  readonly line: number;
  readonly reasons: readonly Reason[];
  /** The original line, for `--skip-invalid`; undefined if it is too long or not UTF-8. Never log it. */
  readonly text?: string | undefined;
}

export interface Reason {
  /** JSON path of the field within the line (`user.created_on`, `data[3].end`); empty for the whole line. */
  readonly path: string;
  readonly message: string;
}

export const KINDS = [
  'user',
  'user_info',
  'order',
  'lab_result',
  'insurance',
  'mindfulness_minutes',
] as const;
export type Kind = (typeof KINDS)[number];

/** Numbers of records of one kind: points for `mindfulness_minutes`, lines for all others. */
export interface Counts {
  added: number;
  updated: number;
  unchanged: number;
}

export function createCounts(): Record<Kind, Counts> {
  const none = KINDS.map((kind) => [kind, { added: 0, updated: 0, unchanged: 0 }] as const);
  return Object.fromEntries(none) as Record<Kind, Counts>;
}

export interface ImportReport {
  readonly file: string;
  /** False if the file was refused, in which case none of it is stored. */
  readonly imported: boolean;
  readonly lines: number;
  readonly counts: Readonly<Record<Kind, Readonly<Counts>>>;
  readonly refused: {
    readonly count: number;
    readonly first: readonly RefusedLine[];
    readonly gaveUp: boolean;
  };
  readonly warnings: { readonly count: number; readonly first: readonly ImportWarning[] };
  readonly teams: readonly string[];
}

export interface ImportWarning extends Reason {
  readonly file: string;
  readonly line: number;
}

interface Progress {
  /** Bytes read from disk, before decompression. */
  readonly bytesRead: number;
  readonly bytesTotal: number | undefined;
  readonly lines: number;
}

export interface ImportOptions {
  /** The only allowed team, as the 16 bytes of its ID. Records of other teams are refused. */
  readonly team?: Uint8Array | undefined;
  /**
   * If set, it is called with each refused line, and the valid lines are imported. Otherwise, the import is all or
   * nothing.
   */
  readonly onRefused?: ((refused: RefusedLine) => void) | undefined;
  /** Awaited before the commit of an acceptable file. If it rejects, nothing is imported. */
  readonly beforeCommit?: ((report: ImportReport) => Promise<void>) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onWaiting?: (() => void) | undefined;
  /** Time in milliseconds to wait for another writer; ten minutes by default. */
  readonly waitMs?: number | undefined;
  /** Number of refused lines after which an all-or-nothing import stops; 10,000 by default. */
  readonly giveUpAfter?: number | undefined;
  /** Maximum length of a line in bytes; 64 MiB by default. */
  readonly maxLineBytes?: number | undefined;
}

/** An import failed. The store is unchanged or, if the commit was not confirmed, may contain the whole file. */
export class ImportFailedError extends OperatorError {
  override readonly name = 'ImportFailedError';
  /** `input`: the file is missing, unreadable or truncated. `store`: the disk is full, or the store is locked or corrupt. */
  readonly fault: 'input' | 'store';

  constructor(fault: 'input' | 'store', message: string, cause?: unknown) {
    super(message, fault === 'input' ? 2 : 1, cause);
    this.fault = fault;
  }
}

const plainName = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/u;

/** Formats the path of an issue. Unusual names could be personal data, so they are left out. */
export function describeIssue(issue: {
  readonly path: readonly (string | number)[];
  readonly message: string;
}): Reason {
  const path = issue.path
    .map((part) =>
      typeof part === 'number' ? `[${part}]` : plainName.test(part) ? `.${part}` : '.?',
    )
    .join('')
    .replace(/^\./u, '');
  return { path, message: issue.message };
}
