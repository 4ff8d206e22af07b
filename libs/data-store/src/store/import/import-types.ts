import { OperatorError } from '../../operator-error.ts';

/** Reasons never contain a value of the line. */
export interface RefusedLine {
  readonly file: string;
  readonly line: number;
  readonly reasons: readonly Reason[];
  /** The original line, for `--skip-invalid`; undefined if it is too long or not UTF-8. Never log it. */
  readonly text?: string | undefined;
}

export interface Reason {
  /** JSON path of the field within the line (`user.created_on`, `data[3].end`); empty for the line as a whole. */
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

/** Records of one kind: points for `mindfulness_minutes`, lines for the others. */
export interface Counts {
  added: number;
  updated: number;
  unchanged: number;
}

export function noCounts(): Record<Kind, Counts> {
  const none = KINDS.map((kind) => [kind, { added: 0, updated: 0, unchanged: 0 }] as const);
  return Object.fromEntries(none) as Record<Kind, Counts>;
}

export interface ImportReport {
  readonly file: string;
  /** False if the file was refused: nothing of it is in the store. */
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
  /** Bytes of the file on disk (before decompression). */
  readonly bytesRead: number;
  readonly bytesTotal: number | undefined;
  readonly lines: number;
}

export interface ImportOptions {
  /** The only allowed team, as the 16 bytes of its id; lines of other teams are refused. */
  readonly team?: Uint8Array | undefined;
  /** If set, refused lines are passed to it and the valid lines are imported; otherwise the import is all or nothing. */
  readonly onRefused?: ((refused: RefusedLine) => void) | undefined;
  /** Awaited before an acceptable file is committed; if it rejects, nothing is imported. */
  readonly beforeCommit?: ((report: ImportReport) => Promise<void>) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onWaiting?: (() => void) | undefined;
  /** How long to wait for another writer, in milliseconds. Default ten minutes. */
  readonly waitMs?: number | undefined;
  /** Number of refused lines after which an all-or-nothing import stops. Default 10,000. */
  readonly giveUpAfter?: number | undefined;
  /** Longest line, in bytes. Default 64 MiB. */
  readonly maxLineBytes?: number | undefined;
}

/** An import that failed. The store is unchanged, or has the whole file if its commit was not confirmed. */
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

/** The path of an issue as text. Unusual names could be personal data, so they are not included. */
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
